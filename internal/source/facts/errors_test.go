//go:build go1.25

package facts

import "testing"

// Errors are variables that errors.New or fmt.Errorf makes, outside test files.
func TestErrors(t *testing.T) {
	prog, x := scratch(t, map[string]string{
		"a/a.go": `package a

import (
	"errors"
	"fmt"
)

var ErrOne = errors.New("one")

var (
	errTwo, ErrThree = errors.New("two"), (fmt.Errorf("%w", ErrOne))
	ErrTyped error   = errors.New("four")
	ErrCopy          = ErrOne
	_                = errors.New("none")
	name, ErrPair    = pair()
	ErrOwn           = &own{}
	New              = errors.New
	ErrOther         = fmt.Sprint("x")
)

type own struct{}

func (*own) Error() string { return "" }

func pair() (string, error) { return "", nil }

func f() error { var errLocal = errors.New("local"); return errLocal }
`,
		"a/a_test.go": "package a\n\nimport \"errors\"\n\nvar errTest = errors.New(\"test\")\n",
		"b/b.go":      "package b\n",
	})
	for _, pkg := range prog.Scope {
		got := ""
		if e := x.Errors(pkg); e != nil {
			got = e.Pairs(readable(pkg.Types.Path()))
		}
		want := map[string]string{"scratch/a": `"a.ErrOne", ErrOne, "a.errTwo", errTwo, "a.ErrThree", ErrThree, "a.ErrTyped", ErrTyped`}[pkg.Path]
		if got != want {
			t.Errorf("%s: %s, want %s", pkg.Path, got, want)
		}
	}
}
