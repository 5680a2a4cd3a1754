//go:build go1.25

package property

import (
	"strings"

	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/schema"
)

// Hollow is an interface of the user that has no variants.
type Hollow struct {
	What   string // in[]: queue.Op has no variants, so it is always nil
	Type   string // the interface, as code of the property's package writes it
	Option string // declares the types in sight that implement the interface; empty if there are none
}

// Note returns a line about the interface for the report of a failure.
func (h Hollow) Note() string {
	if h.Option != "" {
		return h.What + "; declare its variants: " + h.Option
	}
	return h.What + "; declare its variants with allele.Variants, or that nil is intended: " + h.Nil()
}

// Nil returns the option which declares that nil is intended.
func (h Hollow) Nil() string { return "allele.Values[" + h.Type + "](nil)" }

// Hollows returns the interfaces without variants, each once. It reads the source of the
// property's package and of the package that declares the interface.
func Hollows(p *Property) (all []Hollow) {
	seen := map[string]bool{}
	for _, h := range p.World.Hollow {
		name, _ := codec.TypeText(p.World, h.Type, p.Place.Style())
		switch {
		case name != "":
		case h.Type.PkgPath() == p.Place.Pkg: // a type inside a function, which can be named there
			name = h.Type.Name()
		default:
			name = h.Type.String()
		}
		if seen[name] {
			continue
		}
		seen[name] = true
		hollow := Hollow{What: h.String(), Type: name}
		if values := inSight(p, h); len(values) > 0 {
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
