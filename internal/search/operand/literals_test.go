//go:build go1.25

package operand

import (
	"fmt"
	"strings"
	"testing"
)

// Words are letters and strings that a text may consist of. Marks come first, and of each group
// the constants that were registered last: those of the test's own package.
func TestWords(t *testing.T) {
	l := NewLiterals([]any{"https", 'x', byte(':'), 7, "on", byte('x'), 'é', byte(0), rune(-1), byte('/'), "on", []byte("raw"), 0.5, "off"})
	if got, want := strings.Join(l.Words(), " "), "/ : x é off on https"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// There are at most 64 letters, and marks are not lost.
func TestWordsAreFew(t *testing.T) {
	all := []any{byte('{'), "first"}
	for i := range 200 {
		all = append(all, 'a'+rune(i), fmt.Sprint("word", i))
	}
	words := NewLiterals(append(all, "last")).Words()
	if len(words) != lettersMax+202 || words[0] != "{" || words[lettersMax] != "last" {
		t.Errorf("%d words: %q", len(words), words)
	}
}
