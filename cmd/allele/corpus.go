//go:build go1.25

package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/store/corpora"
	"github.com/allele-go/allele/internal/store/corpus"
	"github.com/allele-go/allele/internal/testbin/cache"
	"github.com/allele-go/allele/internal/words"
)

// userCorpora returns the corpora of the user, for a call of one of the commands of allele corpus.
func userCorpora(c *call) (*corpora.Set, error) {
	root, err := cache.Corpora()
	return &corpora.Set{Root: root, Out: c.stdout, Self: self, Warn: func(format string, args ...any) {
		fmt.Fprintf(c.stderr, "allele corpus: %s\n", words.Printable(fmt.Sprintf(format, args...)))
	}}, err
}

// corpusList sets up allele corpus list.
func corpusList(*flagSet) action {
	return func(c *call) error {
		if c.NArg() > 1 {
			return fmt.Errorf("got %d patterns, want at most one", c.NArg())
		}
		set, err := userCorpora(c)
		if err != nil {
			return err
		}
		places, err := set.Places(c.Arg(0))
		if err == nil && len(places) > 0 {
			listCorpora(c, set, places)
		}
		return err
	}
}

// listCorpora lists the properties that have saved inputs.
func listCorpora(c *call, set *corpora.Set, places []corpus.Place) {
	width := len("property")
	for _, p := range places {
		width = max(width, len([]rune(words.Printable(corpora.Named(p)))))
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
			set.Warn("%s: %v", corpora.Named(p), err)
			continue
		}
		count := map[event.Verdict]int{}
		for _, e := range k.Entries {
			count[e.Verdict]++
		}
		total += len(k.Entries)
		problems = append(problems, k.Problems...)
		row(words.Printable(corpora.Named(p)), words.Group(len(k.Entries)),
			words.Group(count[event.Passed]), words.Group(count[event.Discarded]),
			words.Group(size(p.Dir)), words.Group(k.Runs), words.Group(k.Damaged))
	}
	fmt.Fprintf(c.stdout, "%s · %s · in %s\n", words.Properties(len(places)), words.Count(total, "input"), set.Root)
	for _, text := range problems {
		set.Warn("damaged, skipped: %s", text)
	}
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

// corpusShow sets up allele corpus show.
func corpusShow(f *flagSet) action {
	limit := f.Int("n", shownMax, "print at most this `number` of inputs; 0 prints all")
	return func(c *call) error {
		if c.NArg() == 0 {
			return fmt.Errorf("no pattern; to list the properties, run: %s corpus list", self)
		}
		if *limit < 0 {
			return fmt.Errorf("-n: want a number of inputs, or 0 for all, not %d", *limit)
		}
		set, err := userCorpora(c)
		if err != nil {
			return err
		}
		return showCorpora(c, set, *limit)
	}
}

// showCorpora prints saved inputs.
func showCorpora(c *call, set *corpora.Set, limit int) error {
	places, err := set.Places(c.Arg(0))
	if err != nil {
		return err
	}
	ids := c.Args()[1:]
	shown, more := 0, 0
	for _, p := range places {
		k, err := corpus.Read(p.Dir)
		if err != nil {
			set.Warn("%s: %v", corpora.Named(p), err)
			continue
		}
		fmt.Fprintf(c.stdout, "%s · %s · %s\n",
			words.Printable(corpora.Named(p)), words.Count(len(k.Entries), "input"), words.Count(k.Runs, "run"))
		for _, e := range k.Entries {
			if len(ids) > 0 && !slices.ContainsFunc(ids, func(id string) bool { return strings.HasPrefix(e.ID(), id) }) {
				continue
			}
			if limit > 0 && shown >= limit {
				more++
				continue
			}
			shown++
			fmt.Fprint(c.stdout, described(e))
		}
	}
	switch {
	case more > 0:
		fmt.Fprintf(c.stdout, "\nand %s more; to print all, add -n 0; to print one, add its ID after the pattern\n", words.Group(more))
	case shown == 0 && len(ids) > 0:
		return fmt.Errorf("no saved input of %s has an ID that begins with %s", c.Arg(0), strings.Join(ids, " or "))
	}
	return nil
}

// described returns a saved input as text.
func described(e corpus.Entry) string {
	facts := []string{e.ID(), string(e.Verdict), "run " + words.Group(e.Run)}
	for _, x := range []struct{ before, text string }{{"", e.How}, {"from ", e.Parent}, {"saved for ", e.Why}} {
		if x.text != "" {
			facts = append(facts, x.before+x.text)
		}
	}
	if e.Spawned {
		facts = append(facts, "starts goroutines")
	}
	head := strings.ReplaceAll(strings.Join(facts, " · "), "\n", " ")
	return "\n" + words.Printable(head) + "\n    " + strings.ReplaceAll(words.Printable(e.Input), "\n", "\n    ") + "\n"
}
