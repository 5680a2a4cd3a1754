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
// the path of a field that was moved into another struct, or "" if the field was removed. A
// key is the old name, or, if types have several such fields, Type.name.
//
//	codec.Renames{"Cost": "Price", "Zip": "Address.Zip", "Order.Gift": ""}
type Renames map[string]string

// ParseRenames reads renames as a user writes them: Cost=Price,Zip=Address.Zip,Gift=
func ParseRenames(text string) (Renames, error) {
	all := Renames{}
	for pair := range strings.SplitSeq(text, ",") {
		from, to, ok := strings.Cut(strings.TrimSpace(pair), "=")
		if !ok || !isPath(from) || to != "" && !isPath(to) {
			return nil, fmt.Errorf("want fields as in Old=New, or Old= for a field that was removed")
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
	if to, ok = n[t.Name()+"."+name]; !ok {
		to, ok = n[name]
	}
	return to, ok
}

// fieldExprs returns the expression of each field of a struct, nil if the literal omits it.
// Names of fields that the struct no longer has are looked up in renames, or recorded as
// losses.
func (r *resolver) fieldExprs(lit *ast.CompositeLit, t reflect.Type, fs []schema.Field) []ast.Expr {
	f := fieldSet{resolver: r, t: t, fields: fs, exprs: make([]ast.Expr, len(fs))}
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
	for _, l := range f.lost { // now all fields that the literal has are known
		if l.at < len(r.losses) {
			r.losses[l.at].Like = f.like(l)
		}
	}
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
}

// lostField is a field that the struct no longer has.
type lostField struct {
	name  string
	value ast.Expr
	at    int // index in losses
	after int // 1 + the field that was set before it
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

// rename sets the field that another field has become, if it was not removed. If to is a path,
// a literal is made for the struct that it leads into.
func (f *fieldSet) rename(elt ast.Node, value ast.Expr, to string) {
	if to == "" {
		return
	}
	kv := nested(to, value)
	name := kv.Key.(*ast.Ident).Name
	if i := f.index(name); i >= 0 && strings.Contains(to, ".") {
		if lit, ok := f.exprs[i].(*ast.CompositeLit); ok {
			more := kv.Value.(*ast.CompositeLit).Elts
			f.exprs[i] = &ast.CompositeLit{Type: lit.Type, Lbrace: lit.Lbrace, Elts: slices.Concat(lit.Elts, more)}
			return
		}
	}
	f.set(elt, kv.Value, name)
}

// nested returns an element of a struct literal that sets the field at the end of a path.
func nested(path string, value ast.Expr) *ast.KeyValueExpr {
	name, rest, more := strings.Cut(path, ".")
	if more {
		value = &ast.CompositeLit{Lbrace: value.Pos(), Elts: []ast.Expr{nested(rest, value)}}
	}
	return &ast.KeyValueExpr{Key: &ast.Ident{NamePos: value.Pos(), Name: name}, Value: value}
}

// gone records the loss of a field that the struct no longer has.
func (f *fieldSet) gone(elt ast.Node, value ast.Expr, name, reason string) {
	before := len(f.losses)
	if f.lose(elt, "%s", reason); len(f.losses) > before {
		f.losses[before].Gone, f.losses[before].Field = true, name
		if name != "" {
			f.lost = append(f.lost, lostField{name, value, before, f.last})
		}
	}
}

// likeMax is the number of lost fields of a case for which like is called: it tries the value
// of a lost field in many places.
const likeMax = 16

// like returns the field that a lost field has probably become: one that the literal does not
// set and that the value fits. A field of the same name in a struct below is most likely. Else
// the field has another name, but its place between other fields is mostly the same.
func (f *fieldSet) like(l lostField) (best string) {
	if f.liked++; f.liked > likeMax {
		return ""
	}
	next := l.after
	for next < len(f.fields) && f.exprs[next] == nil {
		next++
	}
	const elsewhere = 100 // more than the distance of any two names
	least := 2 * elsewhere
	for i, x := range f.fields {
		if inner := innerField(x.S, l.name); inner != nil && f.fits(inner, l.value) {
			return x.Name + "." + l.name
		}
		cost := distance(strings.ToLower(l.name), strings.ToLower(x.Name))
		if i < l.after || i >= next {
			if 2*cost > len(l.name) {
				continue // neither the place nor the name is the same
			}
			cost += elsewhere
		}
		if f.exprs[i] == nil && cost < least && f.fits(x.S, l.value) {
			best, least = x.Name, cost
		}
	}
	return best
}

// innerField returns the schema of a field of a struct, or nil.
func innerField(s *schema.Schema, name string) *schema.Schema {
	if s.Kind == schema.Struct || s.Kind == schema.Pointer {
		for _, f := range s.Ctors[len(s.Ctors)-1].Fields {
			if f.Name == name {
				return f.S
			}
		}
	}
	return nil
}

// fits reports whether an expression is a value of s.
func (f *fieldSet) fits(s *schema.Schema, e ast.Expr) bool {
	trial := *f.resolver
	trial.out, trial.losses, trial.path, trial.liked = nil, nil, nil, likeMax
	trial.value(s, e)
	f.nodes = trial.nodes
	return trial.err == nil && len(trial.losses) == 0
}

// distance returns how many letters must be changed, added or removed to make b of a. Of long
// names it looks at the beginning only.
func distance(a, b string) int {
	const most = 90
	x, y := []rune(a), []rune(b)
	x, y = x[:min(len(x), most)], y[:min(len(y), most)]
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		above := row[0] // of the row before, one to the left
		row[0] = i + 1
		for j := range y {
			cost := above
			if x[i] != y[j] {
				cost++
			}
			above = row[j+1]
			row[j+1] = min(cost, above+1, row[j]+1)
		}
	}
	return row[len(y)]
}
