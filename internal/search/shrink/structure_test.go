//go:build go1.25

package shrink

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template"
	"unicode/utf8"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// structured is a text of a language or format, and when it fails.
type structured struct {
	name, text string
	fails      func(string) bool
	want       string
}

func repeat(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// jsonHas reports whether a JSON text has a value inside for which match is true.
func jsonHas(text string, match func(any) bool) bool {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return false
	}
	var walk func(any) bool
	walk = func(v any) bool {
		switch v := v.(type) {
		case []any:
			if slices.ContainsFunc(v, walk) {
				return true
			}
		case map[string]any:
			for _, x := range v {
				if walk(x) {
					return true
				}
			}
		}
		return match(v)
	}
	return walk(v)
}

func goHas(text string, match func(ast.Node) bool) (found bool) {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return false
	}
	ast.Inspect(e, func(n ast.Node) bool {
		found = found || n != nil && match(n)
		return true
	})
	return found
}

func texts() []structured {
	object := `{"users": [` + strings.TrimSuffix(repeat(20, `{"id": %d, "name": "Jo Smith", "tags": ["a", "bb"], "address": {"city": "Rome", "zip": null}}, `), ", ") +
		`, {"id": 21, "name": "Max", "limits": {"low": -1, "high": 4711}}], "version": "1.0", "ok": true}`
	var pretty bytes.Buffer
	json.Indent(&pretty, []byte(object), "", "  ")
	large := func(v any) bool { x, ok := v.(float64); return ok && x > 1000 }
	deep := func(v any) bool { m, ok := v.(map[string]any); return ok && m["limits"] != nil }
	source := "f(" + strings.TrimSuffix(repeat(15, "g%d(x, y[1:2]) + func(a int) int { return a * 2 }(3), "), ", ") + ", map[string]int{\"k\": -(5), \"l\": 7})"
	tmpl := repeat(12, "<li class=\"row-%d\">{{ .Name }} and {{ if .Ok }}yes{{ else }}no{{ end }}</li>\n") + "{{ range .Items }}{{ printf \"%d\" . }}{{ end }}\n"
	ini := repeat(15, "[section%d]\nname = value with words\npath = /usr/local/lib\n# a comment\n\n") + "[last]\nretries = 300\n"
	section := regexp.MustCompile(`(?m)^\[[^\]\n]+\]\n(.*\n)*retries = \d{3}$`)
	csv := "id,name,amount\n" + repeat(40, "%d,\"Smith, John\",12.50\n") + "41,\"Lee\"\n" + repeat(40, "9%d,Doe,7.25\n")
	query := "https://user@example.com:8080/a/b/c?" + strings.TrimSuffix(repeat(25, "key%d=value&"), "&") + "&x=%2F%2f&y=1#top"
	sexp := strings.Repeat("(let ((x 1) (y (+ 2 3))) ", 8) + "(div (- x y) 0)" + strings.Repeat(")", 8)
	prose := strings.Repeat("The quick brown fox doesn't jump over the lazy dog. ", 40) + "Needle in a haystack." + strings.Repeat(" It can't be found.\n", 30)
	sql := "SELECT " + strings.TrimSuffix(repeat(20, "t.col%d, "), ", ") + " FROM t JOIN u ON (t.id = u.id) WHERE a IN (1, 2, 3) AND (b LIKE '%x%' OR c IS NULL) ORDER BY a DESC"
	return []structured{
		{"json, a large number", object, func(s string) bool { return jsonHas(s, large) }, `{"":1e10}`},
		{"json, a key", object, func(s string) bool { return jsonHas(s, deep) }, `{"limits":""}`},
		{"json, indented", pretty.String(), func(s string) bool { return jsonHas(s, deep) }, `{"limits":""}`},
		{"json, two users", object, func(s string) bool {
			var v struct{ Users []map[string]any }
			return json.Unmarshal([]byte(s), &v) == nil && len(v.Users) > 1 && v.Users[0]["id"] != v.Users[len(v.Users)-1]["id"]
		}, `{"users":[{},{"id":0}]}`},
		{"go, a negation", source, func(s string) bool {
			return goHas(s, func(n ast.Node) bool { u, ok := n.(*ast.UnaryExpr); return ok && u.Op.String() == "-" })
		}, "-a"},
		{"go, a slice of an argument", source, func(s string) bool {
			return goHas(s, func(n ast.Node) bool {
				c, ok := n.(*ast.CallExpr)
				return ok && slices.ContainsFunc(c.Args, func(a ast.Expr) bool { _, ok := a.(*ast.SliceExpr); return ok })
			})
		}, "a(a[:])"},
		{"template, range with printf", tmpl, func(s string) bool {
			_, err := template.New("").Parse(s)
			return err == nil && strings.Contains(s, "range") && strings.Contains(s, "printf")
		}, "rangeprintf"},
		{"ini, a key in a section", ini, section.MatchString, "[a]\nretries = 000"},
		{"csv, too few fields", csv, func(s string) bool {
			lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
			return slices.ContainsFunc(lines, func(l string) bool {
				return strings.Count(l, ",") < strings.Count(lines[0], ",") && strings.Count(l, ",") > 0
			})
		}, ",,\n,"},
		{"url, an escape", query, func(s string) bool {
			u, err := url.Parse(s)
			return err == nil && u.Host != "" && u.RawQuery != u.Query().Encode() && u.Query().Has("x")
		}, "//a?x"},
		{"expression, a division", sexp, func(s string) bool {
			return strings.Count(s, "(") == strings.Count(s, ")") && regexp.MustCompile(`\(div [^()]*\([^()]+\) 0\)`).MatchString(s)
		}, "(div (a) 0)"},
		{"prose, a word", prose, func(s string) bool { return strings.Contains(s, "Needle") }, "Needle"},
		{"prose, long", prose, func(s string) bool { return len(strings.Fields(s)) >= 5 }, "a a a a a"},
		{"sql, a list and a pattern", sql, func(s string) bool {
			return regexp.MustCompile(`^SELECT .+ FROM \w+ .*IN \(\d+(, \d+)+\).*LIKE '.*%'`).MatchString(s)
		}, "SELECT a FROM a IN (0, 0)LIKE '%'"},
		{"numbers, a sum", strings.TrimSuffix(repeat(60, "%d+"), "+"), func(s string) bool {
			sum := 0
			for n := range strings.SplitSeq(s, "+") {
				x, err := strconv.Atoi(n)
				if err != nil {
					return false
				}
				sum += x
			}
			return sum >= 100
		}, "100"},
	}
}

