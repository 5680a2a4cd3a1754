// Package coverage counts the paths that unguided inputs take through two widely used
// libraries. It answers the question which way of generating inputs reaches most of the
// code under test.
//
// The experiment is that of the DRAGEN theses. A corpus is a number of inputs that are
// generated independently of each other, and the experiment counts how many different
// paths the whole corpus takes. The inputs are trees of the library's own types; the
// property prints them as text and lets the library parse the text. Long texts take more
// paths than short ones, so every way of generating is configured for texts of about the
// same length.
//
//	m, err := t.module(sizes)
//	text, err := m.Allele("-json", "-seed", "5001", ...)
//	read(text, all, at) // paths, blocks and texts of the corpora of that seed
package coverage

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/allele-go/allele/eval/lab"
)

// Experiment returns a row for each combination of library, way of generating inputs, and
// number of inputs in a corpus.
var Experiment = lab.Experiment{
	Name: "coverage",
	Doc:  "distinct paths of unguided corpora through two real libraries, by the way inputs are made",
	Run:  run,
}

const firstSeed = 5001 // a smaller seed was used to choose the sizes

func run(cfg lab.Config) (*lab.Result, error) {
	res := &lab.Result{Summary: map[string]any{}}
	for _, s := range cfg.SeedsOr(lab.Default[int]{Full: 30, Quick: 2}) {
		res.Seeds = append(res.Seeds, firstSeed-1+s)
	}
	sizes, of := []int{100, 200, 500, 1000}, targets
	if cfg.Quick {
		sizes, of = []int{100}, targets[1:] // the library that takes less time to build
	}
	var all []outcome
	for _, t := range of {
		got, err := t.measure(cfg, sizes, res.Seeds)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		all = append(all, got...)
		res.Summary[t.name] = t.require
	}
	if err := check(all); err != nil {
		return nil, err
	}
	res.Rows, res.Plot = rows(all), plot(all)
	return res, nil
}

// outcome holds the results of all corpora of one library, way and number of inputs.
// paths and blocks have one figure for each seed.
type outcome struct {
	target, way   string
	inputs        int
	texts         tally
	paths, blocks []float64
}

// tally counts inputs, the bytes of their texts, and the inputs that the library
// accepted.
type tally struct{ inputs, bytes, accepted float64 }

func (t target) measure(cfg lab.Config, sizes []int, seeds []uint64) ([]outcome, error) {
	m, err := t.module(sizes)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	common := []string{"-strategy", "random", "-fresh", "-scope", t.scope}
	all, at := []outcome{}, map[string]int{}
	for _, w := range ways {
		for _, n := range sizes {
			at[fmt.Sprintf("Test%s%d", w.id, n)] = len(all)
			all = append(all, outcome{target: t.name, way: w.name, inputs: n})
		}
	}
	for _, seed := range seeds {
		cfg.Logf("%s: seed %d", t.name, seed)
		text, err := m.Allele(append(common, "-json", "-seed", fmt.Sprint(seed))...)
		if err != nil {
			return nil, err
		}
		if err := read(text, all, at); err != nil {
			return nil, fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	return all, nil
}

// event is a line of the command's output with -json.
type event struct {
	Kind, Property string
	Finished       struct {
		Verdict string
		Counts  struct{ Paths float64 }
		Reach   struct{ Sites []int }
		Text    string // output of the test
	}
}

// read adds the figures of one seed to the outcomes.
func read(text string, all []outcome, at map[string]int) error {
	found := 0
	for dec := json.NewDecoder(strings.NewReader(text)); ; {
		var e event
		if err := dec.Decode(&e); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		if e.Kind != "finished" {
			continue
		}
		end := e.Finished
		i, known := at[e.Property]
		if !known || end.Verdict != "passed" {
			return fmt.Errorf("%s: %s", e.Property, end.Verdict)
		}
		before := all[i].texts.inputs
		if err := all[i].texts.add(end.Text); err != nil {
			return fmt.Errorf("%s: %w", e.Property, err)
		}
		if n := all[i].texts.inputs - before; n != float64(all[i].inputs) {
			return fmt.Errorf("%s: a corpus of %v inputs, not %d", e.Property, n, all[i].inputs)
		}
		all[i].paths = append(all[i].paths, end.Counts.Paths)
		all[i].blocks = append(all[i].blocks, float64(len(end.Reach.Sites)))
		found++
	}
	if found != len(at) {
		return fmt.Errorf("%d of %d corpora were run", found, len(at))
	}
	return nil
}

var tallyLine = regexp.MustCompile(`(?m)^TALLY ([0-9]+) ([0-9]+) ([0-9]+)$`)

// add reads the line that a test has printed about its texts, and adds the three counts
// in it.
func (t *tally) add(text string) error {
	n := tallyLine.FindStringSubmatch(text)
	if n == nil {
		return errors.New("the test did not print the length of its texts")
	}
	for i, to := range []*float64{&t.inputs, &t.bytes, &t.accepted} {
		v, _ := strconv.ParseFloat(n[i+1], 64) // only digits match
		*to += v
	}
	return nil
}
