//go:build go1.25

package mutate

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Doc is a document with parts of any type.
type Doc struct {
	Data any
	More map[string]any
	List []any
}

// JSON is another name of any.
type JSON any

// The default values of any are what encoding/json decodes to: each of them survives encoding and
// decoding, whether it is generated, changed or minimal.
func TestAnyIsJSON(t *testing.T) {
	for _, typ := range []reflect.Type{
		reflect.TypeFor[any](), reflect.TypeFor[map[string]any](), reflect.TypeFor[[]any](), reflect.TypeFor[Doc](), reflect.TypeFor[*Doc](),
		reflect.TypeFor[JSON](), reflect.TypeFor[[]JSON](), reflect.TypeFor[[2]any](),
	} {
		w, err := schema.Derive(typ, nil)
		if err != nil {
			t.Errorf("%v: %v", typ, err)
			continue
		}
		g, m := gen.New(w), New(w, Config{Kinds: Pure | Lists | Filled | Sampled, Size: 20, Samples: 4})
		kinds, distinct := map[string]int{}, map[string]bool{}
		check := func(x term.Term) {
			v := reflect.New(typ)
			schema.NewBuilder(w).Build(x, v.UnsafePointer())
			text, err := json.Marshal(v.Interface())
			again := reflect.New(typ)
			if err == nil {
				err = json.Unmarshal(text, again.Interface())
			}
			if err != nil || !reflect.DeepEqual(v.Interface(), again.Interface()) {
				t.Fatalf("%v: %#v is encoded as %s: %v", typ, v.Elem(), text, err)
			}
			if read, err := w.Read(v.Elem()); err != nil || !term.Equal(read, x) {
				t.Fatalf("%v: %#v is read as another term: %v", typ, v.Elem(), err)
			}
			distinct[string(text)] = true
			anyKinds(v.Elem(), kinds)
		}
		check(w.Root.Least)
		for run := range uint64(500) {
			x := g.Term(rng.At(7, run), 20).Clone()
			check(x)
			r := rng.At(8, run)
			for range 4 {
				if y, ok := m.Random(x, &r); ok {
					x = y.Term.Clone()
					check(x)
				}
			}
			if run%50 == 0 {
				b := m.Batch(x, run)
				for y, ok := m.Next(&b); ok; y, ok = m.Next(&b) {
					check(y.Term)
				}
			}
		}
		for _, want := range []string{"nil", "bool", "float64", "string", "[]interface {}", "map[string]interface {}"} {
			if kinds[want] < 100 {
				t.Errorf("%v: %d %s in %v", typ, kinds[want], want, kinds)
			}
		}
		if len(distinct) < 500 {
			t.Errorf("%v: %d distinct", typ, len(distinct))
		}
	}
}

// anyKinds counts what interfaces in a value contain.
func anyKinds(v reflect.Value, kinds map[string]int) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			kinds["nil"]++
			return
		}
		kinds[v.Elem().Type().String()]++
		anyKinds(v.Elem(), kinds)
	case reflect.Pointer:
		if !v.IsNil() {
			anyKinds(v.Elem(), kinds)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			anyKinds(v.Index(i), kinds)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			anyKinds(it.Value(), kinds)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			anyKinds(v.Field(i), kinds)
		}
	}
}

// An any in a map key contains only values that can be compared, so that building the map does
// not panic. The values of the same map may contain all.
func TestAnyAsKey(t *testing.T) {
	type point struct {
		X any
		Y [1]any
	}
	for _, typ := range []reflect.Type{
		reflect.TypeFor[map[any]any](), reflect.TypeFor[map[point]any](), reflect.TypeFor[map[[2]any][]any](), reflect.TypeFor[map[JSON]JSON](),
	} {
		w, err := schema.Derive(typ, nil)
		if err != nil {
			t.Errorf("%v: %v", typ, err)
			continue
		}
		g, kinds := gen.New(w), map[string]int{}
		for run := range uint64(500) {
			x := g.Term(rng.At(7, run), 20)
			v := reflect.New(typ)
			schema.NewBuilder(w).Build(x, v.UnsafePointer())
			for it := v.Elem().MapRange(); it.Next(); {
				anyKinds(it.Value(), kinds)
				keys := map[string]int{}
				anyKinds(it.Key(), keys)
				for k := range keys {
					kinds["key "+k]++
				}
			}
			if read, err := w.Read(v.Elem()); err != nil || !term.Equal(read, x) {
				t.Fatalf("%v: %#v is read as another term: %v", typ, v.Elem(), err)
			}
		}
		all := fmt.Sprint(kinds)
		for _, want := range []string{"key nil", "key bool", "key float64", "key string", "[]interface {}", "map[string]interface {}"} {
			if !strings.Contains(all, want) {
				t.Errorf("%v: no %s in %s", typ, want, all)
			}
		}
	}
}
