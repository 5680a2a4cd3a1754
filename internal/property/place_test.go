//go:build go1.25

package property

import (
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/value/schema"
)

func TestFileName(t *testing.T) {
	long := strings.Repeat("x", 300)
	seen := map[string]string{}
	for _, c := range []struct{ name, want string }{
		{"TestX", "TestX"},
		{"TestX/sub test", "TestX%2Fsub%20test"},
		{"TestX#2", "TestX#2"},
		{"TestX/a:b*c?d\"e<f>g|h\\i", "TestX%2Fa%3Ab%2Ac%3Fd%22e%3Cf%3Eg%7Ch%5Ci"},
		{"Test世", "Test%E4%B8%96"},
		{"TestX.", "TestX%2E"},
		{"CON", "CON-"},
		{"com1", "com1-"},
		{long, strings.Repeat("x", 91) + "-"},
		{long + "y", strings.Repeat("x", 91) + "-"},
	} {
		got := fileName(c.name)
		if !strings.HasPrefix(got, c.want) && got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if other, ok := seen[got]; ok {
			t.Errorf("%s and %s share %s", c.name, other, got)
		}
		seen[got] = c.name
		if len(got) > nameMax {
			t.Errorf("%s: %d bytes", got, len(got))
		}
	}
}

// A text that violates a condition of its expression has no arguments that it could refuse.
func TestRejectedByMatch(t *testing.T) {
	p := &Property{}
	got := p.Rejected(Reject{Builder: &schema.Func{Name: "Match(`a\\b.`)", Filters: true}})
	if want := "Match(`a\\b.`): a condition in the expression does not hold"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
