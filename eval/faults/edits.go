package faults

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// Edits compares scores that use the verdicts of before an edit with scores from nothing.
var Edits = lab.Experiment{
	Name: "edits",
	Doc:  "edits of three modules: how many verdicts hold, what that saves, and whether all are those of a full run",
	Run:  checkEdits,
}

// edited are the modules that are edited. Their tests do the same in each run: in xid, tests draw random values, and many verdicts
// differ between two full runs.
var edited = []subject{
	{Module: foreign.At("github.com/hashicorp/go-version", "v1.9.0"), quick: true},
	{Module: foreign.At("github.com/hashicorp/golang-lru/v2", "v2.0.7"), packages: []string{".", "./simplelru"}},
	{Module: foreign.At("github.com/Masterminds/semver/v3", "v3.5.0")},
}

// trial is an edit, with the scores after it.
type trial struct {
	Kind  string   `json:"kind"`
	What  string   `json:"what"` // where the edit is
	Error string   `json:"error,omitempty"`
	After score    `json:"after"` // with the verdicts of before
	Full  score    `json:"full"`
	Lines []string `json:"lines,omitempty"` // verdicts that differ
	Vary  []string `json:"vary,omitempty"`  // those that also differ between full runs
}

func checkEdits(cfg lab.Config) (*lab.Result, error) {
	list, b, err := begin(cfg, edited)
	if err != nil {
		return nil, err
	}
	defer b.close()
	res := &lab.Result{Seeds: []uint64{1}, Summary: map[string]any{}}
	var all []trial
	var errs []error
	for _, s := range list {
		some, err := b.edit(s)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", s.Module, err))
		}
		for _, t := range some {
			res.Samples = append(res.Samples, t.sample(s))
			for _, line := range t.Lines {
				errs = append(errs, fmt.Errorf("%s: %s in %s: %s", s.Module, t.Kind, t.What, line))
			}
		}
		all = append(all, some...)
	}
	reportEdits(res, all)
	return res, errors.Join(errs...)
}

// editBench is a module that is edited.
type editBench struct {
	*bench
	subject
	src   string
	temp  string
	tries int
}

// edit makes the edits of a module, one after the other, and undoes each.
func (b *bench) edit(s subject) (all []trial, err error) {
	version, err := foreign.Checksum(b.command())
	if err != nil {
		return nil, err
	}
	src, err := b.copied(s)
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "edits")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	e := &editBench{bench: b, subject: s, src: src, temp: temp}
	edits, err := e.draw()
	if err != nil {
		return nil, err
	}
	ready := false
	for i, chain := range edits {
		part := b.part("edit", s, fmt.Sprint(i), version)
		if some, known := lab.Recall[[]trial](part); known && !b.Quick {
			all = append(all, some...)
			continue
		}
		if !ready {
			if _, err := e.score("before"); err != nil {
				return all, err
			}
			ready = true
		}
		some, err := e.chain(chain)
		if err != nil {
			return all, err
		}
		all = append(all, some...)
		if err := lab.Keep(part, some); err != nil {
			return all, err
		}
	}
	return all, nil
}

// chain makes edits that follow each other. The verdicts of before are those of the edit before.
func (e *editBench) chain(edits []edit) (all []trial, err error) {
	if err := os.RemoveAll(e.cache("after")); err != nil {
		return nil, err
	}
	if err := os.CopyFS(e.cache("after"), os.DirFS(e.cache("before"))); err != nil {
		return nil, err
	}
	for i, x := range edits {
		undo, err := x.make(e.src)
		if err != nil {
			return nil, err
		}
		defer undo()
		t := trial{Kind: x.kind, What: x.what}
		if i > 0 {
			t.Kind = "after an edit"
		}
		all = append(all, e.try(t))
		if i > 0 {
			undo()
			all = append(all, e.try(trial{Kind: "undone", What: x.what}))
		}
	}
	return all, nil
}

