//go:build go1.25

package verdict

import (
	"fmt"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/check/property"
)

// Assumptions are listed with the most frequent first, at most rejectsShown of them.
func TestRejects(t *testing.T) {
	p := &property.Property{}
	for line := range 12 {
		p.Settings.Given = append(p.Settings.Given, property.Given{Site: fmt.Sprintf("no/such/file.go:%d", line)})
	}
	tally := NewTally()
	for given := range int16(12) {
		for range 100 * (given + 1) {
			tally.Reject(property.Reject{Given: given + 1})
		}
	}
	tally.Reject(property.Reject{})
	lines := strings.Split(strings.TrimSpace(tally.Rejects(p)), "\n")
	if len(lines) != rejectsShown+1 || lines[0] != "file.go:11   discarded 1,200" || strings.TrimSpace(lines[rejectsShown]) != "and 5 more" {
		t.Errorf("%q", lines)
	}
}

// What discards inputs is listed once, also if a function builds values of two types, T and *T.
func TestRejectsOnce(t *testing.T) {
	p := &property.Property{Settings: property.Settings{Given: []property.Given{{Site: "no/such/file.go:1"}, {Site: "no/such/file.go:2"}, {Site: "no/such/file.go:1"}}}}
	tally := NewTally()
	for given, n := range []int{60, 100, 61} {
		for range n {
			tally.Reject(property.Reject{Given: int16(given) + 1})
		}
	}
	if got, want := tally.Rejects(p), "    file.go:1   discarded 121\n    file.go:2   discarded 100\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for range 1200 {
		tally.Reject(property.Reject{Given: 1})
		tally.Reject(property.Reject{Given: 3})
	}
	if r, ok := tally.main(p); !ok || r != "file.go:1" {
		t.Errorf("%v %v discarded nearly all inputs", r, ok)
	}
}

// Saved cases are enough as long as most of them pass and one is not trivial.
func TestSaved(t *testing.T) {
	saved := property.Seed{Saved: true}
	for _, c := range []struct {
		name              string
		rich, plain, lost int
		enough            bool
	}{
		{"none", 0, 0, 0, false},
		{"one that is not trivial", 1, 0, 0, true},
		{"only trivial ones", 0, 5, 0, false},
		{"most are discarded now", 1, 1, 2, false},
	} {
		tally := NewTally()
		for range c.rich {
			tally.Seed(saved, true)
		}
		for range c.plain {
			tally.Seed(saved, false)
		}
		for range c.lost {
			tally.LostSeed(saved, property.Outcome{})
		}
		tally.Seed(property.Seed{}, true) // an example is not counted as a saved case
		if got := tally.saved.enough(); got != c.enough || tally.Seeded() != c.rich+c.plain+1 {
			t.Errorf("%s: %v, %d seeds", c.name, got, tally.Seeded())
		}
	}
}
