//go:build go1.25

package gen_test

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

type (
	pod struct {
		Meta   meta
		Spec   spec
		Status status
	}
	meta struct {
		Name           string
		Labels, Notes  map[string]string
		Owners, Finals []string
		Deleted        *int
	}
	spec struct {
		Volumes                     []volume
		Init, Containers, Ephemeral []container
		Host, Share, Enable, Sched  *bool
		Selector                    map[string]string
		Secrets, Aliases            []string
		Security                    *meta
		Parent                      *pod
	}
	status struct {
		Conditions []meta
		Start      *int
	}
	container struct {
		Name       string
		Args, Env  []string
		Ports      []int
		Volumes    []volume
		Live, Idle *meta
	}
	volume struct{ A, B, C, D, E, F, G, H, I, J, K, L, M *container }
)

// Every optional field of a wide struct is filled in about half of the terms. Before, each was
// filled in one term of twenty or fewer. Terms stay within the bound, although the structs contain
// themselves.
func TestWideStructs(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   reflect.Type
		pod  func(reflect.Value) *pod // the first one in a value; nil if it has none
	}{
		{"alone", reflect.TypeFor[pod](), func(v reflect.Value) *pod { return v.Addr().Interface().(*pod) }},
		{"pointer", reflect.TypeFor[*pod](), func(v reflect.Value) *pod { return v.Interface().(*pod) }},
		{"list", reflect.TypeFor[[]pod](), func(v reflect.Value) *pod {
			if v.Len() == 0 {
				return nil
			}
			return v.Index(0).Addr().Interface().(*pod)
		}},
	} {
		w, err := schema.Derive(tt.in, nil)
		if err != nil {
			t.Fatal(err)
		}
		g, b := gen.New(w), schema.NewBuilder(w)
		const terms, size = 1000, 20
		filled := map[string]int{}
		pods, narrow, top := 0, 0, 0
		for run := range uint64(terms) {
			x := g.Term(rng.At(1, run), size)
			if cells := w.Cells(x); cells > g.Bound(size) {
				t.Fatalf("%s: a term of %d cells, above the bound of %d", tt.name, cells, g.Bound(size))
			} else {
				top = max(top, cells)
				if cells <= size {
					narrow++
				}
			}
			v := reflect.New(tt.in)
			b.Build(x, v.UnsafePointer())
			if p := tt.pod(v.Elem()); p != nil {
				pods++
				count(filled, "", reflect.ValueOf(*p))
			}
		}
		if len(filled) != 20 {
			t.Errorf("%s: %d fields were filled, not 20: %v", tt.name, len(filled), filled)
		}
		for name, n := range filled {
			if n*10 < pods*4 || n*10 > pods*9 {
				t.Errorf("%s: %s is filled in %d of %d", tt.name, name, n, pods)
			}
		}
		if narrow < terms/10 {
			t.Errorf("%s: only %d of %d terms have at most %d cells", tt.name, narrow, terms, size)
		}
		t.Logf("%s: at most %d cells, bound %d, %d of %d within the size", tt.name, top, g.Bound(size), narrow, terms)
	}
}

// count counts the fields of a struct that are not empty, with those of the structs that are fields.
func count(filled map[string]int, path string, v reflect.Value) {
	for i := range v.NumField() {
		name := path + "." + v.Type().Field(i).Name
		switch f := v.Field(i); {
		case f.Kind() == reflect.Struct:
			count(filled, name, f)
		case f.Kind() == reflect.Pointer && !f.IsNil(), (f.Kind() == reflect.Slice || f.Kind() == reflect.Map) && f.Len() > 0:
			filled[name]++
		}
	}
}

// Terms of size 0 are as small as the type allows, and parts of other terms have their budget only.
func TestWidePartsAreSmall(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[pod](), nil)
	if err != nil {
		t.Fatal(err)
	}
	g := gen.New(w)
	for run := range uint64(500) {
		if cells := w.Cells(g.Term(rng.At(2, run), 0)); cells > w.Root.MinCells {
			t.Fatalf("a term of size 0 has %d cells", cells)
		}
		if cells := w.Cells(g.Part(rng.At(3, run), w.Root, 20)); cells > max(20, w.Root.MinCells) {
			t.Fatalf("a part of size 20 has %d cells", cells)
		}
	}
}
