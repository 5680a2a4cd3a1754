//go:build go1.25

package worth

import (
	"go/ast"
	"go/types"
)

// growers are functions that get memory for later. sizers have the size of a buffer as an argument.
var (
	growers = []string{"bytes.Buffer.Grow", "strings.Builder.Grow", "slices.Grow"}
	sizers  = []string{"bufio.NewReaderSize", "bufio.NewWriterSize"}
)

// sized returns what for a size is that changes nothing but speed.
func sized(p *Package, c Change) string {
	if s, ok := c.Node.(*ast.ExprStmt); ok && c.Operator == "delete" {
		switch call, ok := s.X.(*ast.CallExpr); {
		case ok && calls(p, call, growers...):
			return "a size hint"
		case ok && calls(p, call, "runtime.GC", "runtime.Gosched", "runtime.KeepAlive", "testing.common.Helper", "testing.TB.Helper"):
			return "a hint for the Go runtime or for package testing"
		}
		return ""
	}
	if !c.computes() {
		return ""
	}
	return inside(p, c.Node, func(call *ast.CallExpr, i int) string {
		switch {
		case p.builtin(call) == "make" && i > 0:
			return made(p, call, i, c)
		case calls(p, call, growers...) && i == len(call.Args)-1:
			return "a size hint"
		case calls(p, call, sizers...) && i == 1:
			return "the size of a buffer"
		}
		return ""
	})
}

// made is sized for an argument of make. A channel without a buffer is something else than one with a buffer.
func made(p *Package, call *ast.CallExpr, i int, c Change) string {
	switch t := p.info.TypeOf(call); t.Underlying().(type) {
	case *types.Map:
		return "the size hint of a map"
	case *types.Slice:
		if i == 2 {
			return "the capacity of a slice"
		}
	case *types.Chan:
		if before, after, ok := number(p, c); ok && before > 0 && after > 0 && call.Args[i] == c.Node {
			return "the buffer size of a channel"
		}
	}
	return ""
}
