//go:build go1.25

package fault

import (
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// namer writes types as source code at a position. It fails if a type has no name there:
// it is declared in another package that the file does not import, or its name is hidden
// by a declaration in a function.
type namer struct {
	r      *rewriter
	scope  *types.Scope
	at     token.Pos
	failed bool
}

func (r *rewriter) namer(at token.Pos) *namer {
	n := &namer{r: r, scope: r.pkg.Types.Scope().Innermost(at), at: at}
	n.failed = n.scope == nil
	return n
}

// typeName returns the name of a type at a position, or "".
func (r *rewriter) typeName(t types.Type, at token.Pos) string {
	n := r.namer(at)
	if s := n.name(t); !n.failed {
		return s
	}
	return ""
}

// means reports whether a predeclared name has its usual meaning at a position.
func (r *rewriter) means(name string, at token.Pos) bool {
	n := r.namer(at)
	return !n.failed && n.sees(name, types.Universe.Lookup(name))
}

func (n *namer) sees(name string, o types.Object) bool {
	_, found := n.scope.LookupParent(name, n.at)
	return found != nil && found == o
}

func (n *namer) fail() string { n.failed = true; return "" }

func (n *namer) name(t types.Type) string {
	if n.failed {
		return ""
	}
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Info()&types.IsUntyped != 0 || !n.sees(t.Name(), types.Universe.Lookup(t.Name())) {
			return n.fail()
		}
		return t.Name()
	case *types.Named:
		return n.object(t.Obj()) + n.arguments(t.TypeArgs())
	case *types.TypeParam:
		return n.object(t.Obj())
	case *types.Pointer:
		return "*" + n.name(t.Elem())
	case *types.Slice:
		return "[]" + n.name(t.Elem())
	case *types.Array:
		return "[" + strconv.FormatInt(t.Len(), 10) + "]" + n.name(t.Elem())
	case *types.Map:
		return "map[" + n.name(t.Key()) + "]" + n.name(t.Elem())
	case *types.Chan:
		return n.channel(t)
	case *types.Signature:
		return n.signature(t)
	case *types.Interface:
		if t.NumMethods() == 0 && t.NumEmbeddeds() == 0 {
			return "interface{}"
		}
	case *types.Struct:
		if t.NumFields() == 0 {
			return "struct{}"
		}
	}
	return n.fail()
}

func (n *namer) channel(t *types.Chan) string {
	switch t.Dir() {
	case types.SendOnly:
		return "chan<- (" + n.name(t.Elem()) + ")"
	case types.RecvOnly:
		return "<-chan (" + n.name(t.Elem()) + ")"
	}
	return "chan (" + n.name(t.Elem()) + ")"
}

func (n *namer) signature(t *types.Signature) string {
	if t.Variadic() || t.TypeParams().Len() > 0 {
		return n.fail()
	}
	return "func(" + n.tuple(t.Params()) + ") (" + n.tuple(t.Results()) + ")"
}

func (n *namer) tuple(t *types.Tuple) string {
	var all []string
	for i := range t.Len() {
		all = append(all, n.name(t.At(i).Type()))
	}
	return strings.Join(all, ", ")
}

func (n *namer) arguments(list *types.TypeList) string {
	if list.Len() == 0 {
		return ""
	}
	var all []string
	for i := range list.Len() {
		all = append(all, n.name(list.At(i)))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

func (n *namer) object(o *types.TypeName) string {
	if n.sees(o.Name(), o) { // also if its package is imported with a dot
		return o.Name()
	}
	if o.Pkg() == nil || o.Pkg() == n.r.pkg.Types || !o.Exported() {
		return n.fail()
	}
	for _, spec := range n.r.file.AST.Imports {
		p := n.r.pkg.Info.PkgNameOf(spec)
		if p != nil && p.Imported() == o.Pkg() && p.Name() != "." && n.sees(p.Name(), p) {
			return p.Name() + "." + o.Name()
		}
	}
	return n.fail()
}

// basicOf returns the basic type below a type. It returns false for a type parameter and
// for the invalid type.
func basicOf(t types.Type) (*types.Basic, bool) {
	if t == nil {
		return nil, false
	}
	if _, param := types.Unalias(t).(*types.TypeParam); param {
		return nil, false
	}
	b, ok := t.Underlying().(*types.Basic)
	return b, ok && b.Kind() != types.Invalid
}

func isUntyped(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}
