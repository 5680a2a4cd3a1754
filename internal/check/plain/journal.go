//go:build go1.25

package plain

import (
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/allele-go/allele/internal/check/finding"
	"github.com/allele-go/allele/internal/check/isolated"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/words"
)

// temp is the folder for temporary files when the process starts. A test may change it later.
var temp = os.TempDir()

// journal is the journal of this process; nil if there is none.
var journal struct {
	sync.Mutex
	*proc.Journal
	root any      // the test that encloses all tests, which removes the journal
	left []string // journals of processes that had died before this one began
}

// enter makes an entry for a property in the journal of this process. It returns nil if the
// system has no journals, or if the end of the last test cannot be noticed: nothing must be
// left behind by a process that ends normally.
func enter(p *property.Property) *proc.Entry {
	root, ok := rootOf(p.TB)
	if !ok {
		return nil
	}
	journal.Lock()
	defer journal.Unlock()
	if journal.root != root { // also true for each repetition with -count
		// Without a journal, an input may be lost. That is no reason to fail.
		j, left, _ := proc.NewJournal(proc.JournalPath(temp, property.Home, p.Place.Tested()))
		journal.Journal, journal.root, journal.left = j, root, left
		if j != nil {
			root.Cleanup(j.Remove)
		}
	}
	c := p.Config
	return journal.Enter(p.Name, proc.Search{Seed: c.Seed, Size: uint64(c.Size), Tests: uint64(c.Tests)})
}

// root is the test that package testing runs all tests in. Its cleanups are called when all
// tests have ended.
type root interface{ Cleanup(func()) }

// rootOf returns the root of a test. A test has no public method for it, so rootOf reads the
// field parent of a testing.T. It reports false if there is no such field. Benchmarks and fuzz
// targets have roots whose cleanups are not called.
func rootOf(t testing.TB) (root, bool) {
	if _, ok := t.(*testing.T); !ok || !strings.HasPrefix(t.Name(), "Test") {
		return nil, false
	}
	common := reflect.ValueOf(t).Elem().FieldByName("common")
	if !common.IsValid() {
		return nil, false
	}
	parent, ok := common.Type().FieldByName("parent")
	if !ok || parent.Type != reflect.PointerTo(common.Type()) {
		return nil, false
	}
	at := unsafe.Pointer(common.UnsafeAddr())
	for {
		up := *(*unsafe.Pointer)(unsafe.Add(at, parent.Offset))
		if up == nil {
			break
		}
		at = up
	}
	r, ok := reflect.NewAt(common.Type(), at).Interface().(root)
	return r, ok
}

// recorded is the runner of this process. It stores each term in the journal before the run.
type recorded struct {
	property.Local
	entry *proc.Entry
}

func (r recorded) One(x term.Term, detail bool) property.Outcome {
	r.entry.Begin(0, x.Memory())
	return r.Local.One(x, detail)
}

// tryDied runs the input that an earlier process was running when it died. The cause may be
// the input, or something else: somebody may have killed the process. So the input is run in
// child processes. If it fails there, it is stored, shrunk and reported like any failure.
// tryDied returns false then.
func tryDied(p *property.Property, h *finding.Handler) bool {
	p.TB.Helper()
	for _, file := range journal.left {
		if u, ok := proc.Died(file, p.Name); ok {
			handled, passed := died(p, h, u)
			u.Close(handled)
			if !passed {
				return false
			}
		}
	}
	return true
}

// died reports whether the inputs of a process that died were handled, and whether none of
// them fails.
func died(p *property.Property, h *finding.Handler, u proc.Unfinished) (handled, passed bool) {
	p.TB.Helper()
	x, run, o, ok := culprit(p, candidates(p, u))
	if !ok {
		p.Logf("an earlier go test ended during a run of this property; its last inputs do not fail when they are run alone")
		return true, true
	}
	tries, flaky, err := 1, false, error(nil)
	if finding.Misuse(o) == "" { // misuse is an error, however often it shows
		if o, flaky, err = h.Confirm(x, tries); err == nil && !o.Failed() {
			tries = diedTries
			o, flaky, err = h.Confirm(x, tries)
		}
	}
	if err != nil || !o.Failed() {
		return true, true
	}
	f := h.New(x, o, finding.History{Run: run, From: fromDied(run)})
	f.Sign, f.Flaky, f.Tries = finding.Sign(o), flaky, tries
	h.Confirmed(&f)
	return f.Unsaved == nil, false
}

const (
	// diedTries is how often an input is run on several cores, if it does not fail on one.
	diedTries = 100
	// diedTime bounds how long the last inputs of a process that died are run. Most of these
	// processes were interrupted, and their inputs pass.
	diedTime = 2 * time.Second
)

// candidate is an input that may have ended a process.
type candidate struct {
	term term.Term
	run  int
}

// candidatesMax bounds how many of the last inputs are run again. When a goroutine panicked
// after it had let its property return, the process ended in one of the next two runs, in
// 12 of 12 trials.
const candidatesMax = 50

// candidates returns the last inputs of a process that died, the last one first. Inputs that
// are not in the journal are generated again.
func candidates(p *property.Property, u proc.Unfinished) (all []candidate) {
	copied := map[int]term.Term{}
	for _, in := range u.Inputs {
		x, err := operand.ParseTerm(p.World, in.Data)
		if err != nil {
			break // the type has changed, or the older inputs are overwritten
		}
		if u.Run == 0 && len(all) < candidatesMax {
			all = append(all, candidate{x, in.Run})
		}
		if _, newer := copied[in.Run]; !newer {
			copied[in.Run] = x
		}
	}
	conf := EngineConfig(p)
	if u.Search.Size != uint64(conf.Size) {
		return all // the odds of the constructors depend on the size
	}
	conf.Seed, conf.Tests = u.Search.Seed, int(u.Search.Tests)
	e := engine.New(conf)
	for run := u.Run; run > max(0, u.Run-candidatesMax); run-- {
		x, ok := copied[run]
		if !ok {
			x = e.Current.Again(run)
		}
		all = append(all, candidate{x, run})
	}
	return all
}

// culprit returns the first of the inputs that fails when it is run in a child process, on one
// core and then on several. A run that does not end is not a failure: it may be slow, and
// somebody may have interrupted it.
func culprit(p *property.Property, all []candidate) (x term.Term, run int, o property.Outcome, ok bool) {
	end := time.Now().Add(diedTime)
	for _, tries := range []int{1, diedTries} {
		r := isolated.New(p, tries)
		defer r.Close()
		for i, c := range all {
			if i > 0 && time.Now().After(end) {
				break
			}
			o := r.One(c.term, true)
			if r.Err != nil || o.Hung || o.Kind() == proc.Hang {
				return nil, 0, o, false
			}
			if o.Failed() {
				return c.term, c.run, o, true
			}
		}
	}
	return nil, 0, o, false
}

// fromDied returns the origin that is printed for an input of a process that died.
func fromDied(run int) string {
	if run == 0 {
		return "an earlier go test, whose process it ended"
	}
	return "run " + words.Group(run) + " of an earlier go test, whose process it ended"
}
