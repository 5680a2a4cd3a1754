//go:build go1.25

package fault

import (
	"go/ast"
	"go/token"
	"go/types"
	"unicode/utf8"

	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/worth"
)

// change is one fault at a place, for people.
type change struct{ operator, from, to string }

// Names of the operators.
const (
	opBoundary  = "boundary"
	opNegate    = "negate"
	opLogic     = "logic"
	opMath      = "math"
	opInvert    = "invert"
	opIncrement = "increment"
	opConstant  = "constant"
	opReturn    = "return"
	opDelete    = "delete"
)

// Operators returns the names of the operators, as the user writes them.
func Operators() []string {
	return []string{opBoundary, opNegate, opLogic, opMath, opInvert, opIncrement, opConstant, opReturn, opDelete}
}

// deleted is what a deleted statement is replaced by, for people.
const deleted = "(deleted)"

// wording writes the source of programs with a fault. Such a program compiles: what the change leaves unused is used.
type wording struct {
	Options
	worth *worth.Package
	info  *types.Info
	text  func(from, to token.Pos) string
}

// of returns which node is replaced by a change at a node, and by what.
func (c wording) of(n ast.Node, by change) (ast.Node, string) {
	switch {
	case by.operator == opReturn:
		if kept := c.worth.Keeps(n, by.from); kept != "" {
			return c.worth.Parent(n), kept + "; " + by.to
		}
		return c.worth.Parent(n), by.to
	case by.operator == opMath:
		return n, c.joined(n, by.to)
	case by.to == deleted:
		return n, c.worth.Keeps(n, by.from)
	}
	return n, by.to
}

// declined returns why a change is not made: hardly anybody would test it, or the changed program would not be tested at all.
// With Options.Near all changes are made: what counts is what a gate computes, and not whether somebody could write it.
func (c wording) declined(n ast.Node, operator, to string) string {
	if c.Near {
		return ""
	}
	made := worth.Change{Operator: operator, Node: n, To: to, Source: c.text}
	if why := c.worth.Quiet(made); why != "" && !c.Texts {
		return why
	}
	return c.worth.Rejected(made)
}

// unlikely returns why hardly any test would notice a change, or "".
func (c wording) unlikely(n ast.Node, operator, to string) string {
	if c.Near {
		return ""
	}
	return c.worth.Unlikely(worth.Change{Operator: operator, Node: n, To: to, Source: c.text})
}

// joined returns the source in place of two texts that are joined. It is the text that is left, unless the other one would not be
// used, or the text becomes a constant, which may have another type and which go vet may take for a format.
func (c wording) joined(n ast.Node, to string) string {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		between := c.text(n.X.End(), n.Y.Pos())
		switch {
		case n.Op != token.ADD || !c.isText(n):
		case to == c.src(n.X) && (c.info.Types[n.X].Value != nil || c.worth.Keeps(n.Y, "") != ""):
			return to + between + c.empty(n.Y)
		case to == c.src(n.Y) && (c.info.Types[n.Y].Value != nil || c.worth.Keeps(n.X, "") != ""):
			return c.empty(n.X) + between + to
		}
	case *ast.AssignStmt:
		x, y := n.Lhs[0], n.Rhs[0]
		switch {
		case to == deleted && c.worth.Keeps(y, "") == "":
			return ""
		case to == deleted:
			return c.text(n.Pos(), y.Pos()) + c.empty(y)
		case c.isText(x) && c.worth.Keeps(x, "") != "":
			return c.src(x) + " = " + c.empty(x) + " + " + c.src(y)
		}
	}
	return to
}

func (c wording) src(n ast.Node) string { return c.text(n.Pos(), n.End()) }

func (c wording) isText(x ast.Expr) bool {
	b, ok := c.info.TypeOf(x).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// empty returns the source of an empty text that is made from another one.
func (c wording) empty(x ast.Expr) string {
	switch x.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr, *ast.StarExpr:
		return "(" + c.src(x) + ")[:0]"
	}
	return c.src(x) + "[:0]"
}

// shortest returns the change of the source at an offset, without what stays the same at both ends.
func shortest(offset int, from, to string) site.Edit {
	same := func(a, b byte) bool { return a == b && a < utf8.RuneSelf }
	for len(from) > 0 && len(to) > 0 && same(from[0], to[0]) {
		from, to, offset = from[1:], to[1:], offset+1
	}
	for len(from) > 0 && len(to) > 0 && same(from[len(from)-1], to[len(to)-1]) {
		from, to = from[:len(from)-1], to[:len(to)-1]
	}
	return site.Edit{Offset: offset, Old: from, New: to}
}
