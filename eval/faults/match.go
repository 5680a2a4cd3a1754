package faults

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// A change of gremlins replaces one operator by another one. The same change is a fault of an
// operator with another name.

// replacement is the operator that a change of gremlins puts in place of another one.
var replacement = map[string]map[token.Token]token.Token{
	"ARITHMETIC_BASE":       {token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL},
	"CONDITIONALS_BOUNDARY": {token.GEQ: token.GTR, token.GTR: token.GEQ, token.LEQ: token.LSS, token.LSS: token.LEQ},
	"CONDITIONALS_NEGATION": {token.EQL: token.NEQ, token.NEQ: token.EQL, token.GEQ: token.LSS, token.GTR: token.LEQ,
		token.LEQ: token.GTR, token.LSS: token.GEQ},
	"INCREMENT_DECREMENT": {token.DEC: token.INC, token.INC: token.DEC},
	"INVERT_NEGATIVES":    {token.SUB: token.ADD},
	"INVERT_LOGICAL":      {token.LAND: token.LOR, token.LOR: token.LAND},
	"INVERT_BITWISE": {token.AND: token.OR, token.OR: token.AND, token.XOR: token.AND, token.AND_NOT: token.AND,
		token.SHL: token.SHR, token.SHR: token.SHL},
	"INVERT_ASSIGNMENTS": {token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN, token.MUL_ASSIGN: token.QUO_ASSIGN,
		token.QUO_ASSIGN: token.MUL_ASSIGN},
	"INVERT_BWASSIGN": {token.AND_ASSIGN: token.OR_ASSIGN, token.OR_ASSIGN: token.AND_ASSIGN, token.XOR_ASSIGN: token.AND_ASSIGN,
		token.AND_NOT_ASSIGN: token.AND_ASSIGN, token.SHL_ASSIGN: token.SHR_ASSIGN, token.SHR_ASSIGN: token.SHL_ASSIGN},
}

// ours is our name of a type of gremlins. Types that are missing have no counterpart:
// REMOVE_SELF_ASSIGNMENTS and INVERT_LOOPCTRL. A minus sign is not always subtraction.
var ours = map[string]string{
	"ARITHMETIC_BASE":       "math",
	"CONDITIONALS_BOUNDARY": "boundary",
	"CONDITIONALS_NEGATION": "negate",
	"INCREMENT_DECREMENT":   "increment",
	"INVERT_NEGATIVES":      "math",
	"INVERT_LOGICAL":        "logic",
	"INVERT_BITWISE":        "math",
	"INVERT_ASSIGNMENTS":    "math",
	"INVERT_BWASSIGN":       "math",
}

// operation is a place in the source with an operator.
type operation struct {
	tok        token.Token
	unary      bool
	at         position // of the operator
	start, end position // of the expression or statement
	offset     int      // of the operator in its file
	left       string   // source before the operator, within the expression
	right      string   // and after it
}

// position is a line and a column.
type position struct{ line, col int }

// spot is a position in a file of a module.
type spot struct {
	file string
	position
}

// operations lists the operators in the files of a module, by their positions.
type operations map[spot]operation

// scan reads the Go files of a module.
func scan(src string) (operations, error) {
	ops := operations{}
	return ops, filepath.WalkDir(src, func(file string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(src, file)
		if err != nil {
			return err
		}
		return ops.add(filepath.ToSlash(rel), text)
	})
}

func (ops operations) add(name string, text []byte) error {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	at := func(p token.Pos) (position, int) {
		full := set.PositionFor(p, false)
		return position{full.Line, full.Column}, full.Offset
	}
	ast.Inspect(file, func(n ast.Node) bool {
		var tok token.Token
		var pos token.Pos
		switch n := n.(type) {
		case *ast.BinaryExpr:
			tok, pos = n.Op, n.OpPos
		case *ast.UnaryExpr:
			tok, pos = n.Op, n.OpPos
		case *ast.IncDecStmt:
			tok, pos = n.Tok, n.TokPos
		case *ast.AssignStmt:
			tok, pos = n.Tok, n.TokPos
		default:
			return true
		}
		_, unary := n.(*ast.UnaryExpr)
		op := operation{tok: tok, unary: unary}
		var from, to int
		op.start, from = at(n.Pos())
		op.end, to = at(n.End())
		op.at, op.offset = at(pos)
		op.left, op.right = string(text[from:op.offset]), string(text[op.offset+len(tok.String()):to])
		ops[spot{name, op.at}] = op
		return true
	})
	return nil
}

// change returns what a change of gremlins does: the operation, and the operator that replaces its
// operator.
func (ops operations) change(g gremlin) (op operation, to token.Token, err error) {
	op, ok := ops[spot{g.File, position{g.Line, g.Col}}]
	if !ok {
		return op, to, fmt.Errorf("%s:%d:%d has no operator", g.File, g.Line, g.Col)
	}
	to, ok = replacement[g.Type][op.tok]
	if !ok {
		return op, to, fmt.Errorf("%s does not change %s", g.Type, op.tok)
	}
	return op, to, nil
}

// match returns our fault with the same change, or nil.
func (ops operations) match(g gremlin, byFile map[string][]fault) *fault {
	op, to, err := ops.change(g)
	if err != nil {
		return nil
	}
	operator := ours[g.Type]
	if op.unary {
		operator = "invert"
	}
	var found []*fault
	for i := range byFile[g.File] {
		f := &byFile[g.File][i]
		start, end := position{f.Line, f.Col}, position{f.EndLine, f.EndCol}
		if f.Operator == operator && (start == op.at || start == op.start && end == op.end) {
			found = append(found, f)
		}
	}
	if len(found) > 1 || operator == "increment" || operator == "math" {
		found = op.same(found, to)
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// same returns the faults whose result is the operation with another operator. A long result is
// shortened in the report, and cannot be compared if there are several.
func (op operation) same(found []*fault, to token.Token) (same []*fault) {
	want := squeeze(op.left + to.String() + op.right)
	for _, f := range found {
		got := squeeze(f.To)
		if got == want || got == to.String() || len(found) == 1 && strings.HasSuffix(got, "…") {
			same = append(same, f)
		}
	}
	return same
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// groups lists faults by their files.
func groups(all []fault) map[string][]fault {
	byFile := map[string][]fault{}
	for _, f := range all {
		byFile[f.File] = append(byFile[f.File], f)
	}
	return byFile
}
