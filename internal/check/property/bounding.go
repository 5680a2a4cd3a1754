//go:build go1.25

package property

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/allele-go/allele/internal/search/slow"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/schema"
)

// Bounding returns the declaration that keeps inputs below a bound, as Go code.
func Bounding(p *Property, b slow.Bound) string {
	typ, _ := codec.TypeText(p.World, b.S.Type, p.Place.Style())
	if b.IsTime() {
		return at(b.Path, fmt.Sprintf("allele.Builder(func(seconds int64) time.Time { return time.Unix(seconds%%%d, 0) })", max(1, b.Max)))
	}
	switch whole := b.S.Kind == schema.Scalar && !b.S.IsFloat(); {
	case b.Func != nil && whole && declares(p, b.Func) && b.Field < len(b.Func.Args) && b.S.Type == b.Func.Args[b.Field].Type:
		return fmt.Sprintf("allele.Builder(%s, allele.Partial{Small: []int{%d}})", functionText(p, b.Func), b.Field)
	case typ == "" || b.S.IsList():
		return fmt.Sprintf("allele.Size(%d)", max(1, b.Max))
	case b.S.IsText():
		return at(b.Path, fmt.Sprintf("allele.Match[%s](`(?s).{0,%d}`)", typ, min(b.Max, matchMax)))
	case b.S.IsSigned() || b.S.IsFloat():
		return at(b.Path, fmt.Sprintf("allele.Range[%s](-%d, %d)", typ, b.Max, b.Max))
	}
	return at(b.Path, fmt.Sprintf("allele.Range[%s](0, %d)", typ, b.Max))
}

// matchMax is how often a regular expression may repeat something.
const matchMax = 1000

// at limits a declaration to a field, if there is a path to it.
func at(path []string, declaration string) string {
	if len(path) == 0 {
		return declaration
	}
	return fmt.Sprintf("allele.At(%q, %s)", strings.Join(path, "."), declaration)
}

// Bounded describes the part of an input that has a bound.
func Bounded(p *Property, b slow.Bound) string {
	what := "number"
	switch {
	case b.IsTime():
		what = "seconds from 1970"
	case b.S.IsText():
		what = "length"
	case b.S.Kind == schema.Map:
		what = "number of entries"
	case b.S.IsList():
		what = "number of elements"
	}
	switch {
	case b.Func != nil && b.Field < len(b.Func.Args) && b.S.Type == b.Func.Args[b.Field].Type:
		return fmt.Sprintf("argument %d of %s", b.Field, p.Place.builderName(b.Func))
	case b.Func != nil:
		return fmt.Sprintf("the %s of a %v in an argument of %s", what, b.S.Type, p.Place.builderName(b.Func))
	case len(b.Path) > 0:
		return fmt.Sprintf("the %s in in.%s", what, strings.Join(b.Path, "."))
	}
	return fmt.Sprintf("the %s of the %v", what, b.S.Type)
}

// declares reports whether an option of the Check declares a builder, which has a name.
func declares(p *Property, f *schema.Func) bool {
	if !f.Named {
		return false
	}
	for _, d := range p.Settings.Decls {
		m, ok := d.What.(*schema.Func)
		if through, encodes := d.What.(schema.Through); encodes {
			m, ok = through.Encoder, true
		}
		if ok && m.Name == f.Name {
			return true
		}
	}
	return false
}

// functionText returns a builder as an expression of the package under test: a method is a method
// expression.
func functionText(p *Property, f *schema.Func) string {
	name := p.Place.builderName(f)
	if schema.Is[schema.Mutator](f) && f.Args[0].Type.Kind() == reflect.Pointer {
		if typ, _ := codec.TypeText(p.World, f.Args[0].Type, p.Place.Style()); typ != "" {
			return fmt.Sprintf("(%s).%s", typ, name[strings.LastIndexByte(name, '.')+1:])
		}
	}
	return name
}
