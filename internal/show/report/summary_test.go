//go:build go1.25

package report

import "testing"

// A name with a quote is one word of a command.
func TestQuotedName(t *testing.T) {
	r := New(Config{})
	got := r.onlyProperties([]*row{{key: key{"m", "TestABC/a'b$c"}}})
	if want := `-run '^TestABC/a'\''b\$c$' m`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
