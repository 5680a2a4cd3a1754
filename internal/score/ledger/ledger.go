//go:build go1.25

// Package ledger decides which verdicts of an earlier program still hold after an edit.
//
//	l := ledger.Open(file, ledger.Program{Others: sum, Source: source})
//	verdicts := l.Reuse(base, faults)   // package judge: the tests have run without faults
//	l.Judged(evidence)                  // package judge: a fault was judged
//	l.Save()                            // for the next edit
//
// A run of a test with a fault is the same as before if nothing that ran has changed. So for each fault the ledger has the
// tests that ran with it, and the functions that ran only with the fault. What a test runs without a fault is known
// for the program as it is now: the tests have just run there. Package change says which functions an edit touches.
//
// The one rule: a verdict is used again if the same tests would run with the fault in the same order, and the edit
// touches none of them. In doubt, the fault is judged again.
//
// The file is a cache. If it is damaged, or of another version, there are no earlier verdicts.
package ledger

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/proc/scoring"
	"github.com/allele-go/allele/internal/score/judge"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/change"
)

// Program is what verdicts depend on.
type Program struct {
	// Others is a checksum of everything but the source of packages with faults: "" if that is not known.
	Others string
	// Source returns the source. noted are the functions that leave a note when they run.
	Source func(noted []string) (*change.Influence, error)
}

// Base is what the tests do without a fault.
type Base = scoring.Cases[scoring.Original]

// Ledger has the verdicts of one member.
type Ledger struct {
	file    string
	program Program
	old     *book // of an earlier program; nil if there is none
	now     *book
	source  *change.Influence
	base    *Base
	tests   []*scoring.Original // that take part, in the order in which they run
	entries map[place]entry     // of the present program
	again   map[string]int
	reused  int
}

// Open returns the ledger of a file. If fresh is true, no earlier verdict is used.
func Open(file string, fresh bool, p Program) *Ledger {
	l := &Ledger{file: file, program: p, entries: map[place]entry{}, again: map[string]int{}}
	if !fresh {
		l.old = read(file)
	}
	return l
}

// Reused returns how many verdicts were used again, of those that take runs, and why the others were not.
// Nothing is known without earlier verdicts.
func (l *Ledger) Reused() (n int, again map[string]int) {
	if l.old == nil || l.now == nil {
		return 0, nil
	}
	return l.reused, l.again
}

// Why a fault is judged again.
const (
	isNew      = "their functions have changed, or they had no verdict"
	influenced = "tests that run with them run changed code"
	otherTests = "other tests run with them now"
	unsure     = "their verdicts may depend on the order of tests"
)

// Reuse returns the earlier verdicts that hold. leave has the tests that are left out.
func (l *Ledger) Reuse(base *Base, leave map[string]string, faults []site.Fault) (verdicts []fate.Verdict) {
	source, err := l.program.Source(base.Funcs)
	if err != nil || l.program.Others == "" || len(base.Funcs) == 0 {
		return nil
	}
	whole := source.Whole() // it may read all files of the tests
	if whole == "" {
		return nil
	}
	l.source, l.base, l.tests = source, base, taking(base, leave)
	l.now = &book{Whole: l.program.Others + " " + whole, Units: source.Units(), Tests: map[string]test{}}
	for _, t := range l.tests {
		l.now.Tests[t.Test] = test{t.Steps, t.Varies}
	}
	if l.old == nil {
		return nil
	}
	e := l.compare()
	known := l.old.known()
	for _, f := range faults {
		v, entry, why := l.holds(f, e, known)
		_, run, _ := l.plan(f)
		switch counts := len(run) > 0; { // what no test reaches costs nothing
		case why != "" && counts:
			l.again[why]++
			continue
		case why != "":
			continue
		case counts:
			l.reused++
		}
		l.entries[entry.Place] = entry
		verdicts = append(verdicts, v)
	}
	return verdicts
}

// taking returns the tests that take part, in the order in which they run with a fault.
func taking(base *Base, leave map[string]string) (all []*scoring.Original) {
	seen := map[string]bool{}
	for _, t := range base.Cases {
		if seen[t.Test] {
			continue
		}
		seen[t.Test] = true
		if t = scoring.FindTest(base.Cases, t.Test); t.Left == "" && leave[t.Test] == "" {
			all = append(all, t)
		}
	}
	slices.SortStableFunc(all, scoring.Cheaper)
	return all
}

// edit is what is different now.
type edit struct {
	why string // matters to all tests
	*change.Edit
	touched map[string]bool // tests
}

func (l *Ledger) compare() (e edit) {
	if l.old.Whole != l.now.Whole {
		return edit{why: "something has changed that all tests may depend on"}
	}
	e.Edit = l.source.Since(l.old.Units)
	if e.why = e.Why; e.why != "" {
		return e
	}
	always := l.base.InitRan
	for _, t := range l.tests {
		always = always.Union(t.Ran.Once)
	}
	if f := l.touched(e, always); f != "" {
		e.why = f + " runs before the tests, or once for all of them"
		return e
	}
	e.touched = map[string]bool{}
	for _, t := range l.tests {
		was, known := l.old.Tests[t.Test]
		moved := was.Steps != t.Steps && !(was.Varies && t.Varies)
		e.touched[t.Test] = !known || moved || e.Test(t.Test) || l.touched(e, t.Ran.All) != ""
	}
	l.share(e)
	return e
}

