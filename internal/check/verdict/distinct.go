//go:build go1.25

package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/words"
)

// distinctEnough is how many distinct inputs are enough, whatever share of the runs they
// are: a tenth of the tests that a Check requests by default. It applies if time ends the
// search, because then there is no requested number.
const distinctEnough = 100

// passedText returns how many inputs passed, and how many of them were distinct.
func (c Check) passedText() string {
	n := c.Engine.Counts
	text := words.Group(n.Passed) + " passed"
	if c.Engine.All() || n.Passed == 0 {
		return text
	}
	least := ""
	if c.Engine.Inputs.AtLeast() {
		least = "at least "
	}
	// Saved inputs that were run again are distinct inputs too, so there may be more than passed.
	return fmt.Sprintf("%s (%s%s distinct)", text, least, words.Group(min(n.Distinct, n.Passed)))
}

// same returns the input of all passed runs as text, if there is only one such input although
// the type has more. A Check with Tests(1) has no other inputs.
func (c Check) same() (input string, ok bool) {
	if c.Prop.Config.Tests == 1 || c.Engine.All() {
		return "", false
	}
	x, same := c.Engine.Inputs.Same(c.Prop.Runner.Equal)
	if !same {
		return "", false
	}
	return words.Cut(strings.Join(strings.Fields(c.Prop.CaseText(x)), " "), inputColumns), true
}

// inputColumns bounds the text of the input in the first line of a report.
const inputColumns = 60

// Enough reports whether it does not matter how few distinct inputs passed: all possible
// inputs did or were discarded, saved inputs pass, or the user accepts it.
func (c Check) Enough() bool {
	return c.Engine.All() || c.Tally.saved.enough() || c.Prop.Settings.Vacuous
}

// late returns why the Check does not count because time was up too soon. Under the
// command, which knows whether the user has stopped it, the campaign decides.
func (c Check) late() string {
	n := c.Engine.Counts
	if c.Prop.Job.Mode != job.Plain || !c.Engine.Stopped() || n.Distinct >= event.DistinctMin || c.Engine.All() || c.Tally.saved.enough() {
		return ""
	}
	why := "time was up"
	if c.Slow > 0 {
		why = words.Count(c.Slow, "run") + " were slow, see the notes above"
	}
	return fmt.Sprintf("stopped: %s after %s, and %s\n%s"+
		"This test has checked almost nothing. Give it more time (allele.For, go test -timeout),\n"+
		"or make a run faster, or accept a vacuous test: add allele.AllowVacuous()",
		why, words.Count(n.Runs, "run"), onlyPassed(n.Distinct), c.Tally.Rejects(c.Prop))
}

// onlyPassed says that few distinct inputs passed.
func onlyPassed(n int) string {
	if n == 0 {
		return "no input passed"
	}
	return "only " + words.Count(n, "distinct input") + " passed"
}

// seedsOnly returns the result of a Check with Tests(0): which examples and stored cases
// passed. If there are none, it returns why the Check is vacuous.
func (c Check) seedsOnly() (passed, vacuous string) {
	if text := c.Tally.seeds(); text != "" {
		return text + ", none generated", ""
	}
	none := "there is no example or stored case"
	if n := c.Tally.lost; n > 0 {
		none = words.Count(n, "example or stored case") + " was discarded"
		if n > 1 {
			none = fmt.Sprintf("all %d examples and stored cases were discarded", n)
		}
	}
	return "", "vacuous: no input was run: Tests is 0, so no input is generated, and " + none
}

// all reports whether all possible inputs were tried. It is false if a part of the input never
// varies: its type has other values.
func (c Check) all() bool {
	return c.Engine.All() && len(c.Prop.World.Zero)+len(c.Prop.World.Unset) == 0
}

// Notes returns what is worth knowing about a Check that passed, even if nobody asks for
// verbose output. All parts that never vary are one note.
func (c Check) Notes() []string {
	all := append(c.seen(), c.Tally.failed()...)
	if zero := slices.Concat(c.Prop.World.Zero, c.Prop.World.Unset); len(zero) == 1 {
		all = append(all, zero[0])
	} else if len(zero) > 1 {
		all = append(all, fmt.Sprintf("%s (and %s: see go test -v)", zero[0], words.Count(len(zero)-1, "more part")))
	}
	return append(all, c.Prop.World.Links...)
}

// seen returns what the runs of a Check that passed have shown.
func (c Check) seen() (all []string) {
	if seeds, _ := c.seedsOnly(); c.Prop.Config.Tests == 0 && seeds != "" {
		all = append(all, seeds)
	}
	if c.all() {
		_, same := c.Engine.Inputs.Same(c.Prop.Runner.Equal)
		switch n := c.Engine.Counts; {
		case !same:
		case n.Runs == 1:
			all = append(all, "there is only one possible input")
		case n.Passed == 1:
			all = append(all, fmt.Sprintf("only one of the %s possible inputs passed", words.Group(n.Runs)))
		default:
			all = append(all, fmt.Sprintf("all %s possible inputs that passed are equal", words.Group(n.Passed)))
		}
	}
	all = append(all, c.Tally.fixed()...)
	if note := c.Prop.World.Fickle(); note != "" {
		all = append(all, note)
	}
	if c.Prop.Halved() && c.Engine.Stopped() {
		all = append(all, c.halved())
	}
	for _, part := range c.Engine.Inputs.Steady() {
		all = append(all, c.steadyText(part))
	}
	if note := c.Prop.Endings.Note(); note != "" && c.Prop.Traced && !c.Varied {
		all = append(all, note)
	}
	return all
}

// halved says that the search ended early, to leave time for other tests.
func (c Check) halved() string {
	short := "the search ended before its time was over"
	if c.Prop.Config.Runs > 0 {
		short = fmt.Sprintf("%s of %s tests passed", words.Group(c.Engine.Passed), words.Group(c.Prop.Config.Tests))
	}
	return short + ": no run is started after half of the time before the test's deadline; go test -timeout sets this time"
}

// steadyText says that a declared part never varied.
func (c Check) steadyText(part engine.Steady) string {
	if part.Value == nil {
		return fmt.Sprintf("%v occurred in none of the %s inputs that passed", part.Declared, words.Group(part.Runs))
	}
	value := words.Cut(strings.Join(strings.Fields(c.Prop.CaseText(part.Value)), " "), inputColumns)
	return fmt.Sprintf("%v was %s in all %s inputs that passed, although more values are declared",
		part.Declared, value, words.Group(part.Runs))
}
