//go:build go1.25

package property

import (
	"cmp"
	"math/bits"
	"reflect"
	"runtime"
	"slices"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/value/attempt"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/steps"
	"github.com/allele-go/allele/internal/words"
)

func init() {
	attempt.EndCalls = func() (restore func()) {
		old := hook.Long
		hook.Long = runtime.Goexit
		return func() { hook.Long = old }
	}
}

// whyMax bounds the reason in a note, in bytes.
const whyMax = 300

// derive derives the schemas of the inputs. If a type is built by functions found in the
// source, its values cannot be converted into terms, and its fields have no paths. An
// Example needs the former, and At needs the latter. If one of them fails for this reason,
// derive leaves the functions out.
func (p *Property) derive(in reflect.Type) (w *schema.World, err error) {
	defer func() {
		if w != nil && p.Config.Calls > 0 {
			w.CallsMax = p.Config.Calls
		}
	}()
	w, err = schema.DeriveFor(p.Place.typeName, in, p.Settings.Decls)
	if !slices.ContainsFunc(p.Settings.Decls, isFound) {
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
	plain.Decls = append(plain.Decls, schema.Decl{What: schema.Ignore{Builders: true}, Tier: schema.Local})
	other, fails := schema.DeriveFor(p.Place.typeName, in, plain.Decls)
	if fails != nil || plain.unreadable(other) != nil {
		return w, err // leaving the functions out does not help
	}
	p.Settings = plain // for code that derives the schemas again
	other.Notes = append(other.Notes, "functions found in the source are not used to build this input: "+words.Line(why.Error(), whyMax))
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
			decls = append(decls, schema.Decl{Type: m.Result, What: m, Tier: schema.Found})
		}
	}
	for _, s := range hook.Shapes {
		shape := &schema.ShapeDecl{Name: s.Name, Value: reflect.ValueOf(s.Value), Fixed: s.Fixed}
		decls = append(decls, schema.Decl{Type: reflect.TypeOf(s.Of).Elem(), What: shape, Tier: schema.Found})
	}
	for _, f := range hook.Fields {
		d := schema.Decl{Type: reflect.TypeOf(f.Values[0]), What: schema.Likely{All: valuesOf(f.Values), Loose: true}, Tier: schema.Found}
		at := schema.At{Owner: reflect.TypeOf(f.Of).Elem(), Path: f.Name, Sub: []schema.Decl{d}}
		decls = append(decls, schema.Decl{What: at, Tier: schema.Found})
	}
	if len(hook.Sentinels) > 0 {
		var likely schema.Likely
		for _, s := range hook.Sentinels {
			if err, ok := s.Err.(error); ok {
				schema.NameError(err, s.Name, s.Pkg)
				likely.All = append(likely.All, reflect.ValueOf(&err).Elem())
			}
		}
		decls = append(decls, schema.Decl{Type: reflect.TypeFor[error](), What: likely, Tier: schema.Found})
	}
	for _, f := range hook.Facts {
		t := reflect.TypeOf(f.Of)
		if f.Enum {
			all := valuesOf(f.Values)
			decls = append(decls, schema.Decl{Type: t, What: schema.Likely{All: all, Loose: areFlags(all)}})
		} else {
			decls = append(decls, schema.Decl{Type: t.Elem(), What: schema.VariantsOf(f.Values...)})
		}
	}
	return decls
}

func valuesOf(vs []any) (all []reflect.Value) {
	for _, v := range vs {
		all = append(all, reflect.ValueOf(v))
	}
	return all
}

// areFlags reports whether constants are flags, which values combine: three single bits or more, and fewer other
// numbers than bits beyond these three. So a value is not wrong because it is no constant.
func areFlags(all []reflect.Value) bool {
	single, others := 0, 0
	for _, v := range all {
		var x uint64
		switch {
		case v.CanInt():
			x = uint64(v.Int())
		case v.CanUint():
			x = v.Uint()
		default:
			return false
		}
		switch bits.OnesCount64(x) {
		case 0:
		case 1:
			single++
		default:
			others++
		}
	}
	return single >= 3 && others <= single-3
}

// isFound reports whether a declaration is a builder that was found in the source, or one that is Partial.
func isFound(d schema.Decl) bool {
	_, builder := d.What.(*schema.Func)
	return builder && d.Tier == schema.Found
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
		if d := &s.Decls[declared+i]; isFound(*d) {
			d.What = d.What.(*schema.Func).Asked()
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

// StepsType returns the type of the list of calls that has an operation, as the package of the property writes it.
func StepsType(p *Property, op *steps.Op) string {
	for _, s := range p.World.Schemas {
		if m := s.Machine(); m != nil && !s.IsCalls() && slices.Contains(m.Ops, op) {
			return cmp.Or(p.Place.typeName(s.Type), "allele.Steps[M]")
		}
	}
	return ""
}
