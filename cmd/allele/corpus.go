package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/ops/event"
)

const corpusUsage = `usage: allele corpus list [PATTERN]
       allele corpus show [-n NUMBER] PATTERN [ID...]
       allele corpus min [flags] [packages]
       allele corpus merge DIR...
       allele corpus export -o DIR [PATTERN]
       allele corpus import [flags] DIR [packages]

The corpus holds the inputs that searches keep, in your cache folder.

    list    properties that have one, and what it holds
    show    kept inputs, as Go
    min     keep as few as show the same
    merge   add what corpora in other folders hold
    export  write kept inputs to files
    import  read such files

PATTERN is a regular expression over package.property.
`

// cases is allele corpus: commands about what searches have kept.
type cases struct {
	root           string
	stdout, stderr io.Writer
}

// corpusCommand is allele corpus.
func corpusCommand(args []string, stdout, stderr io.Writer) int {
	c := &cases{stdout: stdout, stderr: stderr}
	commands := map[string]func([]string) error{"list": c.list, "show": c.show, "min": c.min,
		"merge": c.merge, "export": c.export, "import": c.take}
	if len(args) == 0 || commands[args[0]] == nil {
		if len(args) > 0 && slices.Contains([]string{"help", "-h", "-help", "--help"}, args[0]) {
			fmt.Fprint(stdout, corpusUsage)
			return exitOK
		}
		if len(args) > 0 {
			fmt.Fprintf(stderr, "allele corpus: there is no command %q\n\n", args[0])
		}
		fmt.Fprint(stderr, corpusUsage)
		return exitUsage
	}
	var err error
	if c.root, err = corpusRoot(); err == nil {
		err = commands[args[0]](args[1:])
	}
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFailed):
		return exitFailed
	case !errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(stderr, "allele corpus %s: %v\n", args[0], err)
	}
	return exitUsage
}

// corpusRoot is the folder of all corpora, in the user's cache.
func corpusRoot() (string, error) {
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "allele", "corpus"), err
}

// errFailed says that not everything went well, which was said.
var errFailed = errors.New("failed")

// flags begins a set of flags.
func (c *cases) flags(name string) *flag.FlagSet {
	f := flag.NewFlagSet("allele corpus "+name, flag.ContinueOnError)
	f.SetOutput(c.stderr)
	f.Usage = func() { fmt.Fprint(c.stderr, corpusUsage, "\nflags of ", name, ":\n"); f.PrintDefaults() }
	return f
}

// warn says what a person should know, and that the rest went on.
func (c *cases) warn(format string, args ...any) {
	fmt.Fprintf(c.stderr, "allele corpus: %s\n", printable(fmt.Sprintf(format, args...)))
}

// named is what a property is called in a list, and what patterns are about.
func named(p corpus.Place) string { return p.Package + "." + p.Property }

// places are the properties that match a pattern.
func (c *cases) places(pattern string) ([]corpus.Place, error) {
	match, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	all, err := corpus.List(c.root)
	if err != nil {
		return nil, err
	}
	some := slices.DeleteFunc(slices.Clone(all), func(p corpus.Place) bool { return !match.MatchString(named(p)) })
	switch {
	case len(all) == 0:
		fmt.Fprintf(c.stdout, "nothing is kept in %s\ngo tool allele test ./... keeps the inputs that show something new\n", c.root)
	case len(some) == 0:
		fmt.Fprintf(c.stdout, "no property matches %s; there %s\ngo tool allele corpus list shows them\n", pattern, are(len(all)))
	}
	return some, nil
}

func are(n int) string {
	if n == 1 {
		return "is 1"
	}
	return "are " + group(n)
}

