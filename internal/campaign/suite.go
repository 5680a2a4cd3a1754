//go:build go1.25

package campaign

import (
	"cmp"
	"slices"
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
)

// suite is the properties of a campaign and the cpus that they share: at most one
// process runs for each cpu. Within a budget properties take turns. A process whose
// turn is over rests and keeps its search in memory.
type suite struct {
	*Campaign
	members  []*member
	accounts []*account // of the members, in the same order
	cpus     []cpu
	turn     time.Duration // 0 if each property is run to its end
	looked   time.Time     // when the accounts were last updated
	shown    time.Time     // when progress was last reported
}

// member is a property in a suite.
type member struct {
	Property
	*account
	search   *propertySearch
	begun    bool
	done     chan struct{} // closed when it is over
	result   Result
	err      error
	features int     // number of features seen so far
	newAt    float64 // the value of ran at the last new feature
	replays  bool    // it has run saved inputs of earlier campaigns again
	state    event.State
}

// cpu is the right to run one process. The user may ask for more cpus than the machine
// has processors.
type cpu struct {
	member *member // nil if it is free
	worker int
	until  time.Time
	leaves bool // its worker was asked to rest
}

const (
	turnLooks = 20 * time.Millisecond // time between two checks of the members
	turnMin   = 200 * time.Millisecond
	turnMax   = 5 * time.Second
	// turns is how many turns each property should get, if all find equally much. The
	// bounds turnMin and turnMax of a turn may change this number.
	turns = 10
	// A property that has not yet started to search keeps its cpu for up to beginTurns
	// more turns, because it runs the corpus first.
	beginTurns = 4
	// showEvery is how often the progress of a running property is reported.
	showEvery = 250 * time.Millisecond
	// liveMax is how many resting processes may exist at a time: each has its search
	// in memory.
	liveMax = 16
	// A property is quiet if it found nothing new for quietMin or for half of its time,
	// whichever is longer.
	quietMin = 10 * time.Second
)

func (c *Campaign) newSuite(props []Property) *suite {
	cpus := c.CPUs()
	s := &suite{Campaign: c, cpus: make([]cpu, cpus)}
	for _, p := range props {
		a := &account{}
		s.accounts = append(s.accounts, a)
		s.members = append(s.members, &member{Property: p, account: a, search: c.newSearch(p, cpus),
			done: make(chan struct{}), state: event.Waiting})
	}
	if budget := c.Search.Budget; budget > 0 {
		each := budget * time.Duration(cpus) / time.Duration(max(1, len(props)))
		s.turn = min(max(each/turns, turnMin), turnMax)
	}
	return s
}

// run runs all properties and reports whether any of them failed.
func (s *suite) run() (failed bool, err error) {
	if s.Search.Budget > 0 {
		s.until = time.Now().Add(s.Search.Budget)
	}
	s.looked = time.Now()
	tick := time.NewTicker(turnLooks)
	defer tick.Stop()
	for {
		now := time.Now()
		s.account(now)
		for _, m := range s.members {
			bad, err := s.finish(m)
			if err != nil {
				s.Processes.Stop()
				return failed, err
			}
			failed = failed || bad
		}
		if s.left() == 0 {
			break
		}
		s.free(now)
		if !s.stopped() && !s.late() {
			s.hand(now)
		}
		s.progress(now)
		<-tick.C
	}
	for _, m := range s.members {
		failed = failed || !m.begun && !s.stopped() // the budget was spent before its first run
		if s.Search.Budget > 0 && m.over {
			s.keep(m)
		}
	}
	return failed, nil
}

// left returns how many properties still run or wait for a cpu. When the campaign
// ends, properties that have not begun do not count.
func (s *suite) left() (n int) {
	ending := s.stopped() || s.late()
	for _, m := range s.members {
		if !m.over && (m.begun || !ending) {
			n++
		}
	}
	return n
}

// account updates the accounts with the time since the last call and the new features.
func (s *suite) account(now time.Time) {
	interval{seconds: now.Sub(s.looked).Seconds(), turn: max(s.turn.Seconds(), 1), cpus: len(s.cpus)}.pass(s.accounts)
	s.looked = now
	for _, m := range s.members {
		if m.cpus == 0 || m.over {
			continue // without a cpu it cannot have found anything
		}
		n := m.search.seen()
		m.ready, m.replays = n.Passed+n.Discarded > 0, n.Replayed > 0
		if n.Features > m.features {
			m.gain += float64(n.Features - m.features)
			m.features, m.newAt = n.Features, m.ran
		}
		m.failed = m.search.found() > 0
	}
}

// finish reports the result of a member whose search is over.
func (s *suite) finish(m *member) (failed bool, err error) {
	select {
	case <-m.done:
	default:
		return false, nil
	}
	if m.over {
		return false, nil
	}
	m.over = true
	if m.err != nil {
		return false, m.err
	}
	r := &m.result
	if s.Search.Budget > 0 {
		r.Seconds = m.used
	}
	r.Failures = m.search.found()
	s.report(m.Property, r.Finished)
	if s.Search.Budget == 0 {
		s.keep(m)
	}
	return r.Failed, nil
}

