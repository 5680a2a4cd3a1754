//go:build go1.25

package judge

import (
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/scoring"
)

// A process has ended, and decide says what follows for its faults. A verdict is final if the state of the process cannot
// have been changed by an earlier fault in a way that matters. Four facts are enough to tell, and rows lists all their
// combinations.

// fact is a set of facts about the end of a process. A situation has one fact of each group.
type fact uint16

const (
	// How it ended.
	cutShort fact = 1 << iota // the command is to stop
	finished                  // it wrote that it has done its request, or that it must not go on
	died                      // in any other way

	// What it was doing.
	booting   // its initialisers run, with a fault that is on since it started
	idle      // no test runs
	running   // a test runs with a fault
	afterKill // the test that has just noticed a fault runs on the original program
	checkAll  // all tests run on the original program

	// How many faults it had judged.
	none
	one
	more

	// Whether a note says that the current run has panicked or spent its budget.
	noted
	notNoted
)

const (
	atWork   = idle | running | afterKill | checkAll
	anyCount = none | one | more
	anyNote  = noted | notNoted
)

// treatment is what is done with a verdict that no check of all tests has confirmed.
type treatment string

const (
	accept treatment = "accept" // it is final
	closed treatment = "closed" // it is final unless it is open: then the fault is judged again
	again  treatment = "again"  // the fault is judged again, in a smaller group
	alone  treatment = "alone"  // the fault is judged again, in a process of its own
	drop   treatment = "drop"   // nothing follows
)

// row says what follows from a situation.
type row struct {
	end, doing, count, note fact
	earlier, last           treatment // of the verdicts since all tests passed: all but the last one, and the last one
	judge                   bool      // the end of the process is the verdict about the fault that was on
}

// rows has exactly one row for each situation.
var rows = []row{
	// The command stops. Whether the test that was running would have passed is not known.
	{cutShort, booting, anyCount, anyNote, drop, drop, false},
	{cutShort, idle | running, anyCount, anyNote, closed, closed, false},
	{cutShort, afterKill, anyCount, anyNote, closed, drop, false},
	{cutShort, checkAll, anyCount, anyNote, drop, drop, false},

	// The process finished, or died while no test was running. No fault that was on has ended it.
	{finished, atWork, anyCount, anyNote, closed, closed, false},
	{died, idle, anyCount, anyNote, closed, closed, false},

	// A fault was on. If it is the first of its process, or if a note was written during its run, it has ended the
	// process. Otherwise it is tried once more, as the first of the next process.
	{finished | died, booting, anyCount, anyNote, drop, drop, true},
	{died, running, anyCount, noted, closed, closed, true},
	{died, running, none, notNoted, closed, closed, true},
	{died, running, one | more, notNoted, closed, closed, false},

	// A test does not pass on the original program. If one fault was judged, it has left something behind, and that is
	// how the test noticed it. Otherwise an earlier fault may have done that.
	{died, afterKill | checkAll, one, anyNote, accept, accept, false},
	{died, afterKill, none | more, anyNote, closed, alone, false},
	{died, checkAll, none | more, anyNote, again, again, false},
}

// holds reports whether the row is that of a situation.
func (r row) holds(situation fact) bool { return situation&^(r.end|r.doing|r.count|r.note) == 0 }

// outcome is what follows from the end of a process.
type outcome struct {
	verdicts []fate.Verdict
	again    []int // to be judged again in smaller groups
	alone    []int // to be judged again in a process of its own
	fresh    []int // to be judged in a process of its own, as a test reaches it once in a process
	boot     []int // to be judged in a process of its own, as initialisers reach it
	rest     []int // to be judged in the next process
}

// decide says what follows from the end of a process that had a task.
func decide(t task, e *ending) (out outcome) {
	s := readStory(e.lines)
	situation := s.situation(t, e)
	r := rows[slices.IndexFunc(rows, func(r row) bool { return r.holds(situation) })]
	out.rest = t.faults[min(s.count, len(t.faults)):]
	out.add(s.good...)
	last := max(0, len(s.since)-1)
	out.treat(r.earlier, s.since[:last])
	out.treat(r.last, s.since[last:])
	if r.judge {
		if situation&booting != 0 {
			out.add(bootVerdict(t.faults[0], e))
		} else {
			out.add(inFlight(s.at, s.noted, e))
		}
		out.rest = out.rest[min(1, len(out.rest)):]
	}
	return out
}

// story is what the lines of a process tell.
type story struct {
	good  []scoring.Line // verdicts before all tests last passed on the original program
	since []scoring.Line // verdicts after that
	count int            // of all verdicts
	at    scoring.Line   // what the process was doing
	noted *scoring.Line  // the note about the current run
}

