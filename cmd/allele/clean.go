//go:build go1.25

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/allele-go/allele/internal/store/corpus"
	"github.com/allele-go/allele/internal/testbin/cache"
	"github.com/allele-go/allele/internal/words"
)

// cleaner is the state of allele clean.
type cleaner struct {
	root        string
	stdout      io.Writer
	dry, corpus bool
}

// cleanCommand sets up allele clean.
func cleanCommand(f *flagSet) action {
	k := &cleaner{}
	f.BoolVar(&k.dry, "n", false, "print what would be removed, and remove nothing")
	f.BoolVar(&k.corpus, "corpus", false, "also remove the saved inputs of all properties")
	return func(c *call) (err error) {
		if c.NArg() > 0 {
			return fmt.Errorf("unexpected argument %q: the command removes the builds of all packages", c.Arg(0))
		}
		if k.root, err = cache.Root(); err != nil {
			return err
		}
		k.stdout = c.stdout
		return k.clean()
	}
}

// clean removes the builds, and with -corpus the saved inputs.
func (c *cleaner) clean() error {
	if !c.dry {
		cache.RemoveLeftovers(c.root, time.Now())
	}
	removed, used := 0, 0
	var bytes int64
	for _, w := range cache.Works(c.root) {
		gone, err := !w.InUse(), error(nil)
		if !c.dry {
			gone, err = w.Remove(c.root)
		}
		switch {
		case err != nil:
			return err
		case !gone:
			used++
			fmt.Fprintf(c.stdout, "%-12s %8s  %s\n", "in use", words.Bytes(w.Bytes), filepath.Base(w.Path))
			continue
		}
		removed++
		bytes += w.Bytes
		fmt.Fprintf(c.stdout, "%-12s %8s  %s\n", c.word(), words.Bytes(w.Bytes), filepath.Base(w.Path))
	}
	fmt.Fprintf(c.stdout, "%s %s, %s, in %s\n", c.word(), words.Count(removed, "build"), words.Bytes(bytes), c.root)
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
	root, err := cache.Corpora()
	if err != nil {
		return err
	}
	places, err := corpus.List(root)
	if err != nil || len(places) == 0 {
		return err
	}
	what := fmt.Sprintf("the saved inputs of %s, %s", words.Properties(len(places)), words.Bytes(cache.SizeBelow(root)))
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
