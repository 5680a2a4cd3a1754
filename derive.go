package allele

import (
	"reflect"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/value/schema"
)

// derive finds out how inputs are made. Functions that were found in the source make
// values that cannot be read, and fields that nobody can speak of; where the user does
// so all the same, in an Example or a path, they are left out.
func (c *check) derive(in reflect.Type) (*schema.World, error) {
	w, err := schema.Derive(in, c.settings.decls)
	why := err
	for _, v := range c.settings.seeds {
		if why == nil && v.Type() == in {
			_, why = w.Read(v)
		}
	}
	if why == nil || !slices.ContainsFunc(c.settings.decls, func(d schema.Decl) bool { return d.Make != nil && d.Tier == schema.Found }) {
		return w, err
	}
	plain := schema.Decl{Type: reflect.TypeFor[any](), Mix: &schema.Mix{Without: []string{"builders"}}, Tier: schema.Local}
	other, err2 := schema.Derive(in, append(slices.Clip(c.settings.decls), plain))
	if err2 != nil {
		return w, err
	}
	for _, v := range c.settings.seeds {
		if _, err := other.Read(v); v.Type() == in && err != nil {
			return w, nil // it would not help
		}
	}
	c.settings.decls = append(c.settings.decls, plain) // for those who derive again
	first, _, _ := strings.Cut(why.Error(), "\n")
	other.Notes = append(other.Notes, "functions that were found in the source make no input here: "+first)
	return other, nil
}
