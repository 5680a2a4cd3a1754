package hour

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/ops/event"
)

// goneWithin is how long the processes of a campaign may be there when its command is
// not any more: the system ends them, in its own time.
const goneWithin = 5 * time.Second

// gone waits until no process of a campaign is left, and says how long it took and who
// is.
func gone(root string) (took time.Duration, left []process) {
	start := time.Now()
	for {
		left = processesOf(root, 0)
		if took = time.Since(start); len(left) == 0 || took > goneWithin {
			return took, left
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// passing are the files and folders that a command needs only while it runs, by the
// name of each.
var passing = []string{"run-*", "exchange-*", "part-*", "*.slot"}

// temporary is what is left of them in the cache, and anything in the folder for
// temporary files that was the command's own.
func temporary(cache, temp string) (left []string) {
	_ = filepath.WalkDir(cache, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if slices.ContainsFunc(passing, func(p string) bool { ok, _ := filepath.Match(p, d.Name()); return ok }) {
			left = append(left, path)
			if d.IsDir() {
				return fs.SkipDir
			}
		}
		return nil
	})
	entries, _ := os.ReadDir(temp)
	for _, e := range entries {
		left = append(left, filepath.Join(temp, e.Name()))
	}
	return left
}

// sources is the files of a module without testdata.
func sources(dir string) (names []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "testdata" {
			return fs.SkipDir
		}
		if !d.IsDir() {
			names = append(names, path)
		}
		return nil
	})
	return names, err
}

// kept is the inputs that are kept, by property and by ID.
type kept map[string]map[string]string

func readKept(cache string) (kept, error) {
	places, err := corpus.List(filepath.Join(cache, "allele", "corpus"))
	if err != nil {
		return nil, err
	}
	all := kept{}
	for _, p := range places {
		c, err := corpus.Read(p.Dir)
		if err != nil {
			return nil, err
		}
		inputs := map[string]string{}
		for _, e := range c.Entries {
			inputs[e.ID()] = e.Input
		}
		all[p.Package+"."+p.Property] = inputs
	}
	return all, nil
}

func (k kept) count() (n int) {
	for _, inputs := range k {
		n += len(inputs)
	}
	return n
}

// lost is how many inputs are not there later, or are others.
func (k kept) lost(later kept) (n int) {
	for property, inputs := range k {
		for id, input := range inputs {
			if later[property][id] != input {
				n++
			}
		}
	}
	return n
}

// told is what a campaign said of itself.
type told struct {
	finished map[string]event.Event // by property
	whole    event.Event            // of all of them
	died     int
	problems []string
}

func readTold(cache string) (told, error) {
	t := told{finished: map[string]event.Event{}}
	files, _ := filepath.Glob(filepath.Join(cache, "allele", "*", "events.jsonl")) // the pattern is good
	if len(files) != 1 {
		return t, fmt.Errorf("%d logs of a campaign: %s", len(files), strings.Join(files, " "))
	}
	f, err := os.Open(files[0])
	if err != nil {
		return t, err
	}
	defer f.Close()
	for e, err := range event.Read(f) {
		switch {
		case err != nil:
			t.problems = append(t.problems, fmt.Sprintf("the log of what happens: %v", err))
		case e.Kind == event.Died:
			t.died++
		case e.Kind == event.Finished && e.Property == "":
			t.whole = e
		case e.Kind == event.Finished:
			t.finished[e.Package+"."+e.Property] = e
		}
	}
	return t, nil
}

// resumed holds what a campaign went on with against what was there to go on with. In
// a short one a property may not have come to its first run before time was up.
func (t told) resumed(before kept, short bool) (inputs int, problems []string) {
	for property, had := range before {
		e, ok := t.finished[property]
		switch inputs += e.Resumed; {
		case !ok:
			problems = append(problems, property+" was not gone on with")
		case len(had) > 0 && e.Resumed == 0 && !(short && e.Runs == 0):
			problems = append(problems, fmt.Sprintf("%s began anew, with %d inputs kept: %d runs, %s",
				property, len(had), e.Runs, e.Verdict))
		}
	}
	slices.Sort(problems)
	return inputs, problems
}
