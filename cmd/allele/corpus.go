//go:build go1.25

package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
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
       allele corpus export -go FUZZTEST [-o DIR] TEST [package]
       allele corpus import [flags] DIR [packages]
       allele corpus import -go FUZZTEST TEST [package]
       allele corpus mv OLDTEST NEWTEST [package [new package]]

Searches save inputs that show something new in a corpus in your cache folder. The next
search starts from these inputs.

    list    list the properties that have saved inputs, with counts
    show    print saved inputs as Go
    min     remove saved inputs that add nothing to the others
    merge   add the saved inputs of corpora in other folders
    export  write saved inputs to files, with -go as a corpus of go test -fuzz
    import  read files that export wrote, with -go a corpus of go test -fuzz
    mv      move the saved inputs, and the stored cases in testdata/allele, of a test that
            you renamed or moved to another package

Example:
    go tool allele corpus show TestInsert

PATTERN is a regular expression that is matched against package.property.
`

// cases is the state of allele corpus. Each of its commands is a method.
type cases struct {
	root           string
	stdout, stderr io.Writer
}

// corpusCommand runs allele corpus.
func corpusCommand(args []string, stdout, stderr io.Writer) int {
	c := &cases{stdout: stdout, stderr: stderr}
	commands := map[string]func([]string) error{"list": c.list, "show": c.show, "min": c.min,
		"merge": c.merge, "export": c.export, "import": c.importFiles, "mv": c.rename}
	switch {
	case len(args) == 0:
		fmt.Fprint(stderr, inOurWords(corpusUsage))
		return exitUsage
	case isHelp(args[0]):
		fmt.Fprint(stdout, inOurWords(corpusUsage))
		return exitOK
	case commands[args[0]] == nil:
		fmt.Fprint(stderr, unknownCommand("allele corpus", args[0], slices.Sorted(maps.Keys(commands))), inOurWords(corpusUsage))
		return exitUsage
	}
	var err error
	if c.root, err = corpusRoot(); err == nil {
		err = commands[args[0]](args[1:])
	}
	return ended("allele corpus "+args[0], err, stderr)
}

// corpusRoot returns the folder of all corpora, in the user's cache.
func corpusRoot() (string, error) {
	cache, err := cacheRoot()
	return filepath.Join(cache, "corpus"), err
}

// errFailed is returned by a command that has already printed its errors.
var errFailed = errors.New("failed")

// flags returns an empty set of flags with a usage text.
func (c *cases) flags(name string) *flagSet {
	return newFlags("allele corpus "+name, corpusUsage+"\nflags of "+name+":\n", c.stdout)
}

// warn prints a problem that does not end the command.
func (c *cases) warn(format string, args ...any) {
	fmt.Fprintf(c.stderr, "allele corpus: %s\n", printable(fmt.Sprintf(format, args...)))
}

// named returns the name of a property as allele corpus list prints it. Patterns are
// matched against this name.
func named(p corpus.Place) string { return p.Package + "." + p.Property }

// places returns the properties whose names match a pattern, with the folders of their
// corpora. If there are none, it prints what to do.
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
		fmt.Fprintf(c.stdout, "no saved inputs in %s\nto save inputs that show something new, run: %s test ./...\n", c.root, self)
	case len(some) == 0:
		fmt.Fprintf(c.stdout, "no property matches %s; there %s with saved inputs\nto list them, run: %s corpus list\n",
			pattern, are(len(all)), self)
	}
	return some, nil
}

func are(n int) string {
	if n == 1 {
		return "is 1"
	}
	return "are " + group(n)
}

// list lists the properties that have saved inputs.
func (c *cases) list(args []string) error {
	f := c.flags("list")
	if err := f.parse(args); err != nil {
		return err
	}
	if f.NArg() > 1 {
		return fmt.Errorf("got %d patterns, want at most one", f.NArg())
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
	row("property", "inputs", "passed", "discarded", "bytes", "runs", "damaged")
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
	fmt.Fprintf(c.stdout, "%s · %s · in %s\n", properties(len(places)), count(total, "input"), c.root)
	for _, text := range problems {
		c.warn("damaged, skipped: %s", text)
	}
	return nil
}

// size returns the size of the files in a folder.
func size(dir string) (bytes int) {
	entries, _ := os.ReadDir(dir) // a folder that cannot be read has size 0
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			bytes += int(info.Size())
		}
	}
	return bytes
}

// shownMax is how many inputs show prints by default: a few screens.
const shownMax = 20

// show prints saved inputs.
func (c *cases) show(args []string) error {
	f := c.flags("show")
	limit := f.Int("n", shownMax, "print at most this `number` of inputs; 0 prints all")
	if err := f.parse(args); err != nil {
		return err
	}
	if f.NArg() == 0 {
		return fmt.Errorf("no pattern; to list the properties, run: %s corpus list", self)
	}
	if *limit < 0 {
		return fmt.Errorf("-n: want a number of inputs, or 0 for all, not %d", *limit)
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
		fmt.Fprintf(c.stdout, "%s · %s · %s\n", printable(named(p)), count(len(k.Entries), "input"), count(k.Runs, "run"))
		for _, e := range k.Entries {
			if len(ids) > 0 && !slices.ContainsFunc(ids, func(id string) bool { return strings.HasPrefix(e.ID(), id) }) {
				continue
			}
			if *limit > 0 && shown >= *limit {
				more++
				continue
			}
			shown++
			fmt.Fprint(c.stdout, described(e))
		}
	}
	switch {
	case more > 0:
		fmt.Fprintf(c.stdout, "\nand %s more; to print all, add -n 0; to print one, add its ID after the pattern\n", group(more))
	case shown == 0 && len(ids) > 0:
		return fmt.Errorf("no saved input of %s has an ID that begins with %s", f.Arg(0), strings.Join(ids, " or "))
	}
	return nil
}

// described returns a saved input as text.
func described(e corpus.Entry) string {
	facts := []string{e.ID(), string(e.Verdict), "run " + group(e.Run)}
	for _, x := range []struct{ before, text string }{{"", e.How}, {"from ", e.Parent}, {"saved for ", e.Why}} {
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

// absolute returns the absolute path of a folder, which must exist.
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
