//go:build go1.25

package facts

import (
	"fmt"
	"strings"
	"testing"
)

func TestTypes(t *testing.T) {
	prog, x := scratch(t, map[string]string{
		"a/a.go": `package a

type Sealed interface{ sealed() }
type One struct{}
type Two int
type three struct{}
type Gen[T any] struct{}
type Other struct{}
type Embeds struct{ One }

func (One) sealed()    {}
func (Two) sealed()    {}
func (*three) sealed() {}
func (Gen[T]) sealed() {}

type Open interface{ Do() }

func (Other) Do() {}

type Constraint interface { // not the type of a value
	comparable
	Do()
}

type Shared interface{ Share(x int) string }

func (*One) Share(n int) string { return "" }

type Color uint8

const (
	Red Color = iota
	Green
	_
	Blue
	limit = 7
)

type Lone string

const Only Lone = "x"
`,
		"a/a_test.go": "package a\n\ntype fake struct{}\n\nfunc (fake) sealed() {}\nfunc (fake) Do() {}\n",
		"b/b_test.go": "package b_test\n\ntype fake struct{}\n\nfunc (fake) Do() {}\n",
		"b/b.go":      "package b\n\ntype B struct{}\n\nfunc (B) Share(y int) string { return \"\" }\n",
	})
	var got []string
	for _, pkg := range prog.Scope {
		n := InsideTests(pkg)
		for _, s := range x.Package(pkg).Sums {
			got = append(got, fmt.Sprintf("%s: %s", s.Interface(n), s.Zeros(n)))
		}
		for _, e := range x.Package(pkg).Enums {
			got = append(got, fmt.Sprintf("%s: %s", e.Type(n), e.Consts(n)))
		}
	}
	// Shared is implemented in b as well, so its variants are unknown. Types in tests of other
	// packages do not count.
	want := "Sealed: func() (x One) { return }(), func() (x Two) { return }(), (*three)(nil), func() (x Embeds) { return }()\nOpen: func() (x Other) { return }()\nColor: Red, Green, Blue"
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
}

// A type in a test file is a variant of an interface that a test file declares, or that no
// other type implements. Constants in test files count likewise.
func TestTypesOfTests(t *testing.T) {
	prog, x := scratch(t, map[string]string{
		"a/a.go": "package a\n\ntype Hook interface{ Fire(n int) }\ntype Plug interface{ Plug(...Level) }\ntype Level int\ntype Real interface{ Do() }\ntype R struct{}\n\nfunc (R) Do() {}\n",
		"a/a_test.go": "package a\n\ntype local interface{ Do() }\ntype fake struct{}\n\nfunc (fake) Do() {}\n\n" +
			"const (\n\tLow Level = iota\n\tHigh\n)\n",
		"b/b_test.go": "package b\n\nimport \"scratch/a\"\n\ntype hook struct{}\n\nfunc (*hook) Fire(n int) {}\nfunc (*hook) Plug(...a.Level) {}\n\ntype partly struct{ a.Plug }\ntype do struct{}\n\nfunc (do) Do() {}\n\n" +
			"const (\n\tone a.Level = 1\n\ttwo a.Level = 2\n)\n",
		"b/b.go":      "package b\n\nimport _ \"scratch/a\"\n",
		"c/c_test.go": "package c_test\n\nimport \"scratch/c\"\n\ntype one struct{ c.Sealed }\ntype two int\n\nfunc (two) Fire(int) {}\n\ntype own interface{ Fire(int) }\n",
		"c/c.go":      "package c\n\ntype Sealed interface{ sealed() }\ntype T struct{}\n\nfunc (*T) Fire(int) {}\n",
	})
	var got []string
	for _, pkg := range prog.Scope {
		for _, l := range x.Package(pkg).Lines() {
			got = append(got, pkg.Key()+": "+l.Text)
		}
	}
	want := strings.Join([]string{
		"scratch/a: Real is R",
		"scratch/a: local is R, fake",
		"scratch/a: Level is Low, High",
		"scratch/b: a.Plug is *hook",
		// Hook is implemented in package c too, so its variants are unknown.
		"scratch/c!external: own is two, *c.T",
	}, "\n")
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
}
