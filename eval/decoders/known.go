package decoders

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/trial"
)

// A search for a known bug is given the old version of the decoder, and an ordinary value: allele encodes it, and native
// fuzzing gets the bytes. A bug counts as found if the input that a tool has saved is harmless with the fixed version.

var (
	bugBudget      = lab.Default[time.Duration]{Full: 30 * time.Second, Quick: time.Second}
	bugRepetitions = lab.Default[int]{Full: 3, Quick: 1}
)

// quickBug is the bug of a quick run, which only checks that it is there.
const quickBug = "sshkey"

// hunt is the searches for one bug with one tool.
type hunt struct {
	bug
	arm   arm
	finds []find
}

// find is the result of one search.
type find struct {
	Found bool
	CPU   float64
	Runs  int
	Level string // what was changed: value, fault or bytes
}

func runBugs(cfg lab.Config) (*lab.Result, error) {
	only, err := cfg.Match()
	if err != nil {
		return nil, err
	}
	var hunts []*hunt
	for _, b := range bugs {
		for _, a := range []arm{levels, native} {
			if only(b.name+" "+string(a)) && (!cfg.Quick || b.name == quickBug && a == levels) {
				hunts = append(hunts, &hunt{bug: b, arm: a})
			}
		}
	}
	places := map[string]*place{}
	for _, h := range hunts {
		if places[h.name] == nil {
			cfg.Logf("building %s", h.name)
			p, err := h.open(cfg.Quick)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", h.name, err)
			}
			defer p.close()
			places[h.name] = p
		}
	}
	var errs []error
	var mu sync.Mutex
	var todo []int
	for i := range hunts {
		todo = append(todo, i)
	}
	seeds := cfg.SeedsOr(bugRepetitions)
	if cfg.Quick {
		return &lab.Result{Summary: map[string]any{"bugs that only the old version has": len(places)}}, nil
	}
	trial.OnCores(todo, func(i, core int) {
		h := hunts[i]
		for s := range seeds {
			f, err := places[h.name].search(h.arm, firstSeed+uint64(s), cfg.BudgetOr(bugBudget), core)
			mu.Lock()
			cfg.Logf("%s, %s, seed %d: %+v %v", h.name, h.arm, firstSeed+s, f, errorText(err))
			if err != nil {
				errs = append(errs, fmt.Errorf("%s, %s: %w", h.name, h.arm, err))
			} else {
				h.finds = append(h.finds, f)
			}
			mu.Unlock()
		}
	})
	res := &lab.Result{Summary: map[string]any{"cpu s of a search": cfg.BudgetOr(bugBudget).Seconds()}}
	for i := range seeds {
		res.Seeds = append(res.Seeds, firstSeed+uint64(i))
	}
	reportBugs(res, hunts, cfg.BudgetOr(bugBudget).Seconds())
	return res, errors.Join(errs...)
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// huntFigures has a value for each search of a hunt. A search that finds nothing has used its budget.
type huntFigures struct {
	cpu, runs []float64
	needed    []float64 // the CPU time of the searches that found the bug, see lab.Needed
	found     int
	level     string
}

func (h *hunt) figures(budget float64) (f huntFigures) {
	for _, x := range h.finds {
		cpu := budget
		if x.Found {
			f.found++
			f.level = x.Level
			cpu = min(x.CPU, budget) // a search is stopped a little later than at its budget, maybe while it shrinks
		}
		f.cpu, f.runs = append(f.cpu, cpu), append(f.runs, float64(x.Runs))
		f.needed = append(f.needed, lab.Needed(x.Found, cpu, budget))
	}
	return f
}

// reportBugs makes a row for each bug and tool.
func reportBugs(res *lab.Result, hunts []*hunt, budget float64) {
	all := map[arm]int{}
	for _, h := range hunts {
		f := h.figures(budget)
		if len(f.cpu) == 0 {
			continue
		}
		if 2*f.found > len(f.cpu) {
			all[h.arm]++
		}
		row := lab.Row{lab.Col("bug", h.name), lab.Col("report", h.report), lab.Col("version", h.bad), lab.Col("kind", h.kind),
			lab.Col("arm", string(h.arm)), lab.Col("found", f.found), lab.Col("of", len(f.cpu)), lab.Col("cpu s p50", lab.Median(f.cpu)),
			lab.Col("runs p50", lab.Median(f.runs)), lab.Col("changed", f.level)}
		for _, o := range hunts {
			if other := o.figures(budget); o.name == h.name && h.arm == levels && o.arm == native && len(other.cpu) > 0 {
				row = append(row, lab.Col("a12 cpu", lab.A12(other.needed, f.needed)))
			}
		}
		res.Rows = append(res.Rows, row)
	}
	for a, n := range all {
		res.Summary["bugs found in most searches, "+string(a)] = n
	}
}

// place is where a bug is searched for: a module with the old version, and one with the fixed version.
type place struct {
	target
	bug        bug
	bad, fixed *module
	mu         sync.Mutex // held while saved inputs are in the fixed module
}

