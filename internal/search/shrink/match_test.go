//go:build go1.25

package shrink_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/search/shrink"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// A text that matches an expression is shrunk inside its language: package regexp accepts
// every candidate that has a value.
func TestShrinkMatch(t *testing.T) {
	contains := func(parts ...string) func(string) bool {
		return func(s string) bool {
			for _, p := range parts {
				if !strings.Contains(s, p) {
					return false
				}
			}
			return true
		}
	}
	for _, c := range []struct {
		expr, text string
		fails      func(string) bool
		want       string
	}{
		{`\d+\.\d+\.\d+(-[a-z]+)?`, "12.345.6-beta", contains("-"), "0.0.0-a"},
		{`\d+\.\d+\.\d+(-[a-z]+)?`, "12.345.6-beta", contains("45"), "0.0.45"},
		{`(\w+=\w*;)*`, "a=1;key=value;b=;", contains("=va"), "a=va;"},
		{`(GET|POST|DELETE) /(\w+/)*`, "DELETE /users/7/", contains("/"), "GET /"},
		{`[a-z]{2,9}`, "qwerty", contains("w"), "aw"},
		{`(?i)select \* from [a-z]+`, "SELECT * from Users", contains("S"), "Select * from a"},
		{`x+\b.*\by*`, "xxx, and yyy", contains("y"), "x y"},
		{`.*`, "a\u00e9", contains("\u00e9"), "\u00e9"},
		{`"([^"\\]|\\.)*"`, `"say \"x\" \\"`, contains(`\`), `"\a"`},
	} {
		m, err := schema.NewMatch(c.expr)
		if err != nil {
			t.Fatal(err)
		}
		w := derive(t, reflect.TypeFor[string](), []schema.Decl{{Type: reflect.TypeFor[string](), What: m}})
		start, err := w.Read(reflect.ValueOf(c.text))
		if err != nil {
			t.Fatal(err)
		}
		twin := regexp.MustCompile("^(?:" + c.expr + ")$")
		least, _ := shrink.Minimise(shrink.Config{World: w, Fails: func(x term.Term) bool {
			v, ok := w.Value(x)
			if ok && !twin.MatchString(v.String()) {
				t.Errorf("%s: %q does not match", c.expr, v)
			}
			return ok && c.fails(v.String())
		}}, start)
		if v, _ := w.Value(least); v.String() != c.want {
			t.Errorf("%s: %q shrinks to %q, want %q", c.expr, c.text, v, c.want)
		}
	}
}
