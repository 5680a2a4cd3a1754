//go:build go1.25

package plain

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/search/slow"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/words"
)

// A run that is slow ends, but not in time. It is abandoned and noted: it shows no bug, and
// nothing is stored. Inputs that would be as slow are left out from then on.

// slowMax is how many runs of a Check are abandoned before the Check ends: each of them leaves a
// goroutine behind, which uses a processor and memory.
const slowMax = 4

// slowRuns is what a search knows about slow runs.
type slowRuns struct {
	runs    []int // their numbers
	bounds  []slow.Bound
	current slow.Bound // of the run that is abandoned next
	text    string     // about the run that was abandoned just now; empty if there is none
}

// Examine reports whether the current run is slow.
func (s *unprobed) Examine(e property.Examination) bool {
	begin := time.Now()
	passed, ok := control(s, e)
	if !ok || e.Took+time.Since(begin) < s.Prop.Pace.Limit() { // control may have raised the limit
		return false
	}
	b, ok := slow.Find(slow.Config{World: s.Prop.World, Control: passed, Over: e.Over,
		Run: func(x term.Term) (time.Duration, bool) { return e.Aside(x, s.Prop.Pace.Limit()) }}, s.Engine.Current.Lost())
	s.slow.current = b
	return ok
}

// surveyLost is how many of the next inputs may be slow too, if the search has made too few runs
// to know how long one takes.
const surveyLost = 3

// surveyRuns is how often such an input is run again: the shortest time counts, because the run
// that is examined may need all processors.
const surveyRuns = 4

// The control is the first input whose run takes less than controlSoon, or the quickest of
// controlRuns inputs. One of these runs may not end in time: a run that was examined
// before may have ended, but late.
const (
	controlSoon = time.Millisecond
	controlRuns = 5
	controlLost = 1
)

// earlier returns an earlier input whose run is quick, or nil if there is none.
func earlier(s *unprobed, e property.Examination) (x term.Term) {
	limit, least, tries, lost := s.Prop.Pace.Limit(), time.Duration(0), 0, 0
	for run := 1; run < s.Engine.Started() && tries < controlRuns && lost <= controlLost && !e.Over(); run++ {
		if slices.Contains(s.slow.runs, run) {
			continue
		}
		tries++
		y := s.Engine.Current.Again(run)
		took, ended := e.Aside(y, limit)
		switch {
		case !ended:
			lost++
		case x == nil || took < least:
			x, least = y, took
		}
		if x != nil && least < controlSoon {
			break
		}
	}
	return x
}

// control returns an input whose run ends. If the search has made too few runs to know how long
// a run takes, it runs the next inputs.
func control(s *unprobed, e property.Examination) (x term.Term, ok bool) {
	run := s.Engine.Started()
	x = earlier(s, e)
	pace, limit, lost := s.Prop.Pace, s.Prop.Pace.Limit(), 0
	for next := run + 1; pace.Runs() < property.PaceMin && !s.Engine.Whole(); next++ {
		if lost > surveyLost || e.Over() {
			return nil, false
		}
		y := s.Engine.Current.Again(next)
		took, ended := e.Aside(y, limit)
		if !ended {
			lost++
			continue
		}
		for range surveyRuns {
			if again, ended := e.Aside(y, limit); ended {
				took = min(took, again)
			}
		}
		if pace.Add(1, took); x == nil {
			x = y
		}
	}
	return x, x != nil
}

// abandoned accounts for a run that was abandoned because it is slow.
func abandoned(s *unprobed) {
	b := s.slow.current
	x := s.Engine.Current.Lost()
	s.slow.runs = append(s.slow.runs, s.Engine.Started())
	s.slow.bounds = append(s.slow.bounds, b)
	s.Engine.Abandon()
	if len(s.slow.runs) >= slowMax {
		s.Engine.Stop()
	}
	s.slow.text = slowText(s, x, b)
}

// SlowInputMax bounds the text of a slow input, in bytes.
const SlowInputMax = 500

func slowText(s *unprobed, x term.Term, b slow.Bound) string {
	p := s.Prop
	median, _ := p.Pace.Median()
	input := words.Bounded(p.InputText(x), SlowInputMax)
	text := fmt.Sprintf("note: slow: run %s had not ended after %v, and most runs take less than %v.\n"+
		"It was abandoned; its goroutine goes on until the test binary exits.\n"+
		"This is no failure, and nothing is stored:\n\n    %s\n\n"+
		"It is slow because of %s. From now on, inputs with more than %s there are left out.\nTo bound it, declare:\n\n    %s",
		words.Group(s.Engine.Started()), p.Pace.Limit().Round(time.Millisecond), short(median),
		strings.ReplaceAll(input, "\n", "\n    "), property.Bounded(p, b), words.Group(int(min(b.Max, 1<<62))), property.Bounding(p, b))
	if s.Engine.Stopped() {
		text += fmt.Sprintf("\n\nThis is slow run %d of this Check, so it starts no more runs.", len(s.slow.runs))
	}
	return text
}

// short rounds a time up to two digits.
func short(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 100 {
		unit *= 10
	}
	return (d + unit - 1) / unit * unit
}

// leaveOut reports whether an input would be slow.
func (s *slowRuns) leaveOut(w *schema.World, x term.Term) bool {
	return slices.ContainsFunc(s.bounds, func(b slow.Bound) bool { return b.Exceeds(w, x) })
}

// ended returns the number of slow runs, if there were so many that the search ended.
func (s *slowRuns) ended() int {
	if len(s.runs) < slowMax {
		return 0
	}
	return len(s.runs)
}