// open writes the modules, checks them, and builds what is searched. In a quick run nothing is searched.
func (b bug) open(quick bool) (p *place, err error) {
	p = &place{bug: b}
	p.target = target{name: b.name, folder: "bugs/", packages: []string{b.module + "/..."}}
	for _, v := range []string{b.bad, b.fixed} {
		t := p.target
		t.requires = append([]foreign.Module{foreign.At(b.module, v)}, b.requires...)
		m, err := prepare([]target{t}, []string{"bug_test"}, "bugs", b.name, v)
		if err != nil {
			p.close()
			return nil, err
		}
		if v == b.bad {
			p.bad = m
		} else {
			p.fixed = m
		}
	}
	if err := errors.Join(p.shows(), p.build(quick)); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// build builds what is searched.
func (p *place) build(quick bool) error {
	if quick {
		return nil
	}
	binary := p.bad.binary(p.target, "native")
	_, err := foreign.Go(p.bad.src(), foreign.UserCache, "test", "-c", "-trimpath", "-vet=off", "-fuzz=Fuzz", "-o", binary, p.pkg())
	if err != nil {
		return err
	}
	cmd := p.bad.exec(p.target, p.bad.command(), p.allele("-fresh", "-tests", "1")...)
	if out, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() != 1 {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// shows returns an error unless both versions decode the ordinary value, and only the old one has the bug.
func (p *place) shows() error {
	for _, m := range []*module{p.bad, p.fixed} {
		run := func(test string) error {
			_, err := foreign.Go(m.src(), foreign.UserCache, "test", "-vet=off", "-run=^"+test+"$", p.pkg())
			return err
		}
		if err := run("TestBase"); err != nil {
			return err
		}
		if p.bug.kind != "panic" {
			continue // it would use up the memory
		}
		if err := run("TestCrash"); (err == nil) != (m == p.fixed) {
			return fmt.Errorf("bytes that show the bug, fixed version %v: %w", m == p.fixed, err)
		}
	}
	return nil
}

func (p *place) close() {
	for _, m := range []*module{p.bad, p.fixed} {
		if m != nil {
			m.close()
		}
	}
}

func (p *place) pkg() string { return "./" + p.name + "/bug" }

// saved is the folder where a test in a module saves inputs.
func (p *place) saved(m *module) string {
	return filepath.Join(m.src(), p.name, "bug", "testdata")
}

// allele returns the arguments of allele test.
func (p *place) allele(flags ...string) []string {
	args := []string{"test", "-run", "^TestLevels$", "-workers", "1", "-keep-going=false", "-scope", p.packages[0]}
	return append(append(args, flags...), p.pkg())
}

// memoryMax limits native fuzzing, which has no limit of its own, in bytes of address space.
const memoryMax = 4 << 30

// search searches once.
func (p *place) search(a arm, seed uint64, budget time.Duration, core int) (f find, err error) {
	temp, err := os.MkdirTemp(p.bad.dir, "trial")
	if err != nil {
		return f, err
	}
	defer os.RemoveAll(temp)
	wall := trial.Wall(budget).String()
	s := &trial.Search{Temp: temp, Core: core, Budget: budget}
	test, from := "TestLevels", p.saved(p.bad)
	switch a {
	case native:
		test, from = "FuzzBytes", filepath.Join(temp, "testdata")
		s.Cmd = p.bad.exec(p.target, "prlimit", fmt.Sprintf("--as=%d", memoryMax), p.bad.binary(p.target, "native"), "-test.run=^$",
			"-test.fuzz=^FuzzBytes$", "-test.parallel=1", "-test.timeout=0", "-test.fuzzminimizetime=1s",
			"-test.fuzzcachedir="+filepath.Join(temp, "fuzz"), "-test.fuzztime="+wall)
		s.Cmd.Dir = temp
	default:
		s.Cmd = p.bad.exec(p.target, p.bad.command(), p.allele("-fresh", "-seed", fmt.Sprint(seed), "-for", wall)...)
		if err := os.RemoveAll(from); err != nil {
			return f, err
		}
	}
	done, err := s.Run()
	if err != nil {
		return f, err
	}
	f = find{CPU: done.CPU.Seconds(), Runs: done.Counts.Runs}
	if _, err := os.Stat(from); err != nil {
		return f, nil // not found
	}
	output, err := os.ReadFile(filepath.Join(temp, "output"))
	if err != nil {
		return f, err
	}
	f.Level = level(string(output), a)
	f.Found, err = p.harmless(test, from)
	return f, err
}

// harmless reports whether saved inputs pass with the fixed version.
func (p *place) harmless(test, from string) (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	to := p.saved(p.fixed)
	if err := os.RemoveAll(to); err != nil {
		return false, err
	}
	if err := os.Rename(from, to); err != nil {
		return false, err
	}
	defer os.RemoveAll(to)
	_, err := foreign.Go(p.fixed.src(), foreign.UserCache, "test", "-count=1", "-timeout=2m", "-run=^"+test+"$", p.pkg())
	return err == nil, nil
}

// level reads from a report what was changed.
func level(output string, a arm) string {
	switch {
	case a == native || strings.Contains(output, "then the bytes were changed"):
		return "bytes"
	case strings.Contains(output, "with a fault in the encoder"):
		return "fault"
	}
	return "value"
}
