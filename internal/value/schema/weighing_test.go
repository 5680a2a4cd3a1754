//go:build go1.25

package schema_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/value/schema"
)

// f is a function as well as a prefix of the patterns that it looks for.
func f(in page) page { return in }

// Each name applies to one constructor, and is as short as possible.
func TestWeightNames(t *testing.T) {
	pages := func(vs ...reflect.Type) []schema.Decl {
		return []schema.Decl{{Type: reflect.TypeFor[page](), What: schema.Variants(vs)}}
	}
	wordType, tagType := reflect.TypeFor[word](), reflect.TypeFor[tag]()
	for _, c := range []struct {
		what  string
		decls []schema.Decl
		want  string
	}{
		{"variants", pages(wordType, tagType), "nil word tag"},
		{"functions", append(found(t, line, bold), pages(wordType, tagType)...), "nil word tag  | line bold"},
		{"patterns", append(pages(wordType, tagType), pattern[page]("f#1", tag{In: wordOf("x")})), "nil word tag f#1"},
		{"a function that has patterns", append(append(found(t, line, f), pages(wordType, tagType)...), pattern[page]("f#1", tag{In: wordOf("x")})), "nil word tag  f#1 | line schema_test.f"},
	} {
		w, err := schema.Derive(reflect.TypeFor[page](), c.decls)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		var parts []string
		for i, names := range w.WeightNames() {
			if names == nil {
				continue
			}
			if w.Schemas[i].First() == 1 {
				names[0] = "nil"
			}
			parts = append(parts, strings.Join(names, " "))
		}
		if got := strings.Join(parts, " | "); got != c.want {
			t.Errorf("%s: %s, wanted %s", c.what, got, c.want)
		}
	}
}

func wordOf(s string) page { return word{S: s} }

// Declarations for all properties may name constructors that one property does
// not have, and a pattern that is both declared and found counts once.
func TestGlobalMix(t *testing.T) {
	global := func(d schema.Decl, tier schema.Tier) schema.Decl { d.Tier = tier; return d }
	mix := schema.Decl{Type: reflect.TypeFor[page](), What: &schema.Mix{Weights: map[string]float64{"elsewhere": 2}}}
	shape := func(tier schema.Tier) schema.Decl { return global(pattern[page]("f#1", tag{In: wordOf("x")}), tier) }
	variants := schema.Decl{Type: reflect.TypeFor[page](), What: schema.Variants{reflect.TypeFor[word](), reflect.TypeFor[tag]()}}
	w, err := schema.Derive(reflect.TypeFor[page](), []schema.Decl{shape(schema.Found), variants, shape(schema.Global), global(mix, schema.Global)})
	if err != nil || len(w.Root.Patterns) != 1 {
		t.Errorf("%v, %+v", err, w)
	}
	if _, err := schema.Derive(reflect.TypeFor[page](), []schema.Decl{variants, global(mix, schema.Local)}); err == nil {
		t.Error("a property asked for what is not there")
	}
	values := schema.Decl{Type: reflect.TypeFor[page](), What: schema.Values{All: []reflect.Value{reflect.ValueOf(word{})}}, Tier: schema.Local}
	if _, err := schema.Derive(reflect.TypeFor[page](), []schema.Decl{variants, global(mix, schema.Global), values}); err != nil {
		t.Error(err)
	}
}