func readStory(lines []scoring.Line) (s story) {
	for i, l := range lines {
		switch l.Event {
		case scoring.Note:
			s.noted = &lines[i]
			continue
		case scoring.Judged:
			s.since = append(s.since, l)
			s.count++
		case scoring.Good:
			s.good, s.since = append(s.good, s.since...), nil
		case scoring.Check:
			if passed(lines[i+1:]) {
				closeKills(s.since, l.Test)
			}
		case scoring.Start:
		default:
			continue
		}
		s.at, s.noted = l, nil
	}
	return s
}

// situation returns the facts about the end of a process.
func (s story) situation(t task, e *ending) fact {
	return pick(e.cut, cutShort, pick(e.has(scoring.Done) || e.has(scoring.Busy), finished, died)) |
		s.doing(t.boot && !e.has(scoring.Begin)) |
		pick(s.count == 0, none, pick(s.count == 1, one, more)) |
		pick(s.noted != nil, noted, notNoted)
}

func (s story) doing(boots bool) fact {
	switch {
	case boots:
		return booting
	case s.at.Event == scoring.Start:
		return running
	case s.at.Event == scoring.Check && s.at.Fault == scoring.NoFault:
		return checkAll
	case s.at.Event == scoring.Check:
		return afterKill
	}
	return idle
}

func pick(is bool, yes, no fact) fact {
	if is {
		return yes
	}
	return no
}

// passed reports whether a test passed, by the lines after the beginning of its run.
func passed(after []scoring.Line) bool {
	return len(after) > 0 && after[0].Event != scoring.Polluted && after[0].Event != scoring.Stuck && after[0].Event != scoring.Note
}

// closeKills notes that a test still passes on the original program.
func closeKills(since []scoring.Line, test string) {
	for i := range since {
		if since[i].Test == test {
			since[i].Open = false
		}
	}
}

// treat does with verdicts what a row says. If a verdict is open, its test has not shown that it still passes on the
// original program.
func (o *outcome) treat(how treatment, lines []scoring.Line) {
	for _, l := range lines {
		switch {
		case how == accept, how == closed && !l.Open:
			o.add(l)
		case how == again, how == closed:
			o.again = append(o.again, l.Fault)
		case how == alone:
			o.alone = append(o.alone, l.Fault)
		}
	}
}

// lost returns the faults that nothing follows for.
func (o *outcome) lost(faults []int) (left []int) {
	for _, id := range faults {
		known := slices.ContainsFunc(o.verdicts, func(v fate.Verdict) bool { return v.Fault == id })
		for _, list := range [][]int{o.again, o.alone, o.fresh, o.boot, o.rest} {
			known = known || slices.Contains(list, id)
		}
		if !known {
			left = append(left, id)
		}
	}
	return left
}

// add adds verdicts that are final.
func (o *outcome) add(lines ...scoring.Line) {
	for _, l := range lines {
		switch {
		case l.Once:
			o.fresh = append(o.fresh, l.Fault)
			continue
		case l.Init && l.Kind != fate.Killed:
			o.boot = append(o.boot, l.Fault)
			continue
		}
		o.verdicts = append(o.verdicts, fate.Verdict{Fault: l.Fault, Kind: l.Kind, By: l.By, Detail: l.Detail,
			Test: l.Test, Input: l.Input, Tests: l.Tests, Runs: l.Runs})
	}
}

// inFlight returns the verdict about a fault that was switched on when the process ended. A
// process that was ended from outside, or that ended itself because a run did not end, gives
// no verdict.
func inFlight(at scoring.Line, noted *scoring.Line, e *ending) scoring.Line {
	at.Event = scoring.Judged
	switch s := e.find(scoring.Stuck); {
	case noted != nil:
		at.Kind, at.By, at.Detail = fate.Killed, noted.By, noted.Detail
	case s != nil && e.death.Kind == proc.Deadlock && !e.silent: // the runtime has ended it, and knows
		at.Kind, at.By, at.Detail = fate.Killed, fate.ByDeadlock, e.death.Text
	case s != nil && s.Detail == scoring.Asleep:
		at.Kind, at.Detail = fate.NoVerdict, s.Detail+", perhaps for a timer"
	case s != nil:
		at.Kind, at.Detail = fate.NoVerdict, s.Detail
	case e.silent:
		at.Kind, at.Detail = fate.NoVerdict, "the process did not end"
	case e.death.Kind == proc.Killed, e.death.Kind == proc.Deadlock, e.death.Kind == proc.Hang:
		at.Kind, at.Detail = fate.NoVerdict, e.death.Text
	default:
		at.Kind, at.By, at.Detail = fate.Killed, fate.ByPanic, e.death.Text
	}
	return at
}

// bootVerdict returns the verdict about a fault with which the initialisers did not end.
func bootVerdict(fault int, e *ending) scoring.Line {
	l := inFlight(scoring.Line{Fault: fault}, nil, e)
	if l.Kind == fate.Killed && strings.Contains(e.death.Text+e.death.Err+e.death.Stack, hook.BootSpent) {
		l.By, l.Detail = fate.ByBudget, "the initialisers take too many steps"
	}
	return l
}
