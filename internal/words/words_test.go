//go:build go1.25

package words

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		n                   int
		group, brief, round string
	}{
		{0, "0", "0", "0"},
		{-1, "-1", "-1", "-1"},
		{-100, "-100", "-100", "-100"},
		{812, "812", "812", "812"},
		{9_999, "9,999", "10k", "9,999"},
		{88_123, "88,123", "88k", "88k"},
		{999_400, "999,400", "999k", "999k"},
		{999_600, "999,600", "1.0M", "1.0M"}, // and not 1000k
		{1_234_567, "1,234,567", "1.2M", "1.2M"},
		{99_960_000, "99,960,000", "100M", "100M"},
		{1_234_567_890, "1,234,567,890", "1.2G", "1.2G"},
	} {
		if group, brief, round := Group(c.n), Brief(float64(c.n)), Round(c.n); group != c.group || brief != c.brief || round != c.round {
			t.Errorf("%d: %s %s %s, wanted %s %s %s", c.n, group, brief, round, c.group, c.brief, c.round)
		}
	}
}

func TestCounts(t *testing.T) {
	got := strings.Join([]string{Count(0, "run"), Count(1, "run"), Count(1000, "run"), Properties(1), Properties(2)}, ", ")
	if want := "0 runs, 1 run, 1,000 runs, 1 property, 2 properties"; got != want {
		t.Errorf("%s, wanted %s", got, want)
	}
}

// The units of Brief begin where the smaller unit would need a fourth digit.
func TestBriefUnits(t *testing.T) {
	for x, want := range map[float64]string{
		999.4: "999", 999.5: "1k", 999_499.9: "999k", 999_500: "1.0M", 999_499_999: "999M", 999_500_000: "1.0G",
	} {
		if got := Brief(x); got != want {
			t.Errorf("%v: %s, wanted %s", x, got, want)
		}
	}
}

func TestBounded(t *testing.T) {
	for _, c := range []struct {
		in   string
		size int
		want string
	}{{"abc", 4, "abc"}, {"abc", 3, "abc"}, {"abc", 2, "ab..."}, {"aé", 2, "a..."}, {"", 0, ""}} {
		if got := Bounded(c.in, c.size); got != c.want {
			t.Errorf("%q in %d bytes: %q, wanted %q", c.in, c.size, got, c.want)
		}
	}
}

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abc": 3, "\u02ff": 1, "a\u0300": 1, "e\u0301": 1, "日本": 4, "🙂": 2} {
		if got := Width(s); got != want {
			t.Errorf("%q: %d columns, wanted %d", s, got, want)
		}
	}
}

func TestPrintable(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain\n\ttext ü 日本", "plain\n\ttext ü 日本"},
		{"\x1b[2J\r\a", `\x1b[2J\r\a`},
		{"proto:\u00a0cannot, \u2009thin, \u202fnarrow, \u3000wide", "proto:\u00a0cannot, \u2009thin, \u202fnarrow, \u3000wide"},
		{"line\u2028separator, zero\u200bwidth", `line\u2028separator, zero\u200bwidth`},
		{"left\u202eright", `left\u202eright`}, // would reverse the rest of the line
		{"\u009b2J", `\u009b2J`},               // begins an escape sequence, in one character
	} {
		if got := Printable(c.in); got != c.want {
			t.Errorf("%q: %q, wanted %q", c.in, got, c.want)
		}
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		in        string
		columns   int
		fit, cut_ string
	}{
		{"tree.TestInsert", 15, "tree.TestInsert", "tree.TestInsert"},
		{"tree.TestInsert", 14, "tree.…stInsert", "tree.TestInse…"},
		{"tree.TestInsert", 2, "…t", "t…"},
		{"tree.TestInsert", 1, "…", "…"},
		{"tree.TestInsert", 0, "", ""},
		{"tree.Test日本語日本語", 14, "tree.…語日本語", "tree.Test日本…"},
		{"one two three", 5, "o…ree", "one…"},
	} {
		if fit, cut := Fit(c.in, c.columns), Cut(c.in, c.columns); fit != c.fit || cut != c.cut_ {
			t.Errorf("%q in %d: %q %q, wanted %q %q", c.in, c.columns, fit, cut, c.fit, c.cut_)
		}
	}
}

// FitAll does not remove the middle if names differ there.
func TestFitAll(t *testing.T) {
	for _, c := range []struct {
		in, want string
		columns  int
	}{
		{"a.TestOne a.TestTwo", "a.TestOne a.TestTwo", 9},
		{"a.TestInsert a.TestDelete", "a.…nsert a.…elete", 8},
		{"tree.Test1KeepsOrder tree.Test2KeepsOrder", "tree.T…1KeepsOrder tree.T…2KeepsOrder", 18},
		{"tree.Test1KeepsOrder tree.Test2KeepsOrder", "…1KeepsOrder …2KeepsOrder", 12},
		{"tree.Test1KeepsOrder tree.Test2KeepsOrder", "tree.Test1… tree.Test2…", 11},
		{"abcdefgx............yz abcdefgy............yz abcdefgx............yy", "abcdefgx…yz abcdefgy…yz abcdefgx…yy", 11}, // only four fifths
		{"tree.Test1KeepsOrder tree.Test2KeepsOrder", "t…er t…er", 4},                                                       // no position keeps them distinct
	} {
		if got := strings.Join(FitAll(strings.Fields(c.in), c.columns), " "); got != c.want {
			t.Errorf("%s in %d: %s, wanted %s", c.in, c.columns, got, c.want)
		}
	}
}

// For all texts, the results of Fit and Cut fit.
func TestFitAlwaysFits(t *testing.T) {
	for _, s := range []string{"", "a", "abcdefghijkl", "日本語日本語", "a日b本c語", "e\u0301e\u0301e\u0301e\u0301", "🙂🙂🙂x"} {
		for columns := range 20 {
			for _, got := range []string{Fit(s, columns), Cut(s, columns)} {
				if Width(got) > columns || !utf8.ValidString(got) || columns >= Width(s) && got != s {
					t.Errorf("%q in %d: %q", s, columns, got)
				}
			}
		}
	}
	if got := Left("ü", 3) + "|" + Right("日", 3) + "|" + Left("long", 2); got != "ü  | 日|long" {
		t.Error(got)
	}
}

func TestShell(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"TestX/one", "TestX/one"}, {"TestX#2", "'TestX#2'"}, {"it's", `'it'\''s'`}, {"./a b", "'./a b'"},
	} {
		if got := Shell(c.in); got != c.want {
			t.Errorf("%s: %s, wanted %s", c.in, got, c.want)
		}
	}
}