// list shows what there is.
func (c *cases) list(args []string) error {
	f := c.flags("list")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 1 {
		return fmt.Errorf("want one pattern, not %d", f.NArg())
	}
	places, err := c.places(f.Arg(0))
	if err != nil || len(places) == 0 {
		return err
	}
	width := len("property")
	for _, p := range places {
		width = max(width, len([]rune(printable(named(p)))))
	}
	row := func(name string, cells ...string) {
		fmt.Fprintf(c.stdout, "%-*s", width, name)
		for _, x := range cells {
			fmt.Fprintf(c.stdout, " %10s", x)
		}
		fmt.Fprintln(c.stdout)
	}
	row("property", "cases", "passed", "discarded", "bytes", "runs", "damaged")
	total := 0
	var problems []string
	for _, p := range places {
		k, err := corpus.Read(p.Dir)
		if err != nil {
			c.warn("%s: %v", named(p), err)
			continue
		}
		count := map[event.Verdict]int{}
		for _, e := range k.Entries {
			count[e.Verdict]++
		}
		total += len(k.Entries)
		problems = append(problems, k.Problems...)
		row(printable(named(p)), group(len(k.Entries)), group(count[event.Passed]), group(count[event.Discarded]),
			group(size(p.Dir)), group(k.Runs), group(k.Damaged))
	}
	fmt.Fprintf(c.stdout, "%s · %s · in %s\n", properties(len(places)), count(total, "case"), c.root)
	for _, text := range problems {
		c.warn("damaged, and left out: %s", text)
	}
	return nil
}

// size is what a folder takes on disk.
func size(dir string) (bytes int) {
	entries, _ := os.ReadDir(dir) // what cannot be read counts nothing
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			bytes += int(info.Size())
		}
	}
	return bytes
}

// shownMost is how many cases show shows if it is not told: some screens.
const shownMost = 20

// show shows kept inputs.
func (c *cases) show(args []string) error {
	f := c.flags("show")
	most := f.Int("n", shownMost, "at most so many, a `number`; 0 shows all")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() == 0 {
		return errors.New("which property? want a pattern; go tool allele corpus list shows what there is")
	}
	places, err := c.places(f.Arg(0))
	if err != nil {
		return err
	}
	ids := f.Args()[1:]
	shown, more := 0, 0
	for _, p := range places {
		k, err := corpus.Read(p.Dir)
		if err != nil {
			c.warn("%s: %v", named(p), err)
			continue
		}
		fmt.Fprintf(c.stdout, "%s · %s · %s\n", printable(named(p)), count(len(k.Entries), "case"), count(k.Runs, "run"))
		for _, e := range k.Entries {
			if len(ids) > 0 && !slices.ContainsFunc(ids, func(id string) bool { return strings.HasPrefix(e.ID(), id) }) {
				continue
			}
			if *most > 0 && shown >= *most {
				more++
				continue
			}
			shown++
			fmt.Fprint(c.stdout, described(e))
		}
	}
	switch {
	case more > 0:
		fmt.Fprintf(c.stdout, "\nand %s more; -n 0 shows all, an ID behind the pattern shows one\n", group(more))
	case shown == 0 && len(ids) > 0:
		return fmt.Errorf("no case of %s has an ID that begins with %s", f.Arg(0), strings.Join(ids, " or "))
	}
	return nil
}

// described is a kept case as a person reads it.
func described(e corpus.Entry) string {
	facts := []string{e.ID(), string(e.Verdict), "run " + group(e.Run)}
	for _, x := range []struct{ before, text string }{{"", e.How}, {"of ", e.Parent}, {"kept for ", e.Why}} {
		if x.text != "" {
			facts = append(facts, x.before+x.text)
		}
	}
	if e.Spawned {
		facts = append(facts, "starts goroutines")
	}
	head := strings.ReplaceAll(strings.Join(facts, " · "), "\n", " ")
	return "\n" + printable(head) + "\n    " + strings.ReplaceAll(printable(e.Input), "\n", "\n    ") + "\n"
}

// absolute is a folder that somebody named, which must be there.
func absolute(dir string) (string, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%s is not a folder", dir)
	}
	return filepath.Abs(dir)
}