// share adds the tests that use variables which touched tests use, too: what is in them may be different now.
func (l *Ledger) share(e edit) {
	uses, used := map[string]map[string]bool{}, map[string]bool{}
	for _, t := range l.tests {
		var keys []string
		t.Ran.All.Union(t.Ran.Once).Each(func(i int) {
			if i < len(l.base.Funcs) {
				keys = append(keys, function(l.base.Funcs[i]))
			}
		})
		uses[t.Test] = l.source.Shared(t.Test, keys)
	}
	for again := true; again; {
		again = false
		for _, t := range l.tests {
			shares := false
			for name := range uses[t.Test] {
				shares = shares || used[name]
			}
			if !e.touched[t.Test] && !shares {
				continue
			}
			e.touched[t.Test] = true
			for name := range uses[t.Test] {
				again = again || !used[name]
				used[name] = true
			}
		}
	}
}

// touched returns a function of a set that the edit touches, or "".
func (l *Ledger) touched(e edit, set scoring.Set) (name string) {
	set.Each(func(i int) {
		if i < len(l.base.Funcs) && name == "" {
			if key := function(l.base.Funcs[i]); key != "" && e.Touches(key) {
				_, name, _ = strings.Cut(key, " ")
			}
		}
	})
	return name
}

// function returns the key of a function, or "" if it is part of a declaration that counts for all tests.
func function(noted string) string {
	pkg, name, _ := strings.Cut(noted, " ")
	name = strings.TrimPrefix(name, copied)
	if name == "" || name == "init" {
		return ""
	}
	return change.Key(pkg + " " + name)
}

// copied is Copied of package hook.
const copied = "~"

// Noted returns the functions that leave a note whenever they run.
func Noted(funcs []string) (noted []string) {
	for _, f := range funcs {
		if _, name, _ := strings.Cut(f, " "); name != "" && name != "init" && !strings.HasPrefix(name, copied) {
			noted = append(noted, f)
		}
	}
	return noted
}

// holds returns the earlier verdict about a fault, or why there is none that holds.
func (l *Ledger) holds(f site.Fault, e edit, known map[place]entry) (v fate.Verdict, was entry, why string) {
	if e.why != "" {
		return v, was, e.why
	}
	at, wide, ok := l.place(f)
	was, there := known[at]
	if !ok || !there || !wide && l.old.Units[at.Unit] != l.now.Units[at.Unit] {
		return v, was, isNew
	}
	p, run, sure := l.plan(f)
	v = was.Verdict
	v.Fault, v.Tests = f.ID, p.Reached
	switch {
	case !sure:
		return v, was, unsure
	case len(was.Ran) == 0:
		if len(run) > 0 || p.Kind != v.Kind {
			return v, was, otherTests
		}
		return v, was, ""
	}
	for i, n := range was.Ran {
		name := l.old.name(n)
		if i >= len(run) || run[i] != name || v.Kind != fate.Killed && len(run) != len(was.Ran) {
			return v, was, otherTests
		}
		if e.touched[name] {
			return v, was, influenced
		}
	}
	for _, key := range was.Beyond {
		if e.Touches(key) {
			return v, was, influenced
		}
	}
	was.Ran = l.now.numbers(run[:len(was.Ran)])
	return v, was, ""
}

// plan returns which tests run with a fault. sure is false if the verdict may also depend on what ran before.
func (l *Ledger) plan(f site.Fault) (p scoring.Plan, run []string, sure bool) {
	bit, known := l.base.Bit(f.ID)
	if !known {
		return p, nil, false
	}
	p = l.base.Plan(bit, l.tests, scoring.How{})
	for _, i := range p.Run {
		run = append(run, l.tests[i].Test)
		if l.tests[i].Shaky {
			return p, run, false
		}
	}
	return p, run, !p.Once && !p.Init && p.Kind != fate.Init
}

// Judged records a verdict, with what it depends on.
func (l *Ledger) Judged(found judge.Evidence) {
	f, v := found.Fault, found.Verdict
	if l.now == nil || !slices.Contains([]string{fate.Killed, fate.Survived, fate.NotInfected, fate.NotReached}, v.Kind) {
		return
	}
	at, _, ok := l.place(f)
	p, run, sure := l.plan(f)
	if !ok || !sure {
		return
	}
	e := entry{Place: at, Verdict: v}
	switch e.Verdict.Fault = 0; {
	case v.Runs == 0 && len(run) == 0 && v.Kind == p.Kind:
	case !found.Watched || v.Runs < 1 || v.Runs > len(run):
		return
	case v.Kind == fate.Killed && run[v.Runs-1] != v.Test, v.Kind != fate.Killed && v.Runs != len(run):
		return
	default:
		e.Ran = l.now.numbers(run[:v.Runs])
	}
	for _, i := range found.Beyond {
		if i < 0 || i >= len(l.base.Funcs) {
			return
		}
		if key := function(l.base.Funcs[i]); key != "" {
			e.Beyond = append(e.Beyond, key)
		}
	}
	l.entries[at] = e
}

func (l *Ledger) place(f site.Fault) (p place, wide, ok bool) {
	flat := func(src string) string { return strings.Join(strings.Fields(src), " ") }
	key, token, wide, ok := l.source.Place(f)
	return place{key, token, f.Operator, flat(f.From), flat(f.To)}, wide, ok
}

// saving is locked while a file is read and replaced: the tests of a package may judge several packages at a time.
var saving sync.Mutex

// Save writes the verdicts about the present program. Those about other faults stay if the program is the same.
func (l *Ledger) Save() error {
	if l.now == nil {
		return nil
	}
	saving.Lock()
	defer saving.Unlock()
	if old := read(l.file); old != nil && old.same(l.now) {
		for at, e := range old.known() {
			if _, known := l.entries[at]; known {
				continue
			}
			var names []string
			for _, n := range e.Ran {
				names = append(names, old.name(n))
			}
			e.Ran = l.now.numbers(names)
			l.entries[at] = e
		}
	}
	l.now.Entries = slices.SortedFunc(maps.Values(l.entries), comparePlaces)
	return l.now.write(l.file)
}
