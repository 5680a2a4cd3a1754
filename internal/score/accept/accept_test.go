//go:build go1.25

package accept

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/site"
)

var operators = []string{"boundary", "negate"}

// faultAt returns a fault that begins at the only place of a text in the source.
func faultAt(t *testing.T, src, text, operator string) site.Fault {
	t.Helper()
	if strings.Count(src, text) != 1 {
		t.Fatalf("%q is not in %q once", text, src)
	}
	at := strings.Index(src, text)
	return site.Fault{File: "a.go", Operator: operator, Line: 1, Edit: site.Edit{Offset: at, Old: text}}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct{ what, src, fault, want string }{
		{"beside the line", "x < 1 //allele:ignore boundary why not", "< boundary", "why not"},
		{"another operator", "x < 1 //allele:ignore boundary why", "< negate", "judged, stale 1"},
		{"all operators", "x < 1 //allele:ignore all why", "< negate", "why"},
		{"alone above the line", "//allele:ignore boundary why\nx < 1", "< boundary", "why"},
		{"indented", "{\n\n\t//allele:ignore boundary why\n\tx < 1\n}", "< boundary", "why"},
		{"beside the line above", "y = 2 //allele:ignore boundary why\nx < 1", "< boundary", "judged, stale 1"},
		{"two lines above", "//allele:ignore boundary why\ny = 2\nx < 1", "< boundary", "judged, stale 1"},
		{"several above", "//allele:ignore negate one\n//allele:ignore boundary two\n// and more\nx < 1", "< boundary", "two, stale 1"},
		{"where the change begins", "if a &&\n\tb < 1 { //allele:ignore boundary why\n}", "< boundary", "why"},
		{"below a text of several lines", "x := `\n//allele:ignore boundary why\n` < y //allele:ignore boundary real", "< boundary", "real"},
		{"in the first column", "//allele:ignore boundary why\n< 1", "< boundary", "why"},
		{"a longer word", "x < 1 //allele:ignored boundary why", "< boundary", "judged"},
		{"a comment about it", "x < 1 // see allele:ignore", "< boundary", "judged"},
		{"other spaces", "x < 1 //allele:ignore\tboundary\twhy ", "< boundary", "why"},
		{"a line end of Windows", "x < 1 //allele:ignore boundary why\r\n", "< boundary", "why"},
	} {
		l := List{Operators: operators}
		if err := l.Read("a.go", []byte(c.src)); err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		text, operator, _ := strings.Cut(c.fault, " ")
		got := "judged"
		if d := l.Match(faultAt(t, c.src, text, operator)); d != nil {
			got = d.Reason
		}
		for _, d := range l.Stale() {
			got += fmt.Sprint(", stale ", d.Line)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

func TestInvalid(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"x < 1 //allele:ignore boundary", "a.go:1: //allele:ignore boundary has no reason: write //allele:ignore boundary REASON, " +
			"so that a reader knows why no test needs to notice the fault"},
		{"\nx < 1 //allele:ignore bondary why", `a.go:2: //allele:ignore "bondary": there is no such operator; the operators are boundary, negate, all`},
		{"x < 1 //allele:ignore", "a.go:1: //allele:ignore names no operator: write //allele:ignore OPERATOR REASON; the operators are boundary, negate, all"},
		{"x < 1 // allele:ignore boundary why", "a.go:1: a directive has no space after //: write //allele:ignore OPERATOR REASON"},
	} {
		l := List{Operators: operators}
		if err := l.Read("a.go", []byte(c.src)); err == nil || err.Error() != c.want {
			t.Errorf("%q:\n%v\nwant\n%s", c.src, err, c.want)
		}
	}
	l := List{Operators: operators, Show: func(string) string { return "b.go" }}
	if err := l.Read("a.go", []byte("//allele:ignore\n//allele:ignore negate\n")); err == nil || len(strings.Split(err.Error(), "\n")) != 2 ||
		!strings.HasPrefix(err.Error(), "b.go:1: ") {
		t.Error(err)
	}
}

// Whatever a file contains, it is read to its end.
func TestStrangeFiles(t *testing.T) {
	for _, src := range []string{"", "//allele:ignore", "/*allele:ignore", "\x00 //allele:ignore all x", "`//allele:ignore all x", "'\n//allele:ignore all x"} {
		l := List{Operators: operators}
		l.Read("a.go", []byte(src))
		for at := range len(src) {
			l.Match(site.Fault{File: "a.go", Edit: site.Edit{Offset: at, Old: "x"}})
		}
		if slices.Contains(l.Stale(), nil) {
			t.Error(src)
		}
	}
}
