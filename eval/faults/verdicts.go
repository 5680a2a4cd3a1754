package faults

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"path/filepath"
	"slices"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// Verdicts compares the verdicts of allele score with those of go test on the changed source.
var Verdicts = lab.Experiment{
	Name: "verdicts",
	Doc:  "faults of ten modules, drawn by operator and verdict: what go test says about the changed source",
	Run:  checkVerdicts,
}

// judgedModules are the modules whose faults are drawn.
var judgedModules = []subject{
	{Module: foreign.At("github.com/hashicorp/go-version", "v1.9.0"), quick: true},
	{Module: foreign.At("github.com/go-viper/mapstructure/v2", "v2.4.0")},
	{Module: foreign.At("github.com/gorilla/mux", "v1.8.1")},
	{Module: foreign.At("github.com/google/uuid", "v1.6.0")},
	{Module: foreign.At("github.com/rs/xid", "v1.6.0")},
	{Module: foreign.At("github.com/hashicorp/golang-lru/v2", "v2.0.7")},
	{Module: foreign.At("github.com/spf13/cast", "v1.7.1")},
	{Module: foreign.At("github.com/Masterminds/semver/v3", "v3.5.0")},
	{Module: foreign.At("github.com/valyala/fastjson", "v1.6.10")},
	{Module: foreign.At("github.com/BurntSushi/toml", "v1.6.0"), packages: []string{".", "./internal/..."}},
}

// drawnMax is how many faults of an operator and a verdict are drawn, and quickMax of all in the quick version. With more, the
// experiment takes longer than two hours of CPU time.
const (
	drawnMax = 25
	quickMax = 8
)

// drawnKinds are the verdicts of faults that are drawn.
var drawnKinds = []string{killed, survived, notInfected, notReached}

// drawn is a fault of a module, with what go test says about the changed source.
type drawn struct {
	subject subject
	fault
	hash uint64
	opinion
}

// opinion is what the tests of the changed program say.
type opinion struct {
	Result string `json:"result"`
	Varies bool   `json:"varies,omitempty"` // they do not say the same each time, or the tests of the original program fail, too
}

// agrees reports whether the verdict is that of the changed program.
func (d drawn) agrees() bool {
	fails := d.Result == testsFail || d.Result == testsHang
	return fails == (d.Verdict == killed)
}

// decided reports whether the changed source is a program that go test accepts, whose tests always say the same.
func (d drawn) decided() bool { return d.Result != doesNotCompile && d.Result != vetFails && !d.Varies }

func checkVerdicts(cfg lab.Config) (*lab.Result, error) {
	list, b, err := begin(cfg, judgedModules)
	if err != nil {
		return nil, err
	}
	defer b.close()
	var all []drawn
	var errs []error
	for _, s := range list {
		some, err := b.candidates(s)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", s.Module, err))
			continue
		}
		all = append(all, some...)
	}
	if all = draw(all, drawnMax); cfg.Quick {
		slices.SortFunc(all, byHash)
		all = all[:min(quickMax, len(all))]
	}
	for i := range all {
		if err := b.ask(&all[i]); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", place(all[i].fault), err))
		}
	}
	res := &lab.Result{Seeds: []uint64{1}, Summary: map[string]any{}}
	errs = append(errs, reportVerdicts(res, all))
	return res, errors.Join(errs...)
}

// candidates returns the faults of a module that can be drawn.
func (b *bench) candidates(s subject) (all []drawn, err error) {
	src, err := b.copied(s)
	if err != nil {
		return nil, err
	}
	b.Logf("%s", s.Module)
	scored, err := b.scored("verdicts", s, src)
	if err != nil {
		return nil, err
	}
	for _, f := range scored.Faults {
		if slices.Contains(drawnKinds, f.Verdict) {
			h := fnv.New64a()
			fmt.Fprint(h, s.Module, f.File, f.Edit)
			all = append(all, drawn{subject: s, fault: f, hash: h.Sum64()})
		}
	}
	return all, nil
}

// draw returns at most so many faults of each operator and verdict, by their hashes, and in the order of the modules.
func draw(all []drawn, most int) (some []drawn) {
	groups := map[string][]drawn{}
	for _, d := range all {
		key := d.Operator + "\x00" + d.Verdict
		groups[key] = append(groups[key], d)
	}
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		g := groups[key]
		slices.SortFunc(g, byHash)
		some = append(some, g[:min(most, len(g))]...)
	}
	return some
}

func byHash(a, b drawn) int { return cmp.Compare(a.hash, b.hash) }

// repeats is how often the tests of a changed program are run if they disagree with a verdict.
const repeats = 5

// ask runs the tests of the program with a fault in its source, or returns what an earlier experiment has kept.
func (b *bench) ask(d *drawn) (err error) {
	part := filepath.Join(b.dir, "parts", fmt.Sprintf("opinion-%s-%016x.json", d.subject.file(), d.hash))
	if o, known := lab.Recall[opinion](part); known {
		d.opinion = o
		if d.agrees() || !d.decided() {
			return nil
		}
	}
	src := filepath.Join(b.dir, "src", d.subject.file())
	if d.Result, err = b.opinion(src, d.fault, 1); err != nil {
		return err
	}
	if d.decided() && !d.agrees() {
		again, err := b.opinion(src, d.fault, repeats)
		if err != nil {
			return err
		}
		d.Varies = again != d.Result
		if !d.Varies && d.Result != testsPass {
			if d.Varies, err = b.failsOriginally(src, d.fault, repeats); err != nil {
				return err
			}
		}
		b.Logf("%s: ours %s, the changed program: %s", place(d.fault), d.Verdict, d.Result)
	}
	return lab.Keep(part, d.opinion)
}

// reportVerdicts makes a row for each operator, and a sample for each verdict that is not that of the changed program.
func reportVerdicts(res *lab.Result, all []drawn) (err error) {
	byOperator := map[string][]drawn{}
	for _, d := range all {
		byOperator[d.Operator] = append(byOperator[d.Operator], d)
	}
	wrong := 0
	for _, operator := range slices.Sorted(maps.Keys(byOperator)) {
		counts := map[string]int{}
		for _, d := range byOperator[operator] {
			switch {
			case d.Varies:
				counts["varies"]++
			case !d.decided():
				counts[d.Result]++
			case d.agrees():
				counts["agree"]++
			default:
				counts["differ"]++
			}
			if d.Varies || !d.decided() || !d.agrees() {
				res.Samples = append(res.Samples, lab.Row{lab.Col("module", d.subject.Path), lab.Col("fault", place(d.fault)),
					lab.Col("ours", d.Verdict), lab.Col("changed program", d.Result), lab.Col("varies", d.Varies)})
			}
		}
		wrong += counts["differ"]
		res.Rows = append(res.Rows, lab.Row{lab.Col("operator", operator), lab.Col("drawn", len(byOperator[operator])),
			lab.Col("agree", counts["agree"]), lab.Col("differ", counts["differ"]), lab.Col("varies", counts["varies"]),
			lab.Col(doesNotCompile, counts[doesNotCompile]), lab.Col(vetFails, counts[vetFails])})
	}
	if res.Summary["verdicts that differ"] = wrong; wrong > 0 {
		err = fmt.Errorf("%d verdicts are not those of the changed programs: see the samples", wrong)
	}
	if len(all) == 0 {
		return errors.New("no fault was drawn")
	}
	return err
}
