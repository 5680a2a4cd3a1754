package coverage

import (
	"embed"
	"fmt"
	"path"
	"strings"

	"github.com/allele-go/allele/eval/scratch"
)

//go:embed testdata
var properties embed.FS

// target is a widely used library at a fixed version, with a property.
type target struct {
	name    string // its folder in testdata
	scope   string
	require string // line of go.mod
	gosum   string
	dials   map[string]string // way -> options for which texts have the same mean length
}

// Even odds (the way Even) generate trees of up to five levels, which is half of the
// size. The dials of the other ways are set so that their texts have the same mean
// length; for expr, texts with the default options have this length too. The dials were
// chosen with a seed that the experiment does not use. Then three dials of expr were
// corrected according to the length of texts of the first three seeds of the experiment.
// TunedAny repeats the comparison in the first thesis: trees have as many levels as with
// even odds, and texts may have any length.
var targets = []target{
	{
		name:    "expr",
		scope:   "github.com/expr-lang/expr/...",
		require: "github.com/expr-lang/expr v1.17.7",
		gosum: `github.com/expr-lang/expr v1.17.7 h1:Q0xY/e/2aCIp8g9s/LGvMDCC5PxYlvHgDZRQ4y16JX8=
github.com/expr-lang/expr v1.17.7/go.mod h1:8/vRC7+7HBzESEqt5kKpYXxrxkr31SaO8r40VO/1IT4=
`,
		dials: map[string]string{
			"Even":           `allele.Size(10)`,
			"Split":          `allele.Size(20)`,
			"TunedAny":       `allele.Size(10)`,
			"Tuned":          `allele.Size(10), allele.Distribution{MeanSize: 8.5}`,
			"TunedFlat":      `allele.Size(6), allele.Distribution{MeanSize: 9}`,
			"EvenFacts":      `allele.Size(6)`,
			"SplitFacts":     `allele.Size(20)`,
			"TunedFacts":     `allele.Size(10), allele.Distribution{MeanSize: 10}`,
			"TunedFlatFacts": `allele.Size(6), allele.Distribution{MeanSize: 10}`,
		},
	},
	{
		name:    "yaml",
		scope:   "gopkg.in/yaml.v3",
		require: "gopkg.in/yaml.v3 v3.0.1",
		gosum: `gopkg.in/check.v1 v0.0.0-20161208181325-20d25e280405 h1:yhCVgyC4o1eVCa2tZl7eS0r+SDo693bJlVdllGtEeKM=
gopkg.in/check.v1 v0.0.0-20161208181325-20d25e280405/go.mod h1:Co6ibVJAznAaIkqp8huTwlJQCZ016jof/cbN4VW5Yz0=
gopkg.in/yaml.v3 v3.0.1 h1:fxVm/GzAzEWqLHuvctI91KS9hhNmmWOoWu0XTYJS7CA=
gopkg.in/yaml.v3 v3.0.1/go.mod h1:K4uyk7z7BCEPqu6E+C64Yfv1cQ7kz7rIZviUmN+EgEM=
`,
		dials: map[string]string{
			"Even":           `allele.Size(10)`,
			"Split":          `allele.Size(11)`,
			"TunedAny":       `allele.Size(10)`,
			"Tuned":          `allele.Size(10), allele.Distribution{MeanSize: 14}`,
			"TunedFlat":      `allele.Size(6), allele.Distribution{MeanSize: 12}`,
			"EvenFacts":      `allele.Size(14)`,
			"SplitFacts":     `allele.Size(18)`,
			"TunedFacts":     `allele.Size(10), allele.Distribution{MeanSize: 34}`,
			"TunedFlatFacts": `allele.Size(6), allele.Distribution{MeanSize: 42}`,
		},
	},
}

const (
	even = `allele.Distribution{Cost: func(map[string]float64) float64 { return 0 }}` // the cost is constant, so the odds stay even
	none = `allele.Ignore{Builders: true, Patterns: true, Constants: true}`
)

// ways lists the compared ways of generating inputs. The first one is the baseline.
var ways = []struct{ name, id, options string }{
	{"even odds", "Even", even + ", " + none},
	{"size split", "Split", none},
	{"tuned, size not matched", "TunedAny", "allele.Distribution{}, " + none},
	{"tuned, 5 levels", "Tuned", "allele.Distribution{}, " + none},
	{"tuned, 3 levels", "TunedFlat", "allele.Distribution{}, " + none},
	{"even odds, facts", "EvenFacts", even},
	{"size split, facts", "SplitFacts", ""},
	{"tuned, 5 levels, facts", "TunedFacts", "allele.Distribution{}"},
	{"tuned, 3 levels, facts", "TunedFlatFacts", "allele.Distribution{}"},
}

const head = `package scratch

import (
	"fmt"
	"testing"

	"github.com/allele-go/allele"
)

// tally counts inputs, the bytes of their texts, and those that were accepted.
type tally struct{ inputs, bytes, accepted int }

//go:norace
func (t *tally) add(bytes int, err error) {
	t.inputs++
	t.bytes += bytes
	if err == nil {
		t.accepted++
	}
}
`

const test = `
func Test%[1]s%[2]d(t *testing.T) {
	seen := &tally{}
	property(t, seen, allele.Tests(%[2]d), %[3]s)
	fmt.Printf("TALLY %%d %%d %%d\n", seen.inputs, seen.bytes, seen.accepted)
}
`

// module makes a module with the property, and with a test for each pair of a way and a
// number of inputs.
func (t target) module(sizes []int) (*scratch.Module, error) {
	property, err := properties.ReadFile(path.Join("testdata", t.name, "property_test.go"))
	if err != nil {
		return nil, err
	}
	return scratch.New(map[string]string{
		"go.mod": "\nrequire " + t.require + "\n", "go.sum": t.gosum,
		"property_test.go": string(property), "ways_test.go": t.ways(sizes),
	})
}

func (t target) ways(sizes []int) string {
	var b strings.Builder
	b.WriteString(head)
	for _, w := range ways {
		options := strings.TrimSuffix(t.dials[w.id]+", "+w.options, ", ")
		for _, n := range sizes {
			fmt.Fprintf(&b, test, w.id, n, options)
		}
	}
	return b.String()
}
