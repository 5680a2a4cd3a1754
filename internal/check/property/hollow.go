//go:build go1.25

package property

import (
	"reflect"
	"strings"

	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/schema"
)

// Hollow is an interface of the user that has no variants.
type Hollow struct {
	What   string // in[]: shop.Op has no variants, so it is always nil
	Type   string // the interface, as code of the property's package writes it; empty if the package cannot name it
	Option string // declares the types in sight that implement the interface; empty if there are none
}

// Note returns a line about the interface for the report of a failure.
func (h Hollow) Note() string {
	switch {
	case h.Option != "":
		return h.What + "; declare its variants: " + h.Option
	case h.Type == "":
		return h.What + "; declare allele.Builder for a type that contains it"
	}
	return h.What + "; declare its variants with allele.Variants, or that nil is intended: " + h.Nil()
}

// Nil returns the option which declares that nil is intended.
func (h Hollow) Nil() string { return "allele.Values[" + h.Type + "](nil)" }

// Hollows returns the interfaces without variants, each once. It reads the source of the
// property's package and of the package that declares the interface.
func Hollows(p *Property) (all []Hollow) {
	seen := map[reflect.Type]bool{}
	for _, h := range p.World.Hollow {
		if seen[h.Type] {
			continue
		}
		seen[h.Type] = true
		name := p.Place.typeName(h.Type)
		hollow := Hollow{What: h.String(), Type: name}
		if values := inSight(p, h); len(values) > 0 && name != "" {
			hollow.Option = "allele.Variants[" + name + "](" + strings.Join(values, ", ") + ")"
		}
		all = append(all, hollow)
	}
	return all
}

// inSight returns values of the types that implement an interface and that the package of the
// property can name.
func inSight(p *Property, h schema.Hollow) (values []string) {
	own, theirs := p.Place.Package(), strings.TrimSuffix(h.Type.PkgPath(), "_test")
	if theirs != own {
		src, _ := p.Place.source(theirs)
		values = src.Implementers(h.Type, codec.Sight{Path: theirs, From: p.Place.Pkg})
	}
	if len(values) > 0 {
		return values // types of other packages may be test doubles
	}
	src, _ := p.Place.source(own)
	return src.Implementers(h.Type, codec.Sight{Path: own, From: p.Place.Pkg})
}
