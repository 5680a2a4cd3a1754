//go:build go1.25

package verdict

import (
	"fmt"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/testkit"
)

// The advice depends on what was seen, and after a search it is another idea.
func TestAdvice(t *testing.T) {
	var b strings.Builder
	for _, c := range []struct {
		name string
		s    situation
	}{
		{"go test: nothing passed", situation{none: true}},
		{"go test: one assumption stops all", situation{none: true, stopper: "x_test.go:7"}},
		{"go test: a few passed", situation{}},
		{"go test: only trivial inputs passed", situation{trivial: true}},
		{"go test: only trivial inputs passed, and most were discarded", situation{trivial: true, strict: true}},
		{"an interface without variants", situation{hollow: []property.Hollow{{Type: "Op", Option: "allele.Variants[Op](Push{}, &Pop{})"}}}},
		{"an interface without variants, and no type in sight", situation{hollow: []property.Hollow{{Type: "Op"}}}},
		{"an interface without variants that has no name here", situation{hollow: []property.Hollow{{}}}},
		{"two interfaces without variants", situation{hollow: []property.Hollow{
			{Type: "Op", Option: "allele.Variants[Op](Push{}, &Pop{})"}, {Type: "model.Key", Option: "allele.Variants[model.Key](model.Name(\"\"))"}}}},
		{"an input that cannot vary", situation{still: true}},
		{"go test: a builder refuses everything", situation{none: true, builder: "NewPercent"}},
		{"go test: the saved inputs are discarded now", situation{none: true, outdated: true, stopper: "x_test.go:7"}},
		{"allele test: nothing passed", situation{traced: true, none: true, stopper: "x_test.go:7"}},
		{"allele test: a few passed", situation{traced: true}},
		{"allele test -for 1m: nothing passed", situation{traced: true, timed: true, none: true}},
		{"allele test -for 1m: one assumption stops all", situation{traced: true, timed: true, none: true, stopper: "x_test.go:7"}},
		{"allele test -for 1m: one assumption stops all, and builders make the input", situation{traced: true, timed: true, none: true, built: true, stopper: "x_test.go:7"}},
		{"allele test -for 1m: only trivial inputs passed", situation{traced: true, timed: true, trivial: true}},
		{"allele test -for 1m: only trivial inputs passed, and most were discarded", situation{traced: true, timed: true, trivial: true, strict: true}},
		{"allele test -for 1m: a few passed", situation{traced: true, timed: true}},
	} {
		c.s.command, c.s.pkg, c.s.dir, c.s.size = "go tool allele test -run '^TestX$'", "example.com/x", "testdata/allele/TestX", 20
		fmt.Fprintf(&b, "# %s\n%s\n\n", c.name, c.s.advice())
	}
	testkit.Golden(t, "testdata/advice.golden", []byte(b.String()))
}

// An assumption is named if it discarded nearly all of the discarded inputs.
func TestMainReject(t *testing.T) {
	for _, c := range []struct {
		name   string
		counts []int
		want   string
	}{
		{"none", nil, ""},
		{"the only one", []int{5}, "a.go:1"},
		{"nearly all", []int{4, 96}, "a.go:2"},
		{"half", []int{50, 50}, ""},
	} {
		tally := NewTally()
		for i, n := range c.counts {
			for range n {
				tally.Reject(property.Reject{Given: int16(i + 1)})
			}
		}
		p := &property.Property{Settings: property.Settings{Given: []property.Given{{Site: "no/a.go:1"}, {Site: "no/a.go:2"}}}}
		if got, ok := tally.main(p); got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
