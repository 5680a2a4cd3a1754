//go:build go1.25

package schema_test

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

// types returns the types of 200 values of an interface.
func typesOf(t *testing.T, iface reflect.Type, decls ...schema.Decl) map[string]bool {
	t.Helper()
	for i := range decls {
		decls[i].Tier = schema.Local
		if _, at := decls[i].What.(schema.At); !at {
			decls[i].Type = iface
		}
	}
	w, err := schema.Derive(iface, decls)
	if err != nil {
		t.Fatal(err)
	}
	g, b, seen := gen.New(w), schema.NewBuilder(w), map[string]bool{}
	for run := range uint64(200) {
		v := reflect.New(iface)
		b.Build(g.Term(rng.At(1, run), 10), v.UnsafePointer())
		if v.Elem().IsNil() {
			seen["nil"] = true
		} else {
			seen[v.Elem().Elem().Type().String()] = true
		}
	}
	return seen
}

// What is declared about any replaces its default values.
func TestAnyDeclared(t *testing.T) {
	iface := reflect.TypeFor[any]()
	one, err := schema.NewFunc(func() any { return uint8(1) })
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		decl schema.Decl
		want []string
	}{
		"nothing":   {schema.Decl{}, []string{"nil", "bool", "float64", "string", "[]interface {}", "map[string]interface {}"}},
		"variants":  {schema.Decl{What: schema.Variants{reflect.TypeFor[int]()}}, []string{"int"}},
		"a builder": {schema.Decl{What: one}, []string{"uint8"}},
		"values":    {schema.Decl{What: schema.Values{All: anyValues(true, 1.5, []any{"a"})}}, []string{"bool", "float64", "[]interface {}"}},
		"only":      {schema.Decl{What: &schema.Mix{Only: []string{"bool", "nil"}}}, []string{"nil", "bool"}},
		"without":   {schema.Decl{What: &schema.Mix{Without: []string{"nil", "[]any", "string"}}}, []string{"bool", "float64", "map[string]interface {}"}},
		"weights":   {schema.Decl{What: &schema.Mix{Weights: map[string]float64{"map[string]any": 0, "[]any": 0, "nil": 0}}}, []string{"bool", "float64", "string"}},
	} {
		decls := []schema.Decl{c.decl}
		if what == "nothing" {
			decls = nil
		}
		got, want := typesOf(t, iface, decls...), map[string]bool{}
		for _, w := range c.want {
			want[w] = true
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
}

// anyValues returns values in interfaces.
func anyValues(vs ...any) (out []reflect.Value) {
	for i := range vs {
		out = append(out, reflect.ValueOf(&vs[i]).Elem())
	}
	return out
}