// try scores the module in both ways.
func (e *editBench) try(t trial) trial {
	var err, failed error
	after := func() { t.After, err = e.score("after") }
	full := func() { t.Full, failed = e.score("full", "-fresh") }
	if e.tries++; e.tries%2 == 0 { // the second one finds packages in the build cache that the first one has compiled
		after, full = full, after
	}
	after()
	full()
	if err != nil || failed != nil {
		if t.Error = fmt.Sprint(failed); (err == nil) != (failed == nil) {
			t.Lines = []string{fmt.Sprintf("with the verdicts of before: %v; a full run: %v", err, failed)}
		}
		return t
	}
	t.Lines = differing(t.Full, t.After)
	for range fullRepeats {
		if len(t.Lines) == 0 {
			break
		}
		again, err := e.score("full", "-fresh")
		if err != nil {
			t.Error = err.Error()
			return t
		}
		vary := differing(t.Full, again)
		t.Lines = slices.DeleteFunc(t.Lines, func(line string) bool {
			varies := slices.ContainsFunc(vary, func(other string) bool { return placeIn(line) == placeIn(other) })
			if varies {
				t.Vary = append(t.Vary, line)
			}
			return varies
		})
	}
	e.Logf("%s: %s in %s: %d of %d reused, %.1f s and %.1f s, %d differ", e.Module, t.Kind, t.What, t.After.Reused, t.After.Runs,
		t.After.CPU, t.Full.CPU, len(t.Lines))
	return t
}

// fullRepeats is how often a full run is repeated if it says something else, to see whether it always says the same.
const fullRepeats = 4

// differing lists the faults whose verdicts differ, also those that another test has killed.
func differing(a, b score) []string {
	lines, others := differences(a, b)
	return append(lines, others...)
}

// placeIn returns the fault in a line.
func placeIn(line string) string {
	fault, _, _ := strings.Cut(line, ": ")
	return fault
}

func (e *editBench) cache(name string) string { return filepath.Join(e.temp, name) }

// score scores the module with a cache of its own.
func (e *editBench) score(cache string, flags ...string) (score, error) {
	if err := os.MkdirAll(e.cache(cache), 0o777); err != nil {
		return score{}, err
	}
	c := call{command: e.command(), src: e.src, output: filepath.Join(e.temp, "score.json"), args: slices.Concat(flags, e.patterns())}
	c.env = slices.Concat(os.Environ(), foreign.UserCache, []string{"XDG_CACHE_HOME=" + e.cache(cache)})
	return c.run()
}

func (t trial) sample(s subject) lab.Row {
	return lab.Row{lab.Col("module", s.Path), lab.Col("edit", t.Kind), lab.Col("where", t.What), lab.Col("faults", len(t.After.Faults)),
		lab.Col("take runs", t.After.Runs), lab.Col("reused", t.After.Reused),
		lab.Col("cpu s", t.After.CPU), lab.Col("cpu s of a full run", t.Full.CPU),
		lab.Col("different", len(t.Lines)), lab.Col("vary", len(t.Vary)), lab.Col("error", t.Error != "")}
}

// reportEdits makes a row for each kind of edit, and one for all.
func reportEdits(res *lab.Result, all []trial) {
	var kinds []string
	for _, t := range all {
		if !slices.Contains(kinds, t.Kind) {
			kinds = append(kinds, t.Kind)
		}
	}
	slices.Sort(kinds)
	for _, kind := range append(kinds, "") {
		var edits, failed, faults, runs, reused, different, vary int
		var after, full float64
		for _, t := range all {
			if kind != "" && t.Kind != kind {
				continue
			}
			edits++
			different += len(t.Lines)
			vary += len(t.Vary)
			if t.Error != "" {
				failed++
				continue
			}
			faults, runs, reused = faults+len(t.After.Faults), runs+t.After.Runs, reused+t.After.Reused
			after, full = after+t.After.CPU, full+t.Full.CPU
		}
		share := float64(reused) / float64(max(1, runs))
		name := kind
		if kind == "" {
			name = "all"
			res.Summary["edits"], res.Summary["reused"], res.Summary["different"], res.Summary["vary"] = edits, share, different, vary
		}
		res.Rows = append(res.Rows, lab.Row{lab.Col("edit", name), lab.Col("edits", edits), lab.Col("not built", failed),
			lab.Col("verdicts", faults), lab.Col("take runs", runs),
			lab.Col("reused", share), lab.Col("cpu s", after), lab.Col("cpu s of a full run", full),
			lab.Col("different", different), lab.Col("vary", vary)})
	}
}
