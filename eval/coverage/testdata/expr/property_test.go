package scratch

import (
	"fmt"
	"testing"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"

	"github.com/allele-go/allele"
)

// property prints a tree as text and compiles the text. The compiler may reject it.
func property(t *testing.T, seen *tally, opts ...allele.Option) {
	allele.Check(t, func(t *allele.T, in ast.Node) {
		var text string
		err := try(func() error { text = in.String(); return nil })
		if err == nil {
			err = try(func() error { _, err := expr.Compile(text); return err })
		}
		seen.add(len(text), err)
	}, opts...)
}

// try turns a panic into an error: here only the path counts.
//
//go:norace
func try(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return f()
}