// keep records the result of a member. Within a budget it is called at the end of the
// campaign, because it may take a while and other members need their turns.
func (s *suite) keep(m *member) {
	s.Listener.Record(m.Property, m.result)
	if s.Search.Save {
		s.save(m.Property, m.result)
	}
}

// free takes back the cpus of members whose turn is over.
func (s *suite) free(now time.Time) {
	for i := range s.cpus {
		u := &s.cpus[i]
		switch {
		case u.member == nil:
		case u.member.over, u.leaves && u.member.search.resting(u.worker):
			if u.member.cpus--; u.member.cpus == 0 {
				u.member.fade()
			}
			*u = cpu{}
		case s.turn > 0 && !u.leaves && now.After(u.until) && (u.member.ready || now.After(u.until.Add(beginTurns*s.turn))):
			if s.wanted(u.member) {
				u.member.search.revoke(u.worker)
				u.leaves = true
			} else {
				u.member.fade()
				u.until = now.Add(s.turn)
			}
		}
	}
}

// wanted reports whether another member should get one of the cpus that member m holds.
func (s *suite) wanted(m *member) bool {
	m.cpus--
	defer func() { m.cpus++ }()
	n := s.choose()
	return n >= 0 && s.members[n] != m
}

// hand gives free cpus to members.
func (s *suite) hand(now time.Time) {
	for i := range s.cpus {
		if s.cpus[i].member != nil {
			continue
		}
		n := s.choose()
		if n < 0 {
			return
		}
		m := s.members[n]
		worker := s.freeWorker(m)
		s.makeRoom(m)
		s.cpus[i] = cpu{member: m, worker: worker, until: now.Add(s.turn)}
		m.cpus++
		m.search.grant(worker)
		if !m.begun {
			m.begun = true
			go func() {
				defer close(m.done)
				m.result, m.err = m.search.search()
			}()
		}
	}
}

// choose returns which member gets a free cpu. Without a budget the first member that
// is not over gets all cpus.
func (s *suite) choose() int {
	cpusMax := func(i int) int { return s.members[i].search.size() }
	if s.turn > 0 {
		return next(s.accounts, s.turn.Seconds(), cpusMax)
	}
	i := slices.IndexFunc(s.accounts, func(a *account) bool { return !a.over })
	if i < 0 || s.accounts[i].cpus >= cpusMax(i) {
		return -1
	}
	return i
}

// freeWorker returns the number of a member's first worker that holds no cpu.
func (s *suite) freeWorker(m *member) int {
	for worker := 0; ; worker++ {
		if !slices.ContainsFunc(s.cpus, func(u cpu) bool { return u.member == m && u.worker == worker }) {
			return worker
		}
	}
}

// makeRoom ends processes if too many exist. Of all resting members, except the one
// passed as but, it chooses the member with the least credit, and asks its processes to
// exit. The corpus of this member is on disk, and its search continues from there.
func (s *suite) makeRoom(but *member) {
	live := 0
	var rests []*member
	for _, m := range s.members {
		n, resting := m.search.live()
		live += n
		if resting && m.cpus == 0 && m != but {
			rests = append(rests, m)
		}
	}
	if live < liveMax+len(s.cpus) || len(rests) == 0 {
		return
	}
	slices.MinFunc(rests, func(a, b *member) int { return cmp.Compare(a.credit, b.credit) }).search.evictAll()
}

// progress reports the counts and states of the members.
func (s *suite) progress(now time.Time) {
	ticks := now.Sub(s.shown) >= showEvery
	if ticks {
		s.shown = now
	}
	for _, m := range s.members {
		state := m.current()
		if changed := state != m.state; m.over || !changed && !(ticks && m.cpus > 0) {
			continue
		}
		m.state = state
		n := m.search.seen()
		s.report(m.Property, event.Progress{State: state, Counts: counts(n), Seconds: m.used, Quiet: m.ran - m.newAt,
			Failures: m.search.found(), Workers: m.cpus})
	}
}

// counts returns the counts of a process that has not finished.
func counts(n proc.Seen) event.Counts {
	return event.Counts{Runs: n.Passed + n.Discarded, Passed: n.Passed, Discarded: n.Discarded, Distinct: n.Distinct,
		Resumed: event.Resumed{Inputs: n.Replayed}, Paths: n.Paths, Features: n.Features, Kept: n.Kept}
}

// current returns the current state of a member.
func (m *member) current() event.State {
	quiet := time.Duration((m.ran - m.newAt) * float64(time.Second))
	switch {
	case m.search.finds.shrinking():
		return event.Shrinking
	case m.search.found() > 0:
		return event.Broken
	case quiet > max(quietMin, time.Duration(m.ran/2*float64(time.Second))):
		return event.Quiet
	case m.cpus == 0:
		return event.Waiting
	case m.replays && !m.ready:
		return event.Replaying
	}
	return event.Running
}
