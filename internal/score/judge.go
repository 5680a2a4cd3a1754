//go:build go1.25

package score

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/site"
)

// ErrStopped is the error of a member that was interrupted.
var ErrStopped = errors.New("interrupted")

// Run is how a package is judged.
type Run struct {
	Cache   Cache
	Stopped func() bool    // whether the user has interrupted the command; nil means never
	Show    func(Progress) // called when something has changed; nil shows nothing
}

// Judge asks the members about the faults, one member after the other, and sets Results. It
// sorts the faults and the members. Verdicts are saved in the cache also if the user
// interrupts or kills the command, so the next Judge continues there.
func (p *Package) Judge(run Run) {
	slices.SortStableFunc(p.Faults, comparePlaces)
	if p.Keys == nil {
		p.Keys = Keys(p.Faults)
	}
	p.Members = order(p.Members)
	p.Cached = len(p.Members) > 0 && len(p.Faults) > 0
	seen := &tally{Progress: Progress{Total: len(p.Faults)}, show: run.Show, killed: map[int]bool{}}
	for i, m := range p.Members {
		m.verdicts, m.left, m.empty = run.Cache.read(m, p.Faults)
		seen.start(m, i == len(p.Members)-1)
		if asked := m.ask(p.left(i), run, seen); asked {
			p.Cached = false
		}
	}
	p.Results = make([]Result, len(p.Faults))
	for i, f := range p.Faults {
		p.Results[i] = p.merge(f.ID)
	}
}

// left returns the faults that the members before i have not killed.
func (p *Package) left(i int) (left []site.Fault) {
	for _, f := range p.Faults {
		if !slices.ContainsFunc(p.Members[:i], func(m *Member) bool {
			v, ok := m.verdict(f.ID)
			return ok && decided(v)
		}) {
			left = append(left, f)
		}
	}
	return left
}

// tally counts verdicts for those who watch.
type tally struct {
	Progress
	show   func(Progress)
	last   bool // the current member is the last one
	killed map[int]bool
	before Progress // when the current member was asked
}

// start begins with a member.
func (t *tally) start(m *Member, last bool) {
	if t.Member, t.last = m.Name, last; m.Kind == Tests {
		t.Member = string(Tests)
	}
	t.before, t.Test = t.Progress, ""
	t.changed()
}

// guess shows verdicts that may not be final.
func (t *tally) guess(seen Progress) {
	judged := seen.Judged
	if !t.last {
		judged = seen.Killed
	}
	t.Test, t.Tested, t.Tests = seen.Test, seen.Tested, seen.Tests
	at := t.Progress
	at.Judged = max(at.Judged, min(t.before.Judged+judged, at.Total))
	at.Killed = max(at.Killed, min(t.before.Killed+seen.Killed, at.Total))
	if t.show != nil {
		t.show(at)
	}
}

func (t *tally) add(v fate.Verdict) {
	if v.Kind == fate.Killed && !t.killed[v.Fault] {
		t.killed[v.Fault] = true
		t.Killed++
	}
	if t.last || decided(v) {
		t.Judged++
	}
	t.changed()
}

func (t *tally) changed() {
	if t.show != nil {
		t.show(t.Progress)
	}
}

// saveEvery is how often verdicts are saved. If the command is killed, those since then are
// lost.
const saveEvery = 5 * time.Second

// sometimes returns a function that takes a verdict, and saves all verdicts from time to time.
func sometimes(take func(fate.Verdict), save func()) func(fate.Verdict) {
	var saving sync.Mutex
	last := time.Now()
	return func(v fate.Verdict) {
		take(v)
		if !saving.TryLock() {
			return // another goroutine does it
		}
		defer saving.Unlock()
		if time.Since(last) >= saveEvery {
			save()
			last = time.Now()
		}
	}
}

// ask asks a member about those of the faults that it has no verdict about, and caches its
// verdicts. It returns false if there was nothing to ask.
func (m *Member) ask(faults []site.Fault, run Run, seen *tally) (asked bool) {
	open := map[int]bool{}
	var list []site.Fault
	for _, f := range faults {
		if v, ok := m.verdict(f.ID); ok {
			seen.add(v)
		} else {
			open[f.ID] = true
			list = append(list, f)
		}
	}
	if len(list) == 0 {
		return false
	}
	if run.stopped() {
		return true
	}
	seen.before = seen.Progress
	answer := m.answer(open, seen)
	answer.Verdict = sometimes(answer.Verdict, func() { run.Cache.write(m, list) })
	answer.Base, answer.Faults = run.Cache.base(m), faults
	answer.Ledger, answer.Fresh = run.Cache.ledger(m), run.Cache.Fresh
	err := m.Ask(drawn(list), answer)
	run.Cache.write(m, list)
	if !errors.Is(err, ErrStopped) && !run.stopped() {
		m.giveUp(list, err)
	}
	return true
}

// answer returns what receives the answers about the open faults.
func (m *Member) answer(open map[int]bool, seen *tally) Answer {
	locked := func(do func()) {
		m.mu.Lock()
		defer m.mu.Unlock()
		do()
	}
	return Answer{
		Verdict: func(v fate.Verdict) {
			locked(func() {
				if open[v.Fault] && valid(v) { // a test binary may write anything
					delete(open, v.Fault)
					m.verdicts[v.Fault] = v
					seen.add(v)
				}
			})
		},
		Left:   func(test, why string) { locked(func() { m.left[test] = why }) },
		Empty:  func() { locked(func() { m.empty = true }) },
		Spent:  func(test string, cpu time.Duration) { locked(func() { m.spend(test, cpu) }) },
		Reused: func(r Reused) { locked(func() { m.reused = r }) },
		Seen:   func(p Progress) { locked(func() { seen.guess(p) }) },
	}
}

func (r Run) stopped() bool { return r.Stopped != nil && r.Stopped() }

// giveUp records that faults without a verdict cannot be judged. This is not cached: the next
// run may have more luck.
func (m *Member) giveUp(faults []site.Fault, err error) {
	why := "the tests ended without a verdict"
	if err != nil {
		why = err.Error()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range faults {
		if _, ok := m.verdicts[f.ID]; !ok {
			m.verdicts[f.ID] = fate.Verdict{Fault: f.ID, Kind: fate.NoVerdict, Detail: why}
		}
	}
}

var killers = []string{fate.ByProperty, fate.ByDifference, fate.ByPanic, fate.ByBudget, fate.ByTest, fate.ByDeadlock}

// valid reports whether the words of a verdict are known.
func valid(v fate.Verdict) bool {
	if v.Kind == fate.Killed {
		return slices.Contains(killers, v.By)
	}
	return ranks[v.Kind] > 0 && v.By == "" && v.Tests >= 0 && v.Runs >= 0
}
