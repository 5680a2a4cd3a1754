//go:build go1.25

package score

import (
	"fmt"
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
	Score       *Percent       `json:"score"`                  // killed of those with a verdict; nil if there is no score
	NoBudget    *Percent       `json:"scoreWithoutBudget"`     // the same, if faults that only a budget killed count as alive
	OfReached   *Percent       `json:"scoreOfReached"`         // killed of those that were reached
}

// Percent is a share in percent. It is rounded down to two decimals, so that 100 means all.
type Percent float64

func percent(part, whole int) *Percent {
	if whole <= 0 {
		return nil
	}
	p := Percent(float64(part*10_000/whole) / 100)
	return &p
}

// String formats a share with one decimal, rounded down.
func (p *Percent) String() string {
	if p == nil {
		return "-"
	}
	tenths := int(float64(*p)*10 + 1e-6)
	return fmt.Sprintf("%d.%d %%", tenths/10, tenths%10)
}

// whole formats a share without decimals, rounded down.
func (p *Percent) whole() string {
	if p == nil {
		return "-"
	}
	return fmt.Sprintf("%d %%", int(float64(*p)+1e-6))
}

// Alive is the number of faults that the suite is too weak for.
func (s Summary) Alive() int { return s.Survived + s.NotInfected + s.NotReached }

// Summary returns the numbers of all packages.
func (r Report) Summary() (s Summary) {
	s.KilledBy = map[string]int{}
	for i := range r.Packages {
		s.add(r.Packages[i].Results)
	}
	return s.scored()
}

// Summary returns the numbers of a package.
func (p *Package) Summary() (s Summary) {
	s.KilledBy = map[string]int{}
	s.add(p.Results)
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

// Threshold is what a score must satisfy.
type Threshold struct {
	Min       float64 // the least score in percent
	Survivors int     // how many faults may be alive; negative means any number
}

// Check returns a message for each part of the threshold that the report does not satisfy.
// Without a score, -min is satisfied.
func (t Threshold) Check(s Summary) (wrong []string) {
	if counted := s.Faults - s.NoVerdict; s.Score != nil && 100*float64(s.Killed) < t.Min*float64(counted) {
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
