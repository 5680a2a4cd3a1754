package mu2

import (
	"embed"
	"fmt"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
)

// tests are the properties. The names of the files end in .txt, so that the go command does not
// treat them as a part of this module.
//
//go:embed testdata
var tests embed.FS

// target is a module with a property that observes what the module computes.
type target struct {
	name string
	foreign.Module
	scope []string // packages with faults, relative to the module: its core logic
	every int      // if not 0: saved inputs judge one in this many faults at the end
}

// targets are two parsers, an expression language, a markdown converter, and an interpreter, which is
// the large one. A fault that survives runs with every input that can influence it, and a search of
// 15 seconds saves thousands: for yaml that takes three minutes, for goja more than twenty. So only a
// sample of the faults of the larger modules is judged at the end, the same in all arms.
var targets = []target{
	{name: "fastjson", Module: foreign.At("github.com/valyala/fastjson", "v1.6.10"), scope: []string{"", "/fastfloat"}},
	{name: "yaml", Module: foreign.At("gopkg.in/yaml.v3", "v3.0.1"), scope: []string{""}, every: 16},
	{name: "expr", Module: foreign.At("github.com/expr-lang/expr", "v1.17.7"),
		scope: []string{"", "/ast", "/builtin", "/checker", "/compiler", "/conf", "/optimizer", "/parser", "/parser/lexer",
			"/vm", "/vm/runtime"}, every: 16},
	{name: "goldmark", Module: foreign.At("github.com/yuin/goldmark", "v1.7.13"), scope: []string{"/..."}, every: 16},
	{name: "goja", Module: foreign.At("github.com/dop251/goja", "v0.0.0-20250309171923-bcd7cc6bf64c"), scope: []string{"/..."}, every: 80},
}

// packages returns the packages with faults and probes, for -scope.
func (t target) packages() string {
	var all []string
	for _, s := range t.scope {
		all = append(all, t.Path+s)
	}
	return strings.Join(all, ",")
}

// set returns the faults that saved inputs judge, for -set.
func (t target) set() string {
	if t.every == 0 {
		return "all"
	}
	return fmt.Sprintf("1/%d", t.every)
}

// source returns the text of the test.
func (t target) source() (string, error) {
	text, err := tests.ReadFile("testdata/" + t.name + "_test.go.txt")
	return strings.ReplaceAll(string(text), "MODULE", t.Path), err
}