// byLetters are the passes without those that use the structure of texts.
func byLetters() (some []pass) {
	for _, p := range passes {
		switch p.name {
		case "shorten texts by brackets and separators", "drop lines of texts", "shorten tokens of texts":
		default:
			some = append(some, p)
		}
	}
	return some
}

func minimiseText[T string | []byte](t *testing.T, c structured, by []pass) (least string, runs int) {
	t.Helper()
	w, err := schema.Derive(reflect.TypeFor[T](), nil)
	if err != nil {
		t.Fatal(err)
	}
	ran := map[uint64]bool{}
	s := newShrinker(Config{World: w, Fails: func(x term.Term) bool {
		if ran[term.Hash(x)] {
			t.Errorf("%s: run twice: %q", c.name, x.Bytes(0))
		}
		ran[term.Hash(x)] = true
		return c.fails(string(x.Bytes(0)))
	}}, term.AppendRaw(nil, w.Root.ID, c.text))
	for round(s, by) {
	}
	return string(s.best.Bytes(0)), s.budget.runs
}

// The twin shrinks texts letter by letter only. With structure, the result is never longer
// than that of the twin, and the whole set takes less than a fifth of the runs. A single text
// may take a few more, because each step depends on the steps before.
func TestTextsByStructure(t *testing.T) {
	sum, twinSum := 0, 0
	for _, c := range texts() {
		if !c.fails(c.text) {
			t.Errorf("%s: the text does not fail: %s", c.name, c.text)
			continue
		}
		got, runs := minimiseText[string](t, c, passes)
		twin, twinRuns := minimiseText[string](t, c, byLetters())
		t.Logf("| %s | %d | %d | %d | %d | %d |", c.name, len(c.text), twinRuns, len(twin), runs, len(got))
		sum, twinSum = sum+runs, twinSum+twinRuns
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if len(got) > len(twin) || runs > twinRuns*5/4 {
			t.Errorf("%s: %q in %d runs, and the twin %q in %d", c.name, got, runs, twin, twinRuns)
		}
		if again, n := minimiseText[string](t, c, passes); again != got || n != runs {
			t.Errorf("%s: the second time %q in %d runs, the first time %q in %d", c.name, again, n, got, runs)
		}
		least := c
		least.text = got
		if further, _ := minimiseText[string](t, least, passes); further != got {
			t.Errorf("%s: %q can be shrunk further, to %q", c.name, got, further)
		}
		if got, _ := minimiseText[[]byte](t, c, passes); len(got) > len(c.want) {
			t.Errorf("%s: as bytes %q, as a string %q", c.name, got, c.want)
		}
	}
	if sum*5 > twinSum {
		t.Errorf("%d runs, and %d without structure", sum, twinSum)
	}
}

// Cuts at the borders of a structure keep characters whole, whatever the text.
func TestStructureKeepsCharacters(t *testing.T) {
	text := strings.Repeat("{\"größe\": [“ä”, 'ö', <ü>];\n(世界 & 🙂)}, ", 9) + "\"unmatched ( ] }"
	for _, keep := range []string{"世", "ö'", "}, {", "ß\": [", "🙂)}"} {
		c := structured{name: keep, text: text, fails: func(s string) bool {
			if !utf8.ValidString(s) {
				t.Errorf("%q: not UTF-8: %q", keep, s)
			}
			return strings.Contains(s, keep)
		}}
		if got, _ := minimiseText[string](t, c, passes); got != keep {
			t.Errorf("got %q, want %q", got, keep)
		}
	}
}

// The number of runs with structure does not grow with the text if a small part matters.
func TestStructureOfLargeTexts(t *testing.T) {
	n := 20_000
	if testing.Short() {
		n = 2000
	}
	for _, hay := range []string{"{\"k\": [1, 2]},\n", "((", "a", "a;", "'"} {
		c := structured{name: hay, text: strings.Repeat(hay, n) + "needle" + strings.Repeat(hay, n), fails: func(s string) bool { return strings.Contains(s, "needle") }}
		if got, runs := minimiseText[string](t, c, passes); got != "needle" || runs > 300 {
			t.Errorf("%q: %d runs to %.50q", hay, runs, got)
		}
	}
}
