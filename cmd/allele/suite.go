package main

import (
	"cmp"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/allele-go/allele/internal/ops/event"
)

// suite is the properties of a campaign and the lanes that they share: as many
// processes run at a time as there are lanes. Within a budget they take turns, and a
// process whose turn is over rests, with all that it knows.
type suite struct {
	*campaign
	members  []*member
	accounts []*account // of members
	lanes    []lane
	turn     time.Duration // 0 if each is run to its end
	even     bool          // for an experiment
	looked   time.Time
	shown    time.Time
}

// member is a property in a suite.
type member struct {
	property
	*account
	crew     *crew
	begun    bool
	done     chan struct{} // closed when it is over
	result   result
	err      error
	features int     // seen so far
	newAt    float64 // of its time, when there were more than before
	state    event.State
}

// lane is what one process may take of the machine.
type lane struct {
	member *member // nil if it is free
	seat   int
	until  time.Time
	leaves bool // its seat was told to rest
}

const (
	turnLooks = 20 * time.Millisecond
	turnLeast = 200 * time.Millisecond
	turnMost  = 5 * time.Second
	// turns is how many each property gets, at least, if all are alike.
	turns = 10
	// beginTurns is how many turns more it may take to begin: what is kept is run first.
	beginTurns = 4
	// showEvery is how often numbers are told of who runs.
	showEvery = 250 * time.Millisecond
	// liveMost is how many processes may be there at a time, beside those that run:
	// each holds what it knows in memory.
	liveMost = 16
	// quietLeast is how long nothing new must have been found, at least, before a
	// property is called quiet; it is half of its time if that is more.
	quietLeast = 10 * time.Second
)

// lanesWanted is how many processes run at a time. A seed promises the same runs, and
// a log is of one process.
func (c *campaign) lanesWanted() int {
	if c.workers == 0 && c.budget > 0 && c.seed == nil && c.log == "" {
		return min(runtime.GOMAXPROCS(0), workersMost)
	}
	return max(1, c.workers)
}

func (c *campaign) newSuite(props []property) *suite {
	lanes := c.lanesWanted()
	s := &suite{campaign: c, lanes: make([]lane, lanes), even: os.Getenv("ALLELE_SUITE") == "even"}
	for _, p := range props {
		a := &account{}
		s.accounts = append(s.accounts, a)
		s.members = append(s.members, &member{property: p, account: a, crew: c.newCrew(p, lanes), done: make(chan struct{}), state: event.Waiting})
	}
	if c.budget > 0 {
		each := c.budget * time.Duration(lanes) / time.Duration(max(1, len(props)))
		s.turn = min(max(each/turns, turnLeast), turnMost)
	}
	return s
}

// run runs all properties, tells of them, and reports whether one failed.
func (s *suite) run() (failed bool, err error) {
	if s.budget > 0 {
		s.until = time.Now().Add(s.budget)
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
				s.processes.stop()
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
		if s.budget > 0 && m.over {
			s.keep(m)
		}
	}
	return failed, nil
}

// left is how many properties are under way or wait.
func (s *suite) left() (n int) {
	ending := s.stopped() || s.late()
	for _, m := range s.members {
		if !m.over && (m.begun || !ending) {
			n++
		}
	}
	return n
}

// late reports whether the budget is spent.
func (c *campaign) late() bool { return !c.until.IsZero() && !time.Now().Before(c.until) }

// account notes how time went by and what was found in it.
func (s *suite) account(now time.Time) {
	pass(s.accounts, now.Sub(s.looked).Seconds(), max(s.turn.Seconds(), 1), len(s.lanes), s.even)
	s.looked = now
	for _, m := range s.members {
		if m.lanes == 0 || m.over {
			continue // nothing is new
		}
		n := m.crew.now()
		m.ready = n.Passed+n.Discarded > 0
		if n.Features > m.features {
			m.gain += float64(n.Features - m.features)
			m.features, m.newAt = n.Features, m.used
		}
		m.told = m.crew.found() > 0
	}
}

// finish takes what came of a member that has come to its end.
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
	for _, id := range r.Sites {
		s.reached[id] = true
	}
	if s.budget > 0 {
		r.Seconds = m.used
	}
	r.Kind, r.Failures = event.Finished, m.crew.found()
	s.tell(m.property, r.Event)
	if s.budget == 0 {
		s.keep(m)
	}
	return r.failed, nil
}

// keep writes down what came of a member. Within a budget that waits for the end: it
// takes a while, and others have their turns meanwhile.
func (s *suite) keep(m *member) {
	s.remember(m.property, m.result)
	if s.saves {
		s.save(m.property, m.result)
	}
}

