//go:build go1.25

package schema_test

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/value/schema"
)

// A declaration about a field that contains its own type made scopes without end.
func TestFieldInsideItself(t *testing.T) {
	type even struct {
		N    int
		Next *struct {
			Evens []even
			M     int
		}
	}
	type graph struct {
		N     int
		Nodes []graph
		Even  even
	}
	limit := schema.Decl{Type: reflect.TypeFor[int](), What: schema.Range{Lo: reflect.ValueOf(1), Hi: reflect.ValueOf(2)}}
	field := func(owner reflect.Type, name string) schema.Decl {
		return schema.Decl{What: schema.At{Owner: owner, Path: name, Sub: []schema.Decl{limit}}, Tier: schema.Local}
	}
	next, _ := reflect.TypeFor[even]().FieldByName("Next")
	w, err := schema.Derive(reflect.TypeFor[graph](), []schema.Decl{field(reflect.TypeFor[graph](), "Nodes"),
		field(reflect.TypeFor[even](), "Next"), field(next.Type.Elem(), "Evens")})
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Schemas) > 60 {
		t.Errorf("%d schemas", len(w.Schemas))
	}
	limited := 0
	for _, s := range w.Schemas {
		if s.Limited {
			limited++
		}
	}
	if limited == 0 || w.Root.Ctors[0].Fields[0].S.Limited {
		t.Errorf("%d schemas are limited; is N of the input? %v", limited, w.Root.Ctors[0].Fields[0].S.Limited)
	}
}
