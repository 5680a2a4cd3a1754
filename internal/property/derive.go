//go:build go1.25

package property

import (
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/schema"
)

func init() {
	schema.EndCalls = func() (restore func()) {
		old := hook.Long
		hook.Long = runtime.Goexit
		return func() { hook.Long = old }
	}
}

// derive derives the schemas of the inputs. If a type is built by functions found in the
// source, its values cannot be converted into terms, and its fields have no paths. An
// Example needs the former, and At needs the latter. If one of them fails for this reason,
// derive leaves the functions out.
func (p *Property) derive(in reflect.Type) (*schema.World, error) {
	w, err := schema.DeriveFor(p.Place.typeName, in, p.Settings.Decls)
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
	other, fails := schema.DeriveFor(p.Place.typeName, in, plain.Decls)
	if fails != nil || plain.unreadable(other) != nil {
		return w, err // leaving the functions out does not help
	}
	p.Settings = plain // for code that derives the schemas again
	first, _, _ := strings.Cut(why.Error(), "\n")
	other.Notes = append(other.Notes, "functions found in the source are not used to build this input: "+first)
	return other, nil
}

// typeName returns a type as the package of the property writes it, or "" if the package cannot. A
// type inside a function can be named there.
func (p *Place) typeName(t reflect.Type) string {
	name, _ := codec.TypeText(&schema.World{}, t, codec.Style{Pkg: p.Pkg})
	if name == "" && t.Name() != "" && t.PkgPath() == p.Pkg {
		return t.Name()
	}
	return name
}

// unreadable returns why one of the examples cannot be read as an input, or nil. Examples
// of another type are reported later.
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

// known returns the declarations that the packages of the program have registered for their
// types, if the allele command has rewritten these packages.
// A declaration of the user takes precedence.
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
	if len(hook.Sentinels) > 0 {
		d := schema.Decl{Type: reflect.TypeFor[error](), Tier: schema.Found}
		for _, s := range hook.Sentinels {
			if err, ok := s.Err.(error); ok {
				schema.NameError(err, s.Name, s.Pkg)
				d.Consts = append(d.Consts, reflect.ValueOf(&err).Elem())
			}
		}
		decls = append(decls, d)
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

// Gather returns the settings of a Check: the declarations found in the source, then the
// options for all Checks, then the options of this Check.
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
	tests, budget := s.Tests, s.Budget
	s.Tests, s.Budget = nil, nil
	own(&s)
	if s.Tests == nil && s.Budget == nil { // they exclude each other, so that one overrides the other too
		s.Tests, s.Budget = tests, budget
	}
	for i := range s.Decls[declared:] {
		if d := &s.Decls[declared+i]; d.Make != nil && d.Tier == schema.Found {
			d.Make = d.Make.Asked()
		}
	}
	return s
}

// DeclaresBuilders reports whether some values of the input are made by a builder that the
// user has declared. An Example cannot contain such a value. Builders that were found in
// the source are left out if there is an Example, and those that come with allele can be
// inverted.
func DeclaresBuilders(p *Property) bool {
	declared := func(c schema.Ctor) bool { return !c.Func.IsReady() }
	return slices.ContainsFunc(p.World.Schemas, func(s *schema.Schema) bool {
		return s.Kind == schema.Made && !s.IsFound() && slices.ContainsFunc(s.Ctors, declared)
	})
}
