// Package codec writes terms as Go expressions and reads them back.
//
// The same text serves three readers: the developer who sees a counterexample,
// the compiler when it is pasted into a test, and allele when a case is loaded
// from a file. So gofmt would not change the text, and reading it relies on the
// names of fields and constructors, never on positions in a format. If a type
// changes between writing and reading, only the parts that no longer fit are
// lost, and each loss is reported.
//
//	text := codec.Print(world, t, codec.Style{Pkg: "example.com/tree"})
//	text.Decl("in")                                  // in := &Tree{K: 3}
//	data := codec.Encode(header, text.Expr)          // a case file
//	c, err := codec.Decode(world, file, data, nil)   // c.Term, c.Losses
//
// Printing builds a tree of pieces whose widths are known before the first line
// is broken, so it takes time linear in the term. Reading accepts any text and
// checks everything, since people edit these files by hand.
package codec

import (
	"cmp"
	"go/format"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Style describes where the text will be used. The zero value is for a reader
// outside of all packages.
type Style struct {
	Pkg   string // import path of the package that contains the text; its names are unqualified
	New   bool   // a pointer to a scalar is new(v), as in Go 1.26, else &[]T{v}[0]
	Case  bool   // for a case file: an unnamed root struct is in{...}, and a fallible builder is a plain call
	Width int    // composites wider than this are broken; 0 means 76

	// Consts maps values to names of constants of types declared in Pkg. A case
	// file with such names can only be read where the same constants are known.
	Consts ConstNames

	// Declared reports whether a type is declared at package level, which
	// reflection cannot distinguish from a type inside a function. Nil means all
	// are.
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
	Imports  []string // paths of the packages that Decl needs, sorted
	Nameable bool     // everything in Decl can be named in Style.Pkg, so it compiles there

	typ   string // type of the root
	typed bool   // Expr alone has that type
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
	// formatMax is the largest number of nodes for which go/format is run: it
	// takes 5 to 40 us for each node. Larger texts are too long to be read; they
	// only lack the alignment of values.
	formatMax = 20_000
)

// Print writes a term of the root as a Go expression. A line contains at most one
// composite unless all of it fits into the width, and gofmt does not change the
// text.
//
// A multi-line string may be in back quotes, so a text must not be indented line
// by line; go/format indents it correctly.
func Print(w *schema.World, t term.Term, st Style) Text {
	st.Width = cmp.Or(st.Width, widthDefault)
	p := &printer{world: w, style: st, types: map[reflect.Type]string{}, imports: map[string]string{}}
	d := p.value(view{t, zeros(w, t)}, 0, context{root: true})
	l := layout{width: st.Width}
	l.write(&d, 0)
	text := Text{Expr: string(l.out), typed: p.inferred(t)}
	if len(t) <= formatMax {
		text.Expr = formatted(text.Expr)
	}
	if !text.typed {
		text.typ = p.typeText(w.Root.Type)
	}
	text.Imports = slices.Sorted(maps.Keys(p.imports))
	text.Nameable = !p.unnameable
	return text
}

// formatted aligns the values of broken composites, which needs gofmt's own
// rules. A text that does not parse stays as it is; the call of a function
// without a name may not parse.
func formatted(expr string) string {
	const before = "package p\n\nvar _ = "
	src, err := format.Source([]byte(before + expr))
	if err != nil {
		return expr
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(src), before), "\n")
}

// zeros finds the subterms that are the zero value of their Go type, in one pass
// from the leaves to the root.
func zeros(w *schema.World, t term.Term) []bool {
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
	case schema.Made:
		return isZeroLiteral(s.Ctors[t[at].C])
	case schema.Choice:
		v := s.Ctors[t[at].C].Value
		return v != nil && zeros(w, v)[0]
	}
	return t[at].C == 0 // nil
}

// isZeroLiteral reports whether a builder is a composite literal without content,
// such as time.Time{}, or a nil.
func isZeroLiteral(c schema.Ctor) bool {
	return len(c.Fields) == 0 && (strings.HasSuffix(c.Func.Template, "{}") || isNilLiteral(c.Func))
}

func isNilLiteral(f *schema.Func) bool { return isReady(f) && strings.HasSuffix(f.Template, "(nil)") }
