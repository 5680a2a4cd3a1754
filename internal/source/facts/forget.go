//go:build go1.25

package facts

import (
	"go/ast"
	"go/token"
	"slices"
)

// forgetsMax limits how many assignments of one function are forgotten. Statements that
// contain each other forget the same assignments again and again: 400 nested ones with
// an assignment each make 80,000. A function with more is generated, and the part that
// was walked by then has shown more patterns than are kept.
const forgetsMax = 100_000

// write is an expression that a function assigns to.
type write struct {
	at token.Pos
	to ast.Expr
}

// forgetIn calls forget for all assignments in a statement of the function that is being
// walked, because the statement may have run.
func (w *walker) forgetIn(st *state, n ast.Node) {
	i, _ := slices.BinarySearchFunc(w.writes, n.Pos(), func(a write, pos token.Pos) int { return int(a.at - pos) })
	for end := n.End(); i < len(w.writes) && w.writes[i].at < end; i++ {
		if w.forgets++; w.forgets > forgetsMax {
			w.steps = stepsMax // walk no further: the state would be wrong
			return
		}
		w.forget(st, w.writes[i].to)
	}
}

// writesOf returns the assignments in the body of a function, in order. Those in function
// literals are left out. They are found once for each function, because the walker asks
// about statements that contain each other.
func (x *Index) writesOf(body *ast.BlockStmt) []write {
	all, done := x.writes[body]
	if done {
		return all
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, e := range n.Lhs {
					all = append(all, write{e.Pos(), e})
				}
			}
		case *ast.IncDecStmt:
			all = append(all, write{n.Pos(), n.X})
		}
		return true
	})
	slices.SortStableFunc(all, func(a, b write) int { return int(a.at - b.at) })
	x.writes[body] = all
	return all
}
