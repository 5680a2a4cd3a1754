package scratch

import (
	"fmt"
	"testing"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"

	"github.com/allele-go/allele"
)

// property writes a tree as text and compiles that, which may be refused.
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

// try has a panic be an error: what counts here is the path.
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
