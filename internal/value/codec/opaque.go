//go:build go1.25

package codec

import (
	"go/ast"
	"reflect"
	"strings"

	"github.com/allele-go/allele/internal/value/schema"
)

// A protobuf message of the opaque API is written with the builder that is generated for it:
//
//	pb.Order_builder{Id: new("a"), Card: pb.Card_builder{}.Build()}.Build()
//
// The term of the message has one field for a oneof. In the builder, each member of the oneof has a field.

const builderSuffix = "_builder"

// built prints the message at position at, as a pointer.
func (p *printer) built(v view, at int) doc {
	s := p.world.Of(v.t[at])
	var elems []doc
	at++
	for _, f := range s.Ctors[0].Fields {
		switch {
		case v.zero[at]:
		case f.S.Kind == schema.Interface && isOneof(f.S):
			member := f.S.Ctors[v.t[at].C].Fields[0]
			elems = append(elems, row(text(member.Name+": "), p.member(v, at+1, member)))
		default:
			elems = append(elems, row(text(f.Name+": "), p.value(v, at, context{})))
		}
		at += int(v.t[at].N)
	}
	return row(list(typeLeaf(p.typeText(s.Type)+builderSuffix+"{"), elems, "}"), text(".Build()"))
}

// member prints the value of a member of a oneof: a pointer, unless it is bytes.
func (p *printer) member(v view, at int, f schema.Field) doc {
	if k := f.S.Type.Kind(); k == reflect.Pointer || k == reflect.Slice {
		return p.value(v, at, context{})
	}
	c := cell{typ: f.S.Type, ptr: reflect.PointerTo(f.S.Type), fields: []schema.Field{{S: f.S}}}
	return p.pointer(v, at, c, context{})
}

// isOneof reports whether all variants of an interface are the wrappers of a oneof: structs with one field.
func isOneof(s *schema.Schema) bool {
	for c := 1; c < len(s.Ctors); c++ {
		if fs := s.Ctors[c].Fields; len(fs) != 1 || fs[0].Name == "" || s.Ctors[c].Call {
			return false
		}
	}
	return true
}

// message resolves a message of the opaque API: a call of Build, or what it points to.
func (r *resolver) message(s *schema.Schema, e ast.Expr) {
	if star, ok := e.(*ast.StarExpr); ok {
		e = unparen(star.X)
	}
	lit := builderOf(e)
	if lit == nil {
		r.structure(s, e, s.Type, s.Ctors[0].Fields) // &T{}, of an older case
		return
	}
	exprs, i := r.fieldExprs(lit, s.Type, builderFields(s)), 0
	for _, f := range s.Ctors[0].Fields {
		n := 1
		if f.S.Kind == schema.Interface && isOneof(f.S) {
			n = len(f.S.Ctors) - 1
			r.members(f.S, exprs[i:i+n])
		} else {
			r.under(step{name: f.Name}, func() {
				if exprs[i] == nil {
					r.zero(f.S, lit)
				} else {
					r.value(f.S, exprs[i])
				}
			})
		}
		i += n
	}
}

// members resolves a oneof, of which at most one member has an expression.
func (r *resolver) members(s *schema.Schema, exprs []ast.Expr) {
	for i, e := range exprs {
		if e == nil {
			continue
		}
		f := s.Ctors[i+1].Fields[0]
		at := r.open(s, i+1, 0)
		r.under(step{name: f.Name}, func() {
			if k := f.S.Type.Kind(); k == reflect.Pointer || k == reflect.Slice {
				r.value(f.S, e)
			} else {
				r.content(s, pointee(unparen(e)), cell{typ: f.S.Type, fields: []schema.Field{{S: f.S}}})
			}
		})
		r.seal(at)
		return
	}
	r.open(s, 0, 0)
}

// builderFields returns the fields of the builder of a message.
func builderFields(s *schema.Schema) (fs []schema.Field) {
	for _, f := range s.Ctors[0].Fields {
		if f.S.Kind != schema.Interface || !isOneof(f.S) {
			fs = append(fs, f)
			continue
		}
		for c := 1; c < len(f.S.Ctors); c++ {
			fs = append(fs, f.S.Ctors[c].Fields[0])
		}
	}
	return fs
}

// builderOf returns the literal of a builder whose method Build is called, or nil.
func builderOf(e ast.Expr) *ast.CompositeLit {
	call, ok := unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 0 {
		return nil
	}
	sel, ok := unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Build" {
		return nil
	}
	lit, ok := unparen(sel.X).(*ast.CompositeLit)
	if !ok || !strings.HasSuffix(typeKey(lit.Type), builderSuffix) {
		return nil
	}
	return lit
}

// builds reports whether an expression calls the builder of a message.
func (r *resolver) builds(s *schema.Schema, e ast.Expr) bool {
	lit := builderOf(e)
	return lit != nil && typeKey(lit.Type) == r.keyOf(s.Type)+builderSuffix
}
