//go:build go1.25

package engine

import "github.com/allele-go/allele/internal/value/term"

// plan is a Schedule with its ways in place of their names.
type plan []stage

type stage struct {
	rolls   bool
	choices []choice
}

type choice struct {
	way   way
	below int // the side of the die from which on it is the turn of the next choice
	other way // asked if way has nothing to propose
}

// planner makes the ways of a schedule, each once.
type planner struct {
	with  *shared
	table map[string]func(*shared) way
	made  map[string]way
	all   []way // in the order of their first mention
}

func newPlanner(s *shared, table map[string]func(*shared) way) planner {
	return planner{with: s, table: table, made: map[string]way{}}
}

// check panics if a schedule cannot be planned, or if an experiment uses a name of the table. It is called when the
// search is made, because a schedule is planned later, or never if the opening finds a bug.
func (p *planner) check(s Schedule) {
	for name := range p.with.config.Experiment.Ways {
		if p.table[name] != nil {
			panic("engine: there is a way called " + name + " already")
		}
	}
	for _, from := range s {
		taken := 0
		for _, share := range from {
			for _, name := range []string{share.Way, share.Else} {
				if name != "" && p.table[name] == nil && p.with.config.Experiment.Ways[name] == nil {
					panic("engine: no way for this schedule is called " + name)
				}
			}
			if taken >= Rest {
				panic("engine: no sides of the die are left for the way " + share.Way)
			}
			taken += share.Sides
		}
	}
}

func (p *planner) way(name string) way {
	w := p.made[name]
	if w == nil {
		if made := p.table[name]; made != nil {
			w = made(p.with)
		} else {
			w = newAdded(p.with, p.with.config.Experiment.Ways[name])
		}
		p.made[name] = w
		p.all = append(p.all, w)
	}
	return w
}

// plan makes the ways of a schedule.
func (p *planner) plan(s Schedule) (all plan) {
	for _, from := range s {
		to := stage{rolls: len(from) > 1 || from[0].Sides > 0}
		below := 0
		for _, share := range from {
			below += share.Sides
			to.choices = append(to.choices, choice{p.way(share.Way), below, nil})
		}
		for i, share := range from {
			if share.Else != "" {
				to.choices[i].other = p.way(share.Else)
			} else if last := len(from) - 1; i < last {
				to.choices[i].other = to.choices[last].way
			}
		}
		all = append(all, to)
	}
	return all
}

// ask returns the next term, where it comes from, and the way that has made it. The term is nil if no way
// has anything to propose.
func (p plan) ask(now *turn) (t term.Term, from origin, by way) {
	for i := range p {
		c := p[i].choose(now)
		if c == nil {
			continue
		}
		if t, from = c.way.propose(now); t != nil {
			return t, from, c.way
		}
		if c.other == nil {
			continue
		}
		if t, from = c.other.propose(now); t != nil {
			return t, from, c.other
		}
	}
	return nil, origin{}, nil
}

// choose returns the choice that is asked, or nil if the stage is skipped.
func (s *stage) choose(now *turn) *choice {
	ready := false
	for i := range s.choices {
		ready = ready || s.choices[i].way.ready()
	}
	if !ready {
		return nil
	}
	if !s.rolls {
		return &s.choices[0]
	}
	side := now.dice.Below(64)
	for i := range s.choices {
		if side < s.choices[i].below {
			return &s.choices[i]
		}
	}
	return nil
}
