//go:build go1.25

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/allele-go/allele/internal/ops/corpus"
)

const cleanUsage = `usage: allele clean [flags]

Removes what the command has built from your cache folder. The next command builds it again.
Without this command, builds that were not used for 5 days are removed once a day, and more
of them if all builds together are larger than 4 GB.

The inputs that searches saved are kept unless you add -corpus. The cases in testdata are
never removed.

Example:
    go tool allele clean -n

Flags:
`

// cleaner is the state of allele clean.
type cleaner struct {
	root        string
	stdout      io.Writer
	dry, corpus bool
}

// cleanCommand runs allele clean.
func cleanCommand(args []string, stdout, stderr io.Writer) int {
	c := &cleaner{stdout: stdout}
	f := newFlags("allele clean", cleanUsage, stdout)
	f.BoolVar(&c.dry, "n", false, "print what would be removed, and remove nothing")
	f.BoolVar(&c.corpus, "corpus", false, "also remove the saved inputs of all properties")
	err := f.parse(args)
	if err == nil && f.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q: the command removes the builds of all packages", f.Arg(0))
	}
	if err == nil {
		c.root, err = cacheRoot()
	}
	if err == nil {
		err = c.all()
	}
	return ended("allele clean", err, stderr)
}

// all removes the builds, and with -corpus the saved inputs.
func (c *cleaner) all() error {
	if !c.dry {
		removeLeftovers(c.root, time.Now())
	}
	removed, used := 0, 0
	var bytes int64
	for _, w := range workFolders(c.root) {
		gone, err := !w.inUse(), error(nil)
		if !c.dry {
			gone, err = w.remove(c.root)
		}
		switch {
		case err != nil:
			return err
		case !gone:
			used++
			fmt.Fprintf(c.stdout, "%-12s %8s  %s\n", "in use", inBytes(w.bytes), filepath.Base(w.path))
			continue
		}
		removed++
		bytes += w.bytes
		fmt.Fprintf(c.stdout, "%-12s %8s  %s\n", c.word(), inBytes(w.bytes), filepath.Base(w.path))
	}
	fmt.Fprintf(c.stdout, "%s %s, %s, in %s\n", c.word(), count(removed, "build"), inBytes(bytes), c.root)
	return c.inputs(used > 0)
}

func (c *cleaner) word() string {
	if c.dry {
		return "would remove"
	}
	return "removed"
}

// inputs removes the corpora with -corpus. Otherwise it says that they are kept.
func (c *cleaner) inputs(used bool) error {
	root, err := corpusRoot()
	if err != nil {
		return err
	}
	places, err := corpus.List(root)
	if err != nil || len(places) == 0 {
		return err
	}
	what := fmt.Sprintf("the saved inputs of %s, %s", properties(len(places)), inBytes(sizeBelow(root)))
	switch {
	case !c.corpus:
		fmt.Fprintf(c.stdout, "kept %s; -corpus removes them too\n", what)
		return nil
	case used:
		return fmt.Errorf("%s are kept, because a command is running that may save more; try again when it has ended", what)
	case !c.dry:
		if err := os.RemoveAll(root); err != nil {
			return err
		}
	}
	fmt.Fprintf(c.stdout, "%s %s\n", c.word(), what)
	return nil
}

// inBytes returns a size for people.
func inBytes(n int64) string {
	switch {
	case n >= 10<<30:
		return fmt.Sprintf("%d GB", n>>30)
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%d MB", n>>20)
	case n >= 1<<10:
		return fmt.Sprintf("%d kB", n>>10)
	}
	return fmt.Sprintf("%d B", n)
}
