package property

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/weight"
)

// derive finds out how inputs are made. Functions that were found in the source make
// values that cannot be read, and fields that nobody can speak of; where the user does
// so all the same, in an Example or a path, they are left out.
func (p *Property) derive(in reflect.Type) (*schema.World, error) {
	w, err := schema.Derive(in, p.Settings.Decls)
	if !slices.ContainsFunc(p.Settings.Decls, func(d schema.Decl) bool { return d.Make != nil && d.Tier == schema.Found }) {
		return w, err
	}
	why := err
	if why == nil {
		why = p.Settings.unreadable(w)
	}
	if why == nil {
		return w, nil
	}
	plain := p.Settings
	plain.Decls = slices.Clip(plain.Decls)
	plain.Decls = append(plain.Decls, schema.Decl{Ignore: &schema.Ignore{Builders: true}, Tier: schema.Local})
	other, fails := schema.Derive(in, plain.Decls)
	if fails != nil || plain.unreadable(other) != nil {
		return w, err // it would not help
	}
	p.Settings = plain // for those who derive again
	first, _, _ := strings.Cut(why.Error(), "\n")
	other.Notes = append(other.Notes, "functions that were found in the source make no input here: "+first)
	return other, nil
}

// unreadable says why one of the examples is no input of a world. Those of another
// type are told of later.
func (s *Settings) unreadable(w *schema.World) error {
	for _, v := range s.Examples {
		if v.Type() != w.Root.Type {
			continue
		}
		if _, err := w.Read(v); err != nil {
			return err
		}
	}
	return nil
}

// known is what rewritten packages have told about their types. A declaration of
// the user comes before it.
func known() (decls []schema.Decl) {
	for _, f := range hook.Makers {
		if m, err := schema.NewFound(f.Name, f.Func, f.Small...); err == nil {
			decls = append(decls, schema.Decl{Type: m.Result, Make: m, Tier: schema.Found})
		}
	}
	for _, s := range hook.Shapes {
		shape := &schema.ShapeDecl{Name: s.Name, Value: reflect.ValueOf(s.Value), Fixed: s.Fixed}
		decls = append(decls, schema.Decl{Type: reflect.TypeOf(s.Of).Elem(), Shape: shape, Tier: schema.Found})
	}
	for _, f := range hook.Fields {
		d := schema.Decl{Type: reflect.TypeOf(f.Values[0]), Loose: true, Tier: schema.Found}
		for _, v := range f.Values {
			d.Consts = append(d.Consts, reflect.ValueOf(v))
		}
		decls = append(decls, schema.Decl{Owner: reflect.TypeOf(f.Of).Elem(), Path: f.Name, Sub: []schema.Decl{d}, Tier: schema.Found})
	}
	for _, f := range hook.Facts {
		t := reflect.TypeOf(f.Of)
		d := schema.Decl{Type: t}
		for _, v := range f.Values {
			if f.Enum {
				d.Consts = append(d.Consts, reflect.ValueOf(v))
			} else {
				d.Variants = append(d.Variants, reflect.TypeOf(v))
			}
		}
		if !f.Enum {
			d.Type = t.Elem()
		}
		decls = append(decls, d)
	}
	return decls
}

// Gather begins the settings of a Check with what the source says, to which global and
// its own options are added.
func Gather(global, own func(*Settings)) Settings {
	s := Settings{Decls: known()}
	found := len(s.Decls)
	global(&s)
	for i := range s.Decls[found:] {
		if s.Decls[found+i].Tier != schema.Found {
			s.Decls[found+i].Tier = schema.Global
		}
	}
	declared := len(s.Decls)
	own(&s)
	for i := range s.Decls[declared:] {
		if d := &s.Decls[declared+i]; d.Make != nil && d.Tier == schema.Found {
			d.Make = d.Make.Asked()
		}
	}
	return s
}

// Levels is how deep such inputs are: half of the size, so ten by default, unless a
// property says.
func (s Settings) Levels(size int) int {
	if s.Depth != nil {
		return *s.Depth
	}
	return max(1, size/2)
}

// Tune sets the odds of a world to what a property wants.
func Tune(w *schema.World, s Settings, size int) error {
	if s.Depth == nil && s.Goal == nil {
		return nil
	}
	w.Depth = s.Levels(size)
	if s.Goal == nil {
		return nil
	}
	if _, err := weight.Tune(w, w.Depth, *s.Goal); err != nil {
		return fmt.Errorf("the wanted distribution: %w", err)
	}
	return nil
}
