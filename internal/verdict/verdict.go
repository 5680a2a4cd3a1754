// Package verdict says what a whole Check came to, when no input has failed: it passed,
// or it is vacuous, because it has checked almost nothing.
//
//	tally.Reject(r); tally.Label(l)            // search: counts of runs
//	v := verdict.Check{Prop: p, Engine: e, Tally: tally}
//	if why := v.Vacuous(); why != "" { ... }   // why it checked nothing
//	v.Passed("")                               // what it did, for those who asked
package verdict

import (
	"fmt"
	"strings"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/words"
	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/search/engine"
)

// Check is a Check whose search is over.
type Check struct {
	Prop   *property.Property
	Engine *engine.Engine
	Tally  *Tally
}

// Judge ends a search in which nothing failed.
func (c Check) Judge() event.Verdict {
	c.Prop.TB.Helper()
	vacuous := c.Vacuous()
	if vacuous != "" && !c.Prop.Settings.Vacuous {
		c.Prop.TB.Error(vacuous)
		return event.Vacuous
	}
	c.passed(vacuous)
	return event.Passed
}

// A Check is vacuous if fewer than a tenth of the tests it wanted passed, or if
// fewer than one in twenty of those that passed was more than trivial.
const (
	passedShare = 10
	richShare   = 20
)

// Vacuous says why the Check has checked almost nothing, or nothing if it has.
func (c Check) Vacuous() string {
	n := c.Engine.Counts
	switch {
	case c.Prop.Config.Tests == 0 || n.Runs == 0 && n.Passed > 0:
		return ""
	case len(c.Prop.World.Hollow) > 0:
		return c.vacuity("vacuous: " + c.Prop.World.Hollow[0])
	case c.Tally.saved.enough(), c.Prop.Job.Search.Save && c.worthSaving():
		return "" // these are checked by every run
	case n.Passed == 0 || !c.Engine.All() && c.few():
		return c.vacuity(fmt.Sprintf("vacuous: %s of %s inputs were discarded; %s", words.Group(n.Discarded), words.Group(n.Runs), c.ran()))
	case !c.Engine.All() && c.Engine.CanBeRich() && n.Passed >= richShare && n.Rich*richShare < n.Passed:
		return c.vacuity(fmt.Sprintf("vacuous: %s inputs passed, but %s of them had 3 nodes or more",
			words.Group(n.Passed), onlyOf(n.Rich)))
	}
	return ""
}

// worthSaving reports whether inputs have passed that are more than trivial.
func (c Check) worthSaving() bool {
	return c.Engine.Rich > 0 || c.Engine.Passed > 0 && !c.Engine.CanBeRich()
}

func onlyOf(n int) string {
	if n == 0 {
		return "none"
	}
	return "only " + words.Group(n)
}

// few reports whether too few runs passed. If time ended the search, the wanted
// number means nothing, so the share of all runs is judged instead.
func (c Check) few() bool {
	n := c.Engine.Counts
	if c.Prop.Config.Runs == 0 || n.Runs < c.Prop.Config.Runs {
		return n.Passed*passedShare*property.RunsPerTest < n.Runs
	}
	return n.Passed*passedShare < c.Prop.Config.Tests
}

// ran tells how large the inputs were that passed.
func (c Check) ran() string {
	n := c.Engine.Counts
	if n.Passed == 0 {
		return "none ran"
	}
	s := fmt.Sprintf("the %s that ran", words.Group(n.Passed))
	if n.Passed == 1 {
		s = "the 1 that ran"
	}
	if !c.Engine.CanBeRich() {
		return s + " passed"
	}
	return s + fmt.Sprintf(" had at most %s", words.Count(n.Largest, "node"))
}

func (c Check) vacuity(first string) string {
	var b strings.Builder
	b.WriteString(first + "\n")
	b.WriteString(c.Tally.Rejects(c.Prop))
	for _, note := range c.Prop.World.Notes {
		fmt.Fprintf(&b, "    note: %s\n", note)
	}
	look, longer := "Let allele look for inputs that pass:", ""
	switch {
	case c.Prop.Traced && c.worthSaving():
		look = "Save inputs that pass:"
	case c.Prop.Traced:
		look, longer = "Let it look longer for inputs that pass:", "-for 1m "
	}
	fmt.Fprintf(&b, "This test has checked almost nothing. %s\n    go tool allele test %s-run %s %s-save %s\n",
		look, c.Prop.Place.Flags(), c.Prop.Pattern(), longer, c.Prop.Place.Package())
	b.WriteString("or let functions of yours make them, with allele.Builder:\n" +
		"    go doc github.com/allele-go/allele.Builder\n" +
		"or accept it: add allele.AllowVacuous()")
	return b.String()
}

// passed tells what a Check did, for those who asked; that it was vacuous and
// allowed to be, it tells everyone.
func (c Check) passed(vacuous string) {
	c.Prop.TB.Helper()
	accepted := ""
	if vacuous != "" {
		first, _, _ := strings.Cut(vacuous, "\n")
		accepted = first + "; accepted by AllowVacuous"
	}
	switch {
	case c.Prop.Chatty():
		c.Prop.Tell(strings.TrimRight(c.summary()+"    "+accepted, " \n"))
	case accepted != "":
		c.Prop.TB.Log(accepted)
	}
}

// summary is what a Check did, line by line.
func (c Check) summary() string {
	n := c.Engine.Counts
	all := ""
	if c.Engine.All() {
		all = "; that is every input there is"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s passed, %s discarded, seed %d%s\n",
		c.Prop.Name, words.Group(n.Passed), words.Group(n.Discarded), c.Prop.Config.Seed, all)
	b.WriteString(c.Tally.Rejects(c.Prop))
	c.Tally.writeLabels(&b)
	for _, note := range c.Prop.World.Notes {
		fmt.Fprintf(&b, "    note: %s\n", note)
	}
	return b.String()
}
