//go:build go1.25

package property

import (
	"log/slog"
	"testing"
	"testing/slogtest"

	"github.com/allele-go/allele/internal/value/schema"
)

// A text that violates a condition of its expression has no arguments that it could refuse.
func TestRejectedByMatch(t *testing.T) {
	p := &Property{}
	got := p.Rejected(Reject{Builder: &schema.Func{Name: "Match(`a\\b.`)", Form: schema.Filter{}}})
	if want := "Match(`a\\b.`): a condition in the expression does not hold"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The package under test is that of the test binary, also if another package runs the subtests.
func TestTested(t *testing.T) {
	slogtest.Run(t, func(t *testing.T) slog.Handler {
		if got, want := tested(), "github.com/allele-go/allele/internal/check/property"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		t.SkipNow()
		return nil
	}, nil)
}
