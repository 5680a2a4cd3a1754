//go:build go1.25

// Package verdict decides the verdict of a Check in which no input has failed: it passed,
// or it is vacuous, because it has checked almost nothing.
//
//	tally.Reject(r); tally.Label(l)            // search: counts of runs
//	v := verdict.Check{Prop: p, Engine: e, Tally: tally}
//	if why := v.Vacuous(); why != "" { ... }   // why it checked almost nothing
//	return v.Judge()                           // fails the test if it is vacuous
package verdict

import (
	"fmt"
	"strings"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/words"
)

// Check holds the results of an allele.Check whose search is over.
type Check struct {
	Prop   *property.Property
	Engine *engine.Engine
	Tally  *Tally
	Varied bool // runs took different paths; false if paths are not known
	Slow   int  // so many runs were slow that the search ended; 0 if it did not
}

// Judge returns the verdict of a search in which no input failed. It fails the test if the
// verdict is vacuous or time was up too soon. Otherwise it logs notes, and a summary if
// verbose output is requested.
func (c Check) Judge() event.Verdict {
	c.Prop.TB.Helper()
	wrong, verdict := c.Vacuous(), event.Vacuous
	if late := c.late(); late != "" && (wrong == "" || c.Engine.Runs < event.JudgedRuns) {
		wrong, verdict = late, event.Aborted
	}
	if wrong != "" && !c.Prop.Settings.Vacuous {
		c.Prop.TB.Error(wrong)
		return verdict
	}
	c.passed(wrong)
	return event.Passed
}

// A Check is vacuous if fewer than a tenth of the requested tests passed, if all of them had
// the same input, or if fewer than one in twenty of the inputs that passed were not trivial.
const (
	passedShare = 10
	richShare   = 20
)

// Vacuous returns why the Check has checked almost nothing, or "" if it is not vacuous.
func (c Check) Vacuous() string {
	n := c.Engine.Counts
	if c.Prop.Config.Tests == 0 {
		_, vacuous := c.seedsOnly()
		return vacuous
	}
	if alike := c.Prop.Endings.Vacuous(c.Varied); alike != "" {
		return alike
	}
	still := c.Prop.World.Still()
	switch {
	case len(c.Prop.World.Hollow) > 0:
		return c.vacuity("vacuous: " + c.Prop.World.Hollow[0].String())
	case still != "":
		return c.vacuity("vacuous: the input never varies: " + still)
	case property.Strict() && len(c.Prop.World.Zero) > 0:
		return "vacuous, because ALLELE_STRICT is 1 and a part of the input never varies:\n    " + strings.Join(c.Prop.World.Zero, "\n    ")
	case n.Runs == 0 && n.Distinct > 0:
		return "" // saved inputs or examples passed, and then the search was stopped
	case c.Tally.saved.enough(), c.Prop.Job.Search.Save && c.worthSaving():
		return "" // inputs that pass are saved, and every later Check runs them
	case n.Passed+n.Replayed == 0 || !c.Engine.All() && c.few():
		what := "discarded"
		if len(c.Tally.known) > 0 {
			what = "discarded or about known bugs"
		}
		return c.vacuity(fmt.Sprintf("vacuous: %s of %s inputs were %s; %s",
			words.Group(n.Discarded), words.Group(n.Runs), what, c.rest()))
	}
	if input, same := c.same(); same && n.Passed == 1 {
		return c.vacuity("vacuous: only one run passed, with the input " + input)
	} else if same {
		return c.vacuity(fmt.Sprintf("vacuous: all %s runs that passed had the same input: %s", words.Group(n.Passed), input))
	}
	if never := c.never(); len(never) > 0 {
		return c.vacuity("vacuous: " + neverText(never))
	}
	if !c.Engine.All() && c.Engine.Inputs.CanBeRich() && n.Passed >= richShare && n.Rich*richShare < n.Passed+n.Replayed {
		return c.vacuity(fmt.Sprintf("vacuous: %s inputs passed, but %s of them had 3 nodes or more",
			words.Group(n.Passed), onlyOf(n.Rich)))
	}
	return ""
}

