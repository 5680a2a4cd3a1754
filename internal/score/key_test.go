//go:build go1.25

package score

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/site"
)

// fault reads a fault such as "a.go:3 f negate: a == b => a != b".
func faultOf(id int, text string) site.Fault {
	place, change, _ := strings.Cut(text, ": ")
	words := strings.Fields(place)
	from, to, _ := strings.Cut(change, " => ")
	_, line, _ := strings.Cut(words[0], ":")
	return site.Fault{ID: id, Site: id, Package: "m", File: "a.go", Line: int(line[0] - '0'), Col: 1, Func: words[1], Operator: words[2],
		From: strings.ReplaceAll(from, `\n`, "\n"), To: to}
}

// A key depends on the change and its function, and not on lines, layout and other functions.
func TestKeys(t *testing.T) {
	const first, second = "a.go:3 f negate: a == b => a != b", "a.go:4 f negate: a == b => a != b"
	keysOf := func(texts ...string) (all []string) {
		var faults []site.Fault
		for i, text := range texts {
			faults = append(faults, faultOf(i, text))
		}
		keys := Keys(faults)
		for i := range texts {
			all = append(all, keys[i])
		}
		return all
	}
	want := keysOf(first, second)
	if len(want[0]) != keySize || want[0] == want[1] {
		t.Fatal(want)
	}
	for _, c := range []struct {
		what string
		got  []string
		same bool
	}{
		{"other lines", keysOf("a.go:7 f negate: a == b => a != b", "a.go:9 f negate: a == b => a != b"), true},
		{"another layout", keysOf(`a.go:3 f negate: a ==\n b => a != b`, second), true},
		{"in any order", slices.Concat(keysOf(second, first)[1:], keysOf(second, first)[:1]), true},
		{"other functions", keysOf(first, second, "a.go:1 g negate: a == b => a != b"), true},
		{"another fault before it", keysOf(first, second, "a.go:1 f negate: b == c => b != c"), true},
		{"another function", keysOf("a.go:3 g negate: a == b => a != b", second), false},
		{"another operator", keysOf("a.go:3 f boundary: a == b => a != b", second), false},
		{"another text", keysOf("a.go:3 f negate: a == c => a != c", second), false},
	} {
		if same := c.got[0] == want[0]; same != c.same || c.same && c.got[1] != want[1] {
			t.Errorf("%s: %v, before %v", c.what, c.got, want)
		}
	}
	if n := len(slices.Compact(slices.Sorted(maps.Values(Keys([]site.Fault{faultOf(1, first), faultOf(2, first)}))))); n != 2 {
		t.Error("two faults at one place have one key")
	}
}
