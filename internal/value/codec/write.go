//go:build go1.25

package codec

import (
	"cmp"
	"fmt"
	"go/token"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// printer turns terms into docs (see layout.go). It also records the imports that
// the text needs, and whether it uses something that cannot be named.
type printer struct {
	world      *schema.World
	style      Style
	types      map[reflect.Type]string
	imports    map[string]string // from import path to the name in the text
	aliases    map[string]bool   // the paths of imports with another name than that of the package
	pkgNames   map[string]string // the same for every package of the world's types
	unnameable bool
	shadowed   bool // inside of a program, whose variables hide other names
}

// view is a term with the result of zeros: which of its subterms are zero values.
type view struct {
	t    term.Term
	zero []bool
}

// context describes where an expression is used.
type context struct {
	root  bool
	typed bool // Go must infer the right type from the expression alone: it is stored in an interface or passed to new
	elide bool // it is an element of a list, where the type of a composite literal may be omitted
}

// value prints the subterm at position at. It is one switch over the kinds, kept whole.
func (p *printer) value(v view, at int, in context) doc {
	n := v.t[at]
	s := p.world.Of(n)
	switch s.Kind {
	case schema.Scalar:
		return p.scalar(s, p.world.Number(v.t, at), in)
	case schema.String:
		return p.text(s, string(v.t.Bytes(at)), in)
	case schema.Bytes:
		return p.bytes(s, v, at, in)
	case schema.Block:
		return p.block(s, v.t.Bytes(at), in)
	case schema.Struct:
		if s.Opaque() {
			return row(text("*"), p.built(v, at))
		}
		return p.fields(v, at+1, cell{typ: s.Type, fields: s.Ctors[0].Fields}, in)
	case schema.Complex:
		return p.complex(s, [2]uint64{v.t[at+1].X, v.t[at+2].X}, in)
	case schema.Pointer:
		if n.C == 0 {
			return p.null(s.Type, in)
		}
		return p.pointer(v, at+1, cell{typ: s.Type.Elem(), ptr: s.Type, fields: s.Ctors[1].Fields}, in)
	case schema.Interface:
		return p.variant(s, v, at)
	case schema.Made:
		f := s.Ctors[n.C].Func
		if schema.Is[schema.Calls](f) {
			return printCalls(p, s, v, at, in)
		}
		if lit, ok := f.Form.(schema.Literal); ok {
			return p.literal(f, lit, v, at, in)
		}
		return p.made(f, v, at)
	case schema.Choice:
		c := s.Ctors[n.C]
		if c.Value == nil {
			return p.opaque(s, int(n.C), in)
		}
		return p.value(view{c.Value, Zeros(p.world, c.Value)}, 0, in)
	case schema.Rule:
		flat := s.Flat(v.t.Sub(at))
		return p.value(view{flat, Zeros(p.world, flat)}, 0, in)
	}
	return p.list(s, v, at, in)
}

// opaque prints a declared value that is not a term: nil, or the name of a variable or function.
func (p *printer) opaque(s *schema.Schema, at int, in context) doc {
	t, c := s.Type, s.Ctors[at]
	if c.IsZero() && t.Kind() != reflect.Array {
		return p.null(t, in)
	}
	if c.IsZero() {
		return row(typeLeaf(p.typeText(t)), text("{}"))
	}
	return p.variable(t, c.Func, s.Again(at), in)
}

// null prints nil, converted to t if the context does not determine its type.
func (p *printer) null(t reflect.Type, in context) doc {
	if in.typed {
		return p.convert(t, text("nil"))
	}
	return text("nil")
}

func (p *printer) convert(t reflect.Type, x doc) doc {
	name := p.typeText(t)
	if strings.HasPrefix(name, "*") || strings.HasPrefix(name, "func") || strings.HasPrefix(name, "<-") {
		name = "(" + name + ")"
	}
	return row(typeLeaf(name+"("), x, text(")"))
}

// cell is the content of a struct, a pointer or an interface. It has the fields of a
// struct, or one field without a name for a value of another type.
type cell struct {
	typ    reflect.Type // type of the content
	ptr    reflect.Type // type of the pointer to it, if there is one
	fields []schema.Field
}

// inline reports whether the fields of the cell are those of a struct.
func (c cell) inline() bool { return len(c.fields) != 1 || c.fields[0].Name != "" }

// fields prints a struct literal. Fields that are zero are omitted, except in the
// unnamed struct that has a property's inputs as its fields: there every input is
// printed, even if it is zero. A case file also names constants that are zero.
func (p *printer) fields(v view, at int, c cell, in context) doc {
	open := p.open(c, in)
	inputs := in.root && c.ptr == nil && c.typ.Name() == ""
	var elems []doc
	for _, f := range c.fields {
		if !v.zero[at] || inputs || p.style.Case && p.namedZero(v, at) {
			p.reachable(c.typ, f.Name)
			elems = append(elems, row(text(f.Name+": "), p.value(v, at, context{})))
		}
		at += int(v.t[at].N)
	}
	return list(open, elems, "}")
}

// namedZero reports whether a zero value contains a constant that has a name. If somebody inserts
// a constant before it, zero means another one, and a case that omits it is another input.
func (p *printer) namedZero(v view, at int) bool {
	switch s := p.world.Of(v.t[at]); s.Kind {
	case schema.Scalar:
		return p.constName(s.Type, scalarKey(s, v.t[at].X)) != ""
	case schema.String:
		return p.constName(s.Type, `""`) != ""
	case schema.Choice:
		value := s.Ctors[v.t[at].C].Value
		return value != nil && p.namedZero(view{t: value}, 0)
	case schema.Struct:
		for k := range v.t.Kids(at) {
			if p.namedZero(v, k) {
				return true
			}
		}
	}
	return false
}

// open returns the beginning of a composite literal.
func (p *printer) open(c cell, in context) doc {
	switch {
	case in.elide:
		return text("{")
	case in.root && c.ptr == nil && p.style.Case && c.typ.Kind() == reflect.Struct && c.typ.Name() == "":
		return text("in{")
	case c.ptr != nil:
		return typeLeaf("&" + p.typeText(c.typ) + "{")
	}
	return typeLeaf(p.typeText(c.typ) + "{")
}

// reachable records that the text names a field of t. If it is an unexported field
// of another package, the text does not compile.
func (p *printer) reachable(t reflect.Type, field string) {
	if token.IsExported(field) || t.PkgPath() != "" && t.PkgPath() == p.style.Pkg {
		return
	}
	if f, ok := t.FieldByName(field); !ok || f.PkgPath != p.style.Pkg {
		p.unnameable = true
	}
}

func (p *printer) pointer(v view, at int, c cell, in context) doc {
	named := c.ptr.Name() != ""
	if named {
		in.elide = false // Go does not allow omitting the & if the pointer type has a name
	}
	d := p.address(v, at, c, in)
	if named && in.typed {
		return p.convert(c.ptr, d)
	}
	return d
}

// address prints a pointer to a new value. Go allows & only for composite literals,
// so other values need new or a slice.
func (p *printer) address(v view, at int, c cell, in context) doc {
	if c.inline() {
		return p.fields(v, at, c, context{elide: in.elide})
	}
	s := p.world.Of(v.t[at])
	switch {
	case s.Opaque():
		return p.built(v, at)
	case p.composite(v, at):
		d := p.value(v, at, context{elide: in.elide})
		if in.elide {
			return d
		}
		return row(text("&"), d)
	case p.style.New && s.Kind == schema.Interface:
		return row(text("new("), p.convert(c.typ, p.value(v, at, context{})), text(")"))
	case p.style.New:
		return row(text("new("), p.value(v, at, context{typed: true}), text(")"))
	case s.Kind == schema.Scalar && v.zero[at]:
		return row(text("new("), typeLeaf(p.typeText(c.typ)), text(")"))
	}
	open := typeLeaf("&[]" + p.elemText(c.typ) + "{")
	return row(open, p.value(v, at, context{elide: true}), text("}[0]"))
}

// composite reports whether a subterm prints as a composite literal.
func (p *printer) composite(v view, at int) bool {
	n := v.t[at]
	switch s := p.world.Of(n); s.Kind {
	case schema.Struct, schema.Array, schema.Block:
		return !s.Opaque()
	case schema.Slice, schema.Map:
		return n.C != 0
	case schema.Bytes:
		return n.C != 0 && !asText(s.Type, v.t.Bytes(at))
	case schema.Choice:
		value := s.Ctors[n.C].Value
		return value != nil && p.composite(view{t: value}, 0)
	case schema.Rule:
		return p.composite(view{t: s.Flat(v.t.Sub(at))}, 0)
	case schema.Made:
		return schema.Is[schema.Literal](s.Ctors[n.C].Func)
	}
	return false
}

func (p *printer) variant(s *schema.Schema, v view, at int) doc {
	n := v.t[at]
	if n.C == 0 {
		return text("nil")
	}
	typ, fs := s.Variant(int(n.C)), s.Ctors[n.C].Fields
	switch c := (cell{typ: typ, fields: fs}); {
	case boxesPointer(typ, fs):
		return p.pointer(v, at+1, cell{typ: typ.Elem(), ptr: typ, fields: fs}, context{typed: true})
	case c.inline():
		return p.fields(v, at+1, c, context{})
	}
	return p.value(v, at+1, context{typed: true})
}

// boxesPointer reports whether a variant is a pointer and its fields are those of
// the value that the pointer points to.
func boxesPointer(variant reflect.Type, fs []schema.Field) bool {
	direct := len(fs) == 1 && fs[0].Name == "" && fs[0].S.Type == variant
	return variant.Kind() == reflect.Pointer && !direct
}

func (p *printer) list(s *schema.Schema, v view, at int, in context) doc {
	n := v.t[at]
	if s.Kind != schema.Array && n.C == 0 {
		return p.null(s.Type, in)
	}
	open := p.open(cell{typ: s.Type}, in)
	if s.Kind != schema.Map && n.X >= longMin {
		return list(open, p.longList(s, v, at), "}")
	}
	elems := make([]doc, 0, n.X)
	for i, end := at+1, at+int(n.N); i < end; i += int(v.t[i].N) {
		d := p.value(v, i, context{elide: true})
		if s.Kind == schema.Map {
			i += int(v.t[i].N)
			d = row(d, text(": "), p.value(v, i, context{elide: true}))
		}
		elems = append(elems, d)
	}
	return list(open, elems, "}")
}

// longMin is the length of a list in which zeros may be left out.
const longMin = 16

// longList prints the elements of a long list. Many zeros in a row are left out, and the next element gets
// its index. The last element of a slice stays, because it shows the length.
func (p *printer) longList(s *schema.Schema, v view, at int) (elems []doc) {
	zeros, max := []int(nil), zerosMax
	if s.Kind == schema.Slice {
		max = longMin
	}
	index, length := 0, int(v.t[at].X)
	for i := at + 1; index < length; i, index = i+int(v.t[i].N), index+1 {
		last := s.Kind == schema.Slice && index == length-1
		if v.zero[i] && !last && !(p.style.Case && p.namedZero(v, i)) {
			zeros = append(zeros, i)
			continue
		}
		d := p.value(v, i, context{elide: true})
		if len(zeros) > max {
			d = keyed(index, d)
		} else {
			for _, z := range zeros {
				elems = append(elems, p.value(v, z, context{elide: true}))
			}
		}
		elems, zeros = append(elems, d), zeros[:0]
	}
	return elems
}

func (p *printer) bytes(s *schema.Schema, v view, at int, in context) doc {
	if v.t[at].C == 0 {
		return p.null(s.Type, in)
	}
	b := v.t.Bytes(at)
	if asText(s.Type, b) {
		return p.convert(s.Type, text(strconv.Quote(string(b))))
	}
	elems := make([]doc, len(b))
	for i := range b {
		name := p.constName(s.Type.Elem(), strconv.Itoa(int(b[i])))
		elems[i] = text(cmp.Or(name, fmt.Sprintf("0x%02x", b[i])))
	}
	return list(p.open(cell{typ: s.Type}, in), elems, "}")
}

// asText reports whether to print bytes as a string, which is more readable if all
// characters are printable.
func asText(t reflect.Type, b []byte) bool {
	if len(b) == 0 || !utf8.Valid(b) || t.Elem() != reflect.TypeFor[byte]() {
		return false
	}
	for _, r := range string(b) {
		if !unicode.IsPrint(r) && r != '\n' && r != '\t' {
			return false
		}
	}
	return true
}

// inferred reports whether Go infers the type of the root from the printed
// expression alone.
func (p *printer) inferred(t term.Term) bool {
	s := p.world.Of(t[0])
	switch s.Kind {
	case schema.Choice:
		v := s.Ctors[t[0].C].Value
		return v != nil && p.inferred(v)
	case schema.Rule:
		return p.inferred(s.Flat(t))
	case schema.Interface:
		return false
	case schema.Pointer:
		return t[0].C != 0 && s.Type.Name() == ""
	case schema.Slice, schema.Map, schema.Bytes:
		return t[0].C != 0
	case schema.Scalar:
		x := t[0].X
		isDefault := s.Type == reflect.TypeFor[int]() || s.Type == reflect.TypeFor[bool]() ||
			s.Type == reflect.TypeFor[float64]() && math.Float64frombits(x) != math.Trunc(math.Float64frombits(x))
		return isDefault || p.constName(s.Type, scalarKey(s, x)) != "" || s.ConstName(x) != ""
	case schema.String:
		return s.Type == reflect.TypeFor[string]() || p.constName(s.Type, strconv.Quote(string(t.Bytes(0)))) != ""
	case schema.Complex:
		return s.Type == reflect.TypeFor[complex128]()
	}
	return true
}
