//go:build go1.25

package verdict

import (
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/property"
)

// Assumptions are listed with the most frequent first, at most rejectsShown of them.
func TestRejects(t *testing.T) {
	p := &property.Property{}
	for range 12 {
		p.Settings.Given = append(p.Settings.Given, property.Given{Site: "no/such/file.go:7"})
	}
	tally := NewTally()
	for given := range int16(12) {
		for range 100 * (given + 1) {
			tally.Reject(property.Reject{Given: given + 1})
		}
	}
	tally.Reject(property.Reject{})
	lines := strings.Split(strings.TrimSpace(tally.Rejects(p)), "\n")
	if len(lines) != rejectsShown+1 || lines[0] != "file.go:7   discarded 1,200" || strings.TrimSpace(lines[rejectsShown]) != "and 5 more" {
		t.Errorf("%q", lines)
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
			tally.LostSeed(saved)
		}
		tally.Seed(property.Seed{}, true) // an example is not counted as a saved case
		if got := tally.saved.enough(); got != c.enough || tally.Seeded() != c.rich+c.plain+1 {
			t.Errorf("%s: %v, %d seeds", c.name, got, tally.Seeded())
		}
	}
}
