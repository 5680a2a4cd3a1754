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
	if !slices.ContainsFunc(c.settings.decls, func(d schema.Decl) bool { return d.Make != nil && d.Tier == schema.Found }) {
		return w, err
	}
	why := err
	if why == nil {
		why = c.settings.unreadable(w)
	}
	if why == nil {
		return w, nil
	}
	plain := c.settings
	plain.decls = slices.Clip(plain.decls)
	Without[any]("builders").apply(&plain)
	other, fails := schema.Derive(in, plain.decls)
	if fails != nil || plain.unreadable(other) != nil {
		return w, err // it would not help
	}
	c.settings = plain // for those who derive again
	first, _, _ := strings.Cut(why.Error(), "\n")
	other.Notes = append(other.Notes, "functions that were found in the source make no input here: "+first)
	return other, nil
}

// unreadable says why one of the examples is no input of a world. Those of another
// type are told of later.
func (s *settings) unreadable(w *schema.World) error {
	for _, v := range s.seeds {
		if v.Type() != w.Root.Type {
			continue
		}
		if _, err := w.Read(v); err != nil {
			return err
		}
	}
	return nil
}
