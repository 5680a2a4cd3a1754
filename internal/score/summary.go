//go:build go1.25

package score

import (
	"fmt"
	"math"
	"strings"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/words"
)

// Summary is the numbers of a package, or of all packages.
type Summary struct {
	Faults      int            `json:"faults"`
	Killed      int            `json:"killed"`
	KilledBy    map[string]int `json:"killedBy"` // property, difference, panic, budget, test, deadlock
	Survived    int            `json:"survived"`
	NotInfected int            `json:"notInfected"`
	NotReached  int            `json:"notReached"`
	NoVerdict   int            `json:"noVerdict"`
	Why         map[string]int `json:"noVerdictWhy,omitempty"` // reason -> number
	Accepted    int            `json:"accepted,omitempty"`     // faults that the user has accepted, which are not among Faults
	Score       *Percent       `json:"score"`                  // killed of those with a verdict; nil if there is no score
	NoBudget    *Percent       `json:"scoreWithoutBudget"`     // the same, if faults that only a budget killed count as alive
	OfReached   *Percent       `json:"scoreOfReached"`         // killed of those that were reached
}

// Alive is the number of faults that the suite is too weak for.
func (s Summary) Alive() int { return s.Survived + s.NotInfected + s.NotReached }

// Summary returns the numbers of all packages.
func (r Report) Summary() (s Summary) {
	s.KilledBy = map[string]int{}
	for i := range r.Packages {
		s.add(r.Packages[i].Results)
		s.Accepted += len(r.Packages[i].Accepted)
	}
	return s.scored()
}

// Summary returns the numbers of a package.
func (p *Package) Summary() (s Summary) {
	s.KilledBy = map[string]int{}
	s.add(p.Results)
	s.Accepted = len(p.Accepted)
	return s.scored()
}

func (s *Summary) add(results []Result) {
	for _, r := range results {
		s.Faults++
		switch r.Kind {
		case fate.Killed:
			s.Killed++
			s.KilledBy[r.By]++
		case fate.Survived:
			s.Survived++
		case fate.NotInfected:
			s.NotInfected++
		case fate.NotReached:
			s.NotReached++
		default:
			s.NoVerdict++
			if s.Why == nil {
				s.Why = map[string]int{}
			}
			s.Why[firstLine(r.Detail)]++
		}
	}
}

// scored computes the scores. There is none if faults were not judged: what is judged first is
// mostly killed, because only the whole suite can decide that a fault has survived.
func (s Summary) scored() Summary {
	if s.Why[NotJudged] > 0 {
		return s
	}
	counted := s.Faults - s.NoVerdict
	s.Score = percent(s.Killed, counted)
	s.NoBudget = percent(s.Killed-s.KilledBy[fate.ByBudget], counted)
	s.OfReached = percent(s.Killed, counted-s.NotReached)
	return s
}

// of returns a sample with the interval of its score, or nil if there is no sample.
func (s Summary) of(sample *Sample) *Sample {
	if sample == nil || s.Score == nil {
		return sample
	}
	low, high := wilson(s.Killed, s.Faults-s.NoVerdict)
	l, h := Percent(math.Floor(low*10_000)/100), Percent(math.Ceil(high*10_000)/100)
	c := *sample
	c.Low, c.High = &l, &h
	return &c
}

// Threshold is what a score must satisfy.
type Threshold struct {
	Min       float64 // the least score in percent
	Survivors int     // how many faults may be alive; negative means any number
	Sample    *Sample // if only some of all faults were drawn: then the lower end of the interval counts
}

// Check returns a message for each part of the threshold that the report does not satisfy.
// Without a score, -min is satisfied.
func (t Threshold) Check(s Summary) (wrong []string) {
	if t.Sample != nil && s.Score != nil {
		if low := s.of(t.Sample).Low; float64(*low) < t.Min {
			wrong = append(wrong, fmt.Sprintf("-min: the score of all faults may be as low as %s, want at least %g %%; judge more of them",
				low, t.Min))
		}
	} else if counted := s.Faults - s.NoVerdict; s.Score != nil && 100*float64(s.Killed) < t.Min*float64(counted) {
		wrong = append(wrong, fmt.Sprintf("-min: the score is %s, want at least %g %%", s.Score, t.Min))
	}
	if alive := s.Alive(); t.Survivors >= 0 && alive > t.Survivors {
		wrong = append(wrong, fmt.Sprintf("-max-survivors: %s not killed, want at most %s",
			faultsAre(alive), words.Group(t.Survivors)))
	}
	return wrong
}

// reasonMax is the length of a reason in a table.
const reasonMax = 100

// firstLine returns the first line of a text, shortened and printable.
func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return words.Printable(words.Bounded(strings.TrimSuffix(line, ":"), reasonMax)) // output may follow in the next lines
}

func faultsAre(n int) string {
	if n == 1 {
		return "1 fault was"
	}
	return words.Group(n) + " faults were"
}
