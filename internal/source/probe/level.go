//go:build go1.25

package probe

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// level is what one pass over a function finds: where something in it may run probes.
// Function literals are not part of it; each has a level of its own.
//
// The walker asks about every statement and every condition, and a statement contains
// others. If each question looked at the whole statement again, deep nesting and long
// chains of operators would take quadratic time. So a level holds positions, in order,
// and a question about a node is a search for a position inside it.
type level struct {
	dirty    []token.Pos // operations that may run probes in other functions or goroutines
	operands []token.Pos // operators && and || whose right operand gets a probe
	branches bool
	gotos    bool
	early    map[*ast.IfStmt]bool // see returnsEarly
	rounds   bool                 // the function counts the rounds of its loops in a local variable
}

// look makes the level of a function.
func (p *Prober) look(body ast.Node) *level {
	v := &level{}
	ast.Inspect(body, func(n ast.Node) bool {
		p.visits++
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if !p.quiet(n) {
				v.dirty = append(v.dirty, n.Lparen)
			}
		case *ast.SendStmt:
			v.dirty = append(v.dirty, n.Arrow)
		case *ast.SelectStmt, *ast.GoStmt, *ast.DeferStmt:
			v.dirty = append(v.dirty, n.Pos())
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				v.dirty = append(v.dirty, n.OpPos)
			}
		case *ast.BinaryExpr:
			if p.hasProbe(n) {
				v.operands = append(v.operands, n.OpPos)
			}
		case *ast.RangeStmt:
			v.branches = true
			if p.rangesOver(n.X) != overData {
				v.dirty = append(v.dirty, n.For)
			}
		case *ast.BranchStmt:
			if n.Tok == token.GOTO {
				v.gotos = true
				v.dirty = append(v.dirty, n.TokPos)
			}
		case *ast.IfStmt, *ast.ForStmt, *ast.CaseClause, *ast.CommClause:
			v.branches = true
		}
		return true
	})
	slices.Sort(v.dirty) // an operator is visited before its operands, but the left one is in front of it
	slices.Sort(v.operands)
	return v
}

// silent reports whether a function gets no probe of its own and runs none.
func (v *level) silent() bool { return !v.branches && len(v.dirty)+len(v.operands) == 0 }

// within reports whether one of the positions, which are in order, lies in a node.
func within(n ast.Node, all []token.Pos) bool {
	if len(all) == 0 {
		return false
	}
	i, _ := slices.BinarySearch(all, n.Pos())
	return i < len(all) && all[i] < n.End()
}

// dirty reports whether a node of the current function may run probes in other functions
// or goroutines. After such a node, the position in a local variable is not up to date.
// The bodies of closures are ignored, because they run only when called.
func (p *Prober) dirty(n ast.Node) bool { return within(n, p.level.dirty) }

// probesOperands reports whether a node of the current function contains operands that
// get a probe. Such a probe is a call, so it changes the position in memory, but not in
// the local variable.
func (p *Prober) probesOperands(n ast.Node) bool { return within(n, p.level.operands) }

// Silent reports whether a function body gets no probe and runs none. known reports
// which callees run no probe.
func Silent(info *types.Info, body *ast.BlockStmt, known Options) bool {
	return (&Prober{info: info, opts: known, members: map[*ast.BinaryExpr]member{}}).look(body).silent()
}

// Straight reports whether a body has calls but no branches.
func Straight(info *types.Info, body *ast.BlockStmt) bool {
	v := (&Prober{info: info, members: map[*ast.BinaryExpr]member{}}).look(body)
	return !v.branches && len(v.dirty) > 0
}
