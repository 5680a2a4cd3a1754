package kept

import (
	"strings"

	"github.com/allele-go/allele/eval/foreign"
)

// subject is a module at a version, with a property. The inputs have types of the module, or
// ordinary Go types, and nothing is declared about them.
type subject struct {
	name string
	foreign.Module
	test  string  // the file with the property, without its ending
	scope string  // relative to the path of the module: "" is the package of the module
	pass  float64 // the share of runs that pass, roughly; 0 means all
	bug   bug
}

// bug is a known bug of the version. A search of such a subject ends with its first failure.
type bug struct {
	name string // "" means that no bug is searched for
	sign string // part of the sign of its failure: the function that panics
}

// The bugs are public, and later versions of the modules do not have them.
var subjects = []subject{
	{name: "expr", Module: foreign.At("github.com/expr-lang/expr", "v1.17.7"), test: "expr", scope: "/...", pass: 0.4},
	{name: "roaring", Module: foreign.At("github.com/RoaringBitmap/roaring/v2", "v2.10.0"), test: "roaring"},
	{name: "jsonpatch", Module: foreign.At("github.com/evanphx/json-patch/v5", "v5.9.11"), test: "jsonpatch", scope: "/..."},
	{name: "expr857", Module: foreign.At("github.com/expr-lang/expr", "v1.17.6"), test: "expr", scope: "/...", pass: 0.4,
		bug: bug{name: "#857: three chained filters", sign: "optimizer.(*fold).Visit"}},
	{name: "indices", Module: foreign.At("github.com/evanphx/json-patch", "v4.11.0+incompatible"), test: "jsonpatch",
		bug: bug{name: "a path with a negative index", sign: "json-patch.(*partialArray)"}},
}

// packages returns what gets probes.
func (s subject) packages() string { return s.Path + s.scope }

// source returns the text of the test.
func (s subject) source() (string, error) {
	text, err := tests.ReadFile("testdata/" + s.test + "_test.go.txt")
	return strings.ReplaceAll(string(text), "MODULE", s.Path), err
}