// Fixed reports whether the input cannot vary, so that no search makes the Check less vacuous.
func (c Check) Fixed() bool { return len(c.Prop.World.Hollow) > 0 || c.Prop.World.Still() != "" }

// worthSaving reports whether inputs that are not trivial have passed.
func (c Check) worthSaving() bool {
	return c.Engine.Rich > 0 || c.Engine.Passed > 0 && !c.Engine.Inputs.CanBeRich()
}

func onlyOf(n int) string {
	if n == 0 {
		return "none"
	}
	return "only " + words.Group(n)
}

// few reports whether too few runs passed. If time ended the search, the requested number
// of tests means nothing. Then distinctEnough inputs are enough, and otherwise the share of
// all runs counts.
func (c Check) few() bool {
	n := c.Engine.Counts
	if c.Prop.Config.Runs == 0 || n.Runs < c.Prop.Config.Runs {
		return n.Distinct < distinctEnough && n.Passed*passedShare*property.RunsPerTest < n.Runs
	}
	// A search near this border makes more runs than Config says.
	return (n.Passed+n.Replayed)*passedShare*c.Prop.Config.Runs < c.Prop.Config.Tests*n.Runs
}

// rest describes the inputs that were not discarded.
func (c Check) rest() string {
	n := c.Engine.Counts
	if n.Passed == 0 {
		return "none passed"
	}
	if !c.Engine.Inputs.CanBeRich() {
		return fmt.Sprintf("%s passed", words.Group(n.Passed))
	}
	return fmt.Sprintf("the %s that passed had at most %s", words.Group(n.Passed), words.Count(n.Largest, "node"))
}

// vacuity returns the report of a vacuous Check: its first line, what discarded inputs,
// and what to do about it.
func (c Check) vacuity(first string) string {
	var b strings.Builder
	b.WriteString(first + "\n")
	b.WriteString(c.Tally.Rejects(c.Prop))
	for _, note := range c.Prop.World.Notes {
		if !strings.Contains(first, note) {
			fmt.Fprintf(&b, "    note: %s\n", note)
		}
	}
	if note := c.Prop.World.Fickle(); note != "" {
		fmt.Fprintf(&b, "    note: %s\n", note)
	}
	b.WriteString(c.situation().advice())
	return b.String()
}

// passed logs a summary of the Check if verbose output is requested. It always logs notes,
// and that the Check was vacuous and that this was accepted.
func (c Check) passed(vacuous string) {
	c.Prop.TB.Helper()
	accepted := ""
	if vacuous != "" {
		first, _, _ := strings.Cut(vacuous, "\n")
		accepted = first + "; accepted by AllowVacuous"
	}
	if c.Prop.Verbose() {
		c.Prop.Log(strings.TrimRight(c.summary()+"    "+accepted, " \n"))
		return
	}
	for _, note := range c.Notes() {
		property.Say(c.Prop, "note: "+note)
	}
	if accepted != "" {
		c.Prop.TB.Log(accepted)
	}
}

// summary describes the runs of a Check, line by line.
func (c Check) summary() string {
	n := c.Engine.Counts
	all := ""
	if c.all() && n.Runs > 1 {
		all = "; these are all possible inputs"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s discarded, seed %d%s\n",
		c.Prop.Name, c.passedText(), words.Group(n.Discarded), c.Prop.Config.Seed, all)
	b.WriteString(c.Tally.Rejects(c.Prop))
	c.Tally.writeLabels(&b)
	c.writeSteps(&b)
	for _, note := range append(c.seen(), c.Prop.World.Notes...) {
		fmt.Fprintf(&b, "    note: %s\n", note)
	}
	return b.String()
}
