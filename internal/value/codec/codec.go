//go:build go1.25

// Package codec writes terms as Go expressions and reads them back.
//
// The same text has three readers: the developer who sees a counterexample, the
// compiler when the text is pasted into a test, and allele when it loads a stored
// case from a file. So the text is formatted as by gofmt, and it is read by the
// names of fields and constructors, never by their order. If a type changes between
// writing and reading, only the parts that no longer fit are lost, and each loss is
// reported.
//
//	text := codec.Print(world, t, codec.Style{Pkg: "example.com/tree"})
//	text.Decl("in")                                  // in := &Tree{K: 3}
//	data := codec.Encode(header, text.Expr)          // a case file
//	c, err := codec.Decode(world, file, data, nil)   // c.Term, c.Losses
//
// Printing first builds a tree of text pieces with known widths, and then breaks it
// into lines, so it takes time linear in the size of the term. Reading accepts any
// text and checks everything, since people edit these files by hand.
package codec

import (
	"cmp"
	"go/format"
	"reflect"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Style describes where the text will be used. The zero Style is for a text outside
// of all packages, in which all names are qualified.
type Style struct {
	Pkg   string // import path of the package that contains the text; its names are unqualified
	New   bool   // print a pointer to a scalar as new(v), as Go 1.26 allows, instead of &[]T{v}[0]
	Case  bool   // for a case file: print an unnamed root struct as in{...}, and builders with two results as plain calls
	Width int    // composite literals wider than this are broken into lines; 0 means 76

	// Consts has the names of the constants of types declared in Pkg, which are
	// printed instead of their values. A case file with such names can be read only
	// with the same constants.
	Consts ConstNames

	// Declared reports whether a type is declared at package level. Reflection
	// cannot distinguish such a type from a type inside a function. If Declared is
	// nil, all types count as declared at package level.
	Declared func(pkgPath, name string) bool
}

// ConstNames has the names of the constants of a package.
type ConstNames interface {
	// Names returns the names of the constants of a type, by value: a decimal
	// number or a quoted string.
	Names(typeName string) map[string]string
}

// Text is a term as Go code.
type Text struct {
	Expr     string
	Imports  []string // the imports that Decl needs, as in an import declaration, sorted by path
	Nameable bool     // everything in Decl can be named in Style.Pkg, so Decl compiles there

	typ   string // type of the root
	typed bool   // Go infers that type from Expr
}

// Decl returns a statement that declares a variable with the value. It names the
// type only if Go would infer another one.
func (t Text) Decl(name string) string {
	if t.typed {
		return name + " := " + t.Expr
	}
	return "var " + name + " " + t.typ + " = " + t.Expr
}

const (
	widthDefault = 76
	// formatMax is the largest number of nodes for which go/format is run, since it
	// takes 5 to 40 us per node. In larger texts values are not aligned, but nobody
	// reads such long texts.
	formatMax = 20_000
	// formatBytes bounds the text that go/format is run on: a page of 64 KiB in which every
	// byte matters is one node.
	formatBytes = 1 << 18
)

// Print returns a term of the root type as a Go expression. A composite literal that
// does not fit into the width is broken into one line for each element. gofmt does
// not change the text.
//
// The text may contain multi-line strings in back quotes, so callers must not indent
// it line by line. go/format indents it correctly.
func Print(w *schema.World, t term.Term, st Style) Text {
	st.Width = cmp.Or(st.Width, widthDefault)
	p := &printer{world: w, style: st, types: map[reflect.Type]string{}, imports: map[string]string{}, aliases: map[string]bool{}}
	d := p.value(view{t, Zeros(w, t)}, 0, context{root: true})
	l := layout{width: st.Width}
	l.write(&d, 0)
	text := Text{Expr: string(l.out), typed: p.inferred(t)}
	if len(t) <= formatMax && len(text.Expr) <= formatBytes {
		text.Expr = formatted(text.Expr)
	}
	if !text.typed {
		text.typ = p.typeText(w.Root.Type)
	}
	text.Imports = p.specs()
	text.Nameable = !p.unnameable
	return text
}

// formatted aligns the values of composite literals with several lines, by gofmt's
// rules. If the text does not parse, it returns the text unchanged. This may happen
// if the text calls a function that has no name.
func formatted(expr string) string {
	const before = "package p\n\nvar _ = "
	src, err := format.Source([]byte(before + expr))
	if err != nil {
		return expr
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(src), before), "\n")
}

// Zeros reports, by position, which subterms are the zero value of their Go type. It
// makes one pass from the leaves to the root.
func Zeros(w *schema.World, t term.Term) []bool {
	zero := make([]bool, len(t))
	for _, at := range slices.Backward(slices.Collect(t.Nodes())) {
		zero[at] = isZero(w, t, at, zero)
	}
	return zero
}

func isZero(w *schema.World, t term.Term, at int, zero []bool) bool {
	s := w.Of(t[at])
	switch s.Kind {
	case schema.Scalar, schema.String:
		return t[at].X == 0
	case schema.Struct, schema.Complex, schema.Array:
		for k := range t.Kids(at) {
			if !zero[k] {
				return false
			}
		}
		return true
	case schema.Block:
		return s.ItemFrom(t.Bytes(at), 0) == s.Len
	case schema.Made:
		c := s.Ctors[t[at].C]
		return isZeroLiteral(c) || schema.Is[schema.Spelled](c.Func) && c.Func.Result.Kind() == reflect.String && zero[at+1]
	case schema.Choice:
		c := s.Ctors[t[at].C]
		return c.IsZero() || c.Value != nil && Zeros(w, c.Value)[0]
	case schema.Rule:
		return s.IsMatch() && s.Base.Kind == schema.String && len(s.Text(t.Sub(at))) == 0
	}
	return t[at].C == 0 // nil
}

// isZeroLiteral reports whether a builder is an empty composite literal such as
// time.Time{}, or a nil.
func isZeroLiteral(c schema.Ctor) bool {
	return len(c.Fields) == 0 && (strings.HasSuffix(c.Func.Template, "{}") || isNilLiteral(c.Func))
}

func isNilLiteral(f *schema.Func) bool { return f.IsReady() && strings.HasSuffix(f.Template, "(nil)") }
