//go:build go1.25

package property

import (
	"testing"

	"github.com/allele-go/allele/internal/value/codec"
)

// The functions that a note suggests as builders work.
func TestSuggestedBuilders(t *testing.T) {
	method := func(name string) codec.SourceBuilder { return codec.SourceBuilder{Name: name, Method: true, Args: 1} }
	for _, c := range []struct {
		what string
		all  []codec.SourceBuilder
		want string
	}{
		{"methods that read texts refuse them", []codec.SourceBuilder{method("UnmarshalText"), method("Scan")}, ""},
		{"other methods", []codec.SourceBuilder{method("UnmarshalJSON"), method("Grow")}, " Grow"},
		{"a function", []codec.SourceBuilder{{Name: "Parse", Args: 1}, method("UnmarshalText")}, " Parse"},
	} {
		got := ""
		for _, b := range chosen(c.all, true) {
			got += " " + b.Name
		}
		if got != c.want {
			t.Errorf("%s: got%s, want%s", c.what, got, c.want)
		}
	}
}
