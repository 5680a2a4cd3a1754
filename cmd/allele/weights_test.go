//go:build go1.25

package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/proc/dist"
	"github.com/allele-go/allele/internal/source/facts"
	"github.com/allele-go/allele/internal/testkit"
)

const weighedSource = `package html

type Html interface{ html() }

type (
	Text   struct{ S string }
	Single struct{ Tag string }
	Tag    struct { Name string; In Html }
	Join   struct{ L, R Html }
)

func (Text) html()   {}
func (Single) html() {}
func (Tag) html()    {}
func (Join) html()   {}

func Bold(in Html) Html { return Tag{"b", in} }

func simplify(in Html) Html {
	if j, ok := in.(Join); ok {
		if _, ok := j.L.(Text); ok {
			return j.R
		}
	}
	return in
}
`

const weighedTest = `package html

import (
	"testing"

	"github.com/allele-go/allele"
)

func TestDepth(t *testing.T) { allele.Check(t, func(t *allele.T, in Html) {}, allele.Distribution{Depth: 10, Untuned: true}) }

func TestList(t *testing.T) { allele.Check(t, func(t *allele.T, in []Html) {}) }

func TestTwo(t *testing.T) { allele.Check(t, func(t *allele.T, in Html) {}, allele.Only[Html]("Text", "Join")) }

func TestUniform(t *testing.T) { allele.Check(t, func(t *allele.T, in Html) {}, allele.Distribution{}) }

func TestWanted(t *testing.T) {
	allele.Check(t, func(t *allele.T, in Html) {}, allele.Distribution{Proportions: map[string]float64{"Join": 2, "Text": 1}})
}
`

// The written weights have the same effect as allele.Distribution{}.
func TestWeights(t *testing.T) {
	apart(t)
	dir := testkit.Module(t, map[string]string{"html.go": weighedSource, "html_test.go": weighedTest})
	before := seen(t, dir, "TestUniform")
	out, exit := allele(t, "facts", "-C", dir, "-write", "-weights", ".")
	if exit != exitOK || out != "scratch: wrote "+facts.DeclarationsFile+"\n" {
		t.Fatalf("exit %d\n%s", exit, out)
	}
	file := filepath.Join(dir, facts.DeclarationsFile)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	has(t, string(text), "// Html: TestDepth, to a depth of 10; TestList and 1 more would have other weights\n", `allele.Weight[Html]("Join", 0.`,
		`allele.Weight[Html]("Bold", 0.`, `allele.Weight[Html]("simplify#1", 0.`, "go tool allele dist TestDepth\n")
	after := seen(t, dir, "TestDepth")
	for name, want := range before {
		if got := after[name]; math.Abs(got-want) > want/10 {
			t.Errorf("%s: %.3g by weights, %.3g by allele.Distribution{}", name, got, want)
		}
	}
	if len(before) != 7 || len(after) != 7 {
		t.Errorf("%v, %v", before, after)
	}
	if out, exit := testkit.Go(t, dir, nil, "test", "."); exit != 0 {
		t.Errorf("go test: exit %d\n%s", exit, out)
	}
	allele(t, "facts", "-C", dir, "-write", "-weights", ".")
	if again, _ := os.ReadFile(file); string(again) != string(text) {
		t.Errorf("written again it is another:\n%s", testkit.Diff(string(text), string(again)))
	}
	out, _ = allele(t, "facts", "-C", dir, "-weights", ".")
	has(t, out, "\nweights    Html is Text 0.")
}

// seen returns how often each constructor is generated, with the settings of the Check.
func seen(t *testing.T, dir, property string) map[string]float64 {
	t.Helper()
	out, exit := allele(t, "dist", "-C", dir, "-n", "20000", "-json", "^html."+property+"$|^scratch."+property+"$")
	var d dist.Dist
	if err := json.Unmarshal([]byte(out), &d); err != nil || exit != exitOK {
		t.Fatalf("%v, exit %d\n%s", err, exit, out)
	}
	all := map[string]float64{}
	for _, typ := range d.Types {
		for _, w := range typ.Ways {
			all[typ.Name+"."+w.Label] = w.Counts[0].Seen
		}
	}
	return all
}

// A property whose distribution cannot be computed is reported, and the others are used.
// Types without weights are reported too.
func TestWeightsOfSome(t *testing.T) {
	apart(t)
	test := strings.Replace(weighedTest, "func TestDepth(t *testing.T) {", "func TestDepth(t *testing.T) {\n\tif strings.Contains(os.Getenv(\"ALLELE_JOB\"), `\"mode\":\"dist\"`) {\n\t\tos.Exit(3)\n\t}\n", 1)
	test = strings.Replace(test, `import (`, "import (\n\t\"os\"\n\t\"strings\"", 1)
	test += "\nfunc TestLocal(t *testing.T) {\n\ttype own interface{ Html }\n\tallele.Check(t, func(t *allele.T, in own) {}, allele.Variants[own](Text{}, Join{}))\n}\n"
	dir := testkit.Module(t, map[string]string{"html.go": weighedSource, "html_test.go": test})
	out, exit := allele(t, "facts", "-C", dir, "-weights")
	if exit != exitOK {
		t.Errorf("exit %d", exit)
	}
	has(t, out, "allele facts: skipped a property: scratch.TestDepth: the test process exited", "scratch: no weights for 1 type that cannot be named", ": own; ", "\nweights    Html is ")
}