// free takes lanes back whose turn is over.
func (s *suite) free(now time.Time) {
	for i := range s.lanes {
		l := &s.lanes[i]
		switch {
		case l.member == nil:
		case l.member.over, l.leaves && l.member.crew.atRest(l.seat):
			if l.member.lanes--; l.member.lanes == 0 {
				l.member.fade()
			}
			*l = lane{}
		case s.turn > 0 && !l.leaves && now.After(l.until) && (l.member.ready || now.After(l.until.Add(beginTurns*s.turn))):
			if s.wanted(l.member) {
				l.member.crew.revoke(l.seat)
				l.leaves = true
			} else {
				l.member.fade()
				l.until = now.Add(s.turn)
			}
		}
	}
}

// wanted reports whether somebody else should have a lane of a member.
func (s *suite) wanted(m *member) bool {
	m.lanes--
	defer func() { m.lanes++ }()
	n := s.choose()
	return n >= 0 && s.members[n] != m
}

// hand gives free lanes away.
func (s *suite) hand(now time.Time) {
	for i := range s.lanes {
		if s.lanes[i].member != nil {
			continue
		}
		n := s.choose()
		if n < 0 {
			return
		}
		m := s.members[n]
		seat := s.freeSeat(m)
		s.makeRoom(m)
		s.lanes[i] = lane{member: m, seat: seat, until: now.Add(s.turn)}
		m.lanes++
		m.crew.grant(seat)
		if !m.begun {
			m.begun = true
			go func() {
				defer close(m.done)
				m.result, m.err = m.crew.search()
			}()
		}
	}
}

// choose is who gets a free lane. Without a budget it is the first that is not over:
// all lanes are for it.
func (s *suite) choose() int {
	most := func(i int) int { return s.members[i].crew.workers }
	if s.turn > 0 {
		return next(s.accounts, s.turn.Seconds(), most)
	}
	i := slices.IndexFunc(s.accounts, func(a *account) bool { return !a.over })
	if i < 0 || s.accounts[i].lanes >= most(i) {
		return -1
	}
	return i
}

// freeSeat is the first seat of a member that holds no lane.
func (s *suite) freeSeat(m *member) int {
	for seat := 0; ; seat++ {
		if !slices.ContainsFunc(s.lanes, func(l lane) bool { return l.member == m && l.seat == seat }) {
			return seat
		}
	}
}

// makeRoom asks the process that rests and is worth the least to end, if there are
// many. What it has kept is on disk, and its search goes on from there.
func (s *suite) makeRoom(but *member) {
	live := 0
	var rests []*member
	for _, m := range s.members {
		n, resting := m.crew.live()
		live += n
		if resting && m.lanes == 0 && m != but {
			rests = append(rests, m)
		}
	}
	if live < liveMost+len(s.lanes) || len(rests) == 0 {
		return
	}
	slices.MinFunc(rests, func(a, b *member) int { return cmp.Compare(a.credit, b.credit) }).crew.evictAll()
}

// progress tells how far everybody is.
func (s *suite) progress(now time.Time) {
	ticks := now.Sub(s.shown) >= showEvery
	if ticks {
		s.shown = now
	}
	for _, m := range s.members {
		state := m.now()
		if changed := state != m.state; m.over || !changed && !(ticks && m.lanes > 0) {
			continue
		}
		m.state = state
		n := m.crew.now()
		s.tell(m.property, event.Event{Kind: event.Progress, State: state, Runs: n.Passed + n.Discarded, Passed: n.Passed, Discarded: n.Discarded, Paths: n.Paths,
			Features: n.Features, Kept: n.Kept, Seconds: m.used, Quiet: m.used - m.newAt, Failures: m.crew.found(), Workers: m.lanes})
	}
}

// now is the state of a member.
func (m *member) now() event.State {
	quiet := time.Duration((m.used - m.newAt) * float64(time.Second))
	switch {
	case m.crew.found() > 0:
		return event.Broken
	case quiet > max(quietLeast, time.Duration(m.used/2*float64(time.Second))):
		return event.Quiet
	case m.lanes == 0:
		return event.Waiting
	}
	return event.Running
}

// runAll runs all properties and tells what came of the campaign.
func (c *campaign) runAll(props []property) (failed bool, err error) {
	start := time.Now()
	s := c.newSuite(props)
	if failed, err = s.run(); err != nil {
		return failed, err
	}
	end := event.Event{Kind: event.Finished, Seconds: time.Since(start).Seconds(), Workers: len(s.lanes)}
	tried := 0
	for _, m := range s.members {
		end.Runs += m.result.Runs
		end.Failures += m.crew.found()
		if m.begun {
			tried++
		}
	}
	if c.stopped() {
		c.tell(property{}, event.Event{Kind: event.Stopped, Text: c.goOn(len(props) - tried)})
	}
	c.tell(property{}, end)
	return failed, nil
}
