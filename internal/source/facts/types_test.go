//go:build go1.25

package facts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testkit"
)

func TestTypes(t *testing.T) {
	dir := testkit.Module(t, map[string]string{
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
		"b/b.go":      "package b\n\ntype B struct{}\n\nfunc (B) Share(y int) string { return \"\" }\n",
	})
	prog, err := load.Packages(load.Config{Dir: dir, Patterns: []string{"./..."}, Env: []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, pkg := range prog.Scope {
		for _, s := range Sums(prog, pkg) {
			got = append(got, fmt.Sprintf("%s: %s", s.Interface, strings.Join(s.Variants, " ")))
		}
		for _, e := range Enums(prog, pkg) {
			got = append(got, fmt.Sprintf("%s: %s", e.Type, strings.Join(e.Consts, " ")))
		}
	}
	// Shared is implemented in b as well, so its variants are unknown.
	want := "Sealed: func() (x One) { return }() func() (x Two) { return }() (*three)(nil) func() (x Embeds) { return }()\nOpen: func() (x Other) { return }()\nColor: Red Green Blue"
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
}
