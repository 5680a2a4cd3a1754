//go:build go1.25

package codec

import (
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/value/schema"
)

// Renames says what became of fields that types no longer have: the new name of a field, or
// the path of a field that was moved into another struct, or Dissolved, or "" if the field was
// removed. A key is the old name, or, if types have several such fields, Type.name.
//
//	codec.Renames{"Cost": "Price", "Zip": "Address.Zip", "Money": codec.Dissolved, "Order.Gift": ""}
type Renames map[string]string

// Dissolved is what became of a struct whose fields are now fields of the struct that had it.
const Dissolved = "."

// ParseRenames reads renames as a user writes them: Cost=Price,Zip=Address.Zip,Money=.,Gift=
func ParseRenames(text string) (Renames, error) {
	all := Renames{}
	for pair := range strings.SplitSeq(text, ",") {
		from, to, ok := strings.Cut(strings.TrimSpace(pair), "=")
		if !ok || !isPath(from) || to != "" && to != Dissolved && !isPath(to) {
			return nil, fmt.Errorf("want fields as in Old=New, or Old= for a field that was removed")
		}
		if other, twice := all[from]; twice && other != to {
			return nil, fmt.Errorf("%s is renamed twice", from)
		}
		all[from] = to
	}
	return all, nil
}

// isPath reports whether a text is one or more identifiers with dots between them.
func isPath(s string) bool {
	for name := range strings.SplitSeq(s, ".") {
		if !token.IsIdentifier(name) {
			return false
		}
	}
	return true
}

// of returns what became of a field of a struct type.
func (n Renames) of(t reflect.Type, name string) (to string, ok bool) {
	key, ok := n.key(t.Name(), name)
	return n[key], ok
}

// key returns the key for a field of a struct type.
func (n Renames) key(typ, name string) (key string, ok bool) {
	key = typ + "." + name
	if _, ok = n[key]; !ok {
		key = name
		_, ok = n[key]
	}
	return key, ok
}

// Keys returns the keys for fields that a case has and its type does not.
func (n Renames) Keys(losses []Loss) (keys []string) {
	for _, l := range losses {
		if key, ok := n.key(l.Struct, l.Field); ok && l.Gone {
			keys = append(keys, key)
		}
	}
	return keys
}

// fieldExprs returns the expression of each field of a struct, nil if the literal omits it.
// Names of fields that the struct no longer has are looked up in renames, or recorded as
// losses.
func (r *resolver) fieldExprs(lit *ast.CompositeLit, t reflect.Type, fs []schema.Field) []ast.Expr {
	f := fieldSet{resolver: r, t: t, fields: fs, exprs: make([]ast.Expr, len(fs)), foreign: typeKey(lit.Type) != r.keyOf(t)}
	var later []func() // renames, when all other fields are set
	for i, elt := range lit.Elts {
		name, value := "", elt
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			name, value = describe(kv.Key), kv.Value
		} else if i < t.NumField() {
			name = t.Field(i).Name
		} else {
			f.gone(elt, value, "", fmt.Sprintf("%s has no field %d", structName(t), i+1))
			continue
		}
		if to, renamed := r.renames.of(t, name); renamed && f.index(name) < 0 {
			later = append(later, func() { f.rename(elt, value, to) })
		} else {
			f.set(elt, value, name)
		}
	}
	for _, rename := range later {
		rename()
	}
	f.likely() // now all fields that the literal has are known
	return f.exprs
}

// fieldSet is the fields of a struct while its literal is read.
type fieldSet struct {
	*resolver
	t      reflect.Type
	fields []schema.Field
	exprs  []ast.Expr
	last   int // 1 + the field that was set last
	lost   []lostField

	foreign bool // the literal names another type
}

// lostField is a field that the struct no longer has.
type lostField struct {
	name  string
	value ast.Expr
	at    int // index in losses
	after int // 1 + the field that was set before it

	might []candidate // what it may have become
}

func (f *fieldSet) index(name string) int {
	return slices.IndexFunc(f.fields, func(x schema.Field) bool { return x.Name == name })
}

// set sets a field, or records a loss if there is no such field.
func (f *fieldSet) set(elt ast.Node, value ast.Expr, name string) {
	i := f.index(name)
	f.under(step{name: name}, func() {
		switch {
		case i < 0:
			f.gone(elt, value, name, fmt.Sprintf("%s has no field %s", structName(f.t), name))
		case f.exprs[i] != nil:
			f.lose(elt, "the field is set twice")
		default:
			f.exprs[i], f.last = value, i+1
		}
	})
}

// rename sets the field that another field has become, if it was not removed.
func (f *fieldSet) rename(elt ast.Node, value ast.Expr, to string) {
	switch lit := literalOf(value); {
	case to == "":
	case to != Dissolved:
		kv := nested(to, value)
		name := kv.Key.(*ast.Ident).Name
		if i := f.index(name); i >= 0 && f.exprs[i] != nil {
			if old := literalOf(f.exprs[i]); old != nil && strings.Contains(to, ".") {
				f.exprs[i] = merged(old, kv.Value.(*ast.CompositeLit))
				return
			}
		}
		f.set(elt, kv.Value, name)
	case lit == nil:
		f.lose(elt, "%s has no fields", describe(value))
	default:
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				f.set(kv, kv.Value, describe(kv.Key))
			} else {
				f.lose(e, "the literal does not name its fields")
			}
		}
	}
}

// literalOf returns the literal of a struct, or of a struct behind a pointer, or nil.
func literalOf(e ast.Expr) *ast.CompositeLit {
	e = unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = unparen(u.X)
	}
	lit, _ := e.(*ast.CompositeLit)
	return lit
}

// nested returns an element of a struct literal that sets the field at the end of a path.
func nested(path string, value ast.Expr) *ast.KeyValueExpr {
	name, rest, more := strings.Cut(path, ".")
	if more {
		value = &ast.CompositeLit{Lbrace: value.Pos(), Elts: []ast.Expr{nested(rest, value)}}
	}
	return &ast.KeyValueExpr{Key: &ast.Ident{NamePos: value.Pos(), Name: name}, Value: value}
}

// merged returns a literal with the element of another one, which nested made. If both have
// literals for a field, these are merged.
func merged(old, more *ast.CompositeLit) *ast.CompositeLit {
	elts := slices.Clone(old.Elts)
	add := more.Elts[0].(*ast.KeyValueExpr)
	i := slices.IndexFunc(elts, func(e ast.Expr) bool {
		kv, ok := e.(*ast.KeyValueExpr)
		return ok && describe(kv.Key) == describe(add.Key)
	})
	if i >= 0 {
		inner, new := literalOf(elts[i].(*ast.KeyValueExpr).Value), literalOf(add.Value)
		if inner != nil && new != nil {
			elts[i] = &ast.KeyValueExpr{Key: add.Key, Value: merged(inner, new)}
			return &ast.CompositeLit{Type: old.Type, Lbrace: old.Lbrace, Elts: elts}
		}
	}
	return &ast.CompositeLit{Type: old.Type, Lbrace: old.Lbrace, Elts: append(elts, add)}
}

// gone records the loss of a field that the struct no longer has.
func (f *fieldSet) gone(elt ast.Node, value ast.Expr, name, reason string) {
	before := len(f.losses)
	if f.lose(elt, "%s", reason); len(f.losses) > before {
		l := &f.losses[before]
		l.Gone, l.Field, l.Struct, l.foreign = true, name, f.t.Name(), f.foreign
		if name != "" {
			f.lost = append(f.lost, lostField{name: name, value: value, at: before, after: f.last})
		}
	}
}
