package hour

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/store/corpus"
)

// goneWithin is how long processes of a campaign may still exist after their command has
// exited. The system kills them, but not immediately.
const goneWithin = 5 * time.Second

// gone waits until all processes of a campaign have exited. It returns how long that
// took, and the processes that still run after goneWithin.
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

// passing lists patterns for the names of files and folders that a command needs
// only while it runs.
var passing = []string{"run-*", "exchange-*", "part-*", "*.slot"}

// temporary returns the temporary files that are left in the cache, and all files in
// the command's folder for temporary files.
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

// sources returns the files of a module, except those in testdata folders.
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

// kept holds the saved inputs, by property and by ID.
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

// full is the number of inputs from which on a corpus drops those that are not needed.
const full = 1500

// lost returns how many inputs are different in later, or missing although the corpus was never full:
// neither at first nor, as the events say, afterwards.
func (k kept) lost(later kept, finished map[string]event.Finished) (n int) {
	for property, inputs := range k {
		now := later[property]
		drops := max(len(inputs), finished[property].Counts.Kept) >= full && len(now) > 0
		for id, input := range inputs {
			if text, ok := now[id]; ok && text != input || !ok && !drops {
				n++
			}
		}
	}
	return n
}

// eventLog holds the events of a campaign.
type eventLog struct {
	finished map[string]event.Finished // by property
	whole    event.Ended               // the event about the whole campaign
	died     int
	problems []string
}

func readLog(cache string) (eventLog, error) {
	t := eventLog{finished: map[string]event.Finished{}}
	files, _ := filepath.Glob(filepath.Join(cache, "allele", "*", "events.jsonl")) // the only possible error is a bad pattern
	if len(files) != 1 {
		return t, fmt.Errorf("%d logs of a campaign: %s", len(files), strings.Join(files, " "))
	}
	f, err := os.Open(files[0])
	if err != nil {
		return t, err
	}
	defer f.Close()
	for e, err := range event.Read(f) {
		if err != nil {
			t.problems = append(t.problems, fmt.Sprintf("event log: %v", err))
		}
		switch b := e.Body.(type) {
		case event.Died:
			t.died++
		case event.Finished:
			t.finished[e.Package+"."+e.Property] = b
		case event.Ended:
			t.whole = b
		}
	}
	return t, nil
}

// resumed checks that a campaign continued with the saved inputs of an earlier campaign,
// and returns how many inputs it used. In a short campaign, time may be up before the
// first run of a property; that is not a problem.
func (t eventLog) resumed(before kept, short bool) (inputs int, problems []string) {
	for property, had := range before {
		e, ok := t.finished[property]
		switch inputs += e.Counts.Resumed.Inputs; {
		case !ok:
			problems = append(problems, property+" was not continued")
		case len(had) > 0 && e.Counts.Resumed.Inputs == 0 && !(short && e.Counts.Runs == 0):
			problems = append(problems, fmt.Sprintf("%s started over although %d inputs were saved: %d runs, %s",
				property, len(had), e.Counts.Runs, e.Verdict))
		}
	}
	slices.Sort(problems)
	return inputs, problems
}
