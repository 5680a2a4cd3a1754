//go:build go1.25

package schema_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

// field derives a struct with one field, which has a tag.
func field(t *testing.T, of any, tag string) *schema.World {
	t.Helper()
	f := reflect.StructField{Name: "F", Type: reflect.TypeOf(of), Tag: reflect.StructTag(fmt.Sprintf("validate:%q", tag))}
	w, err := schema.Derive(reflect.StructOf([]reflect.StructField{f}), nil)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Which values satisfy a tag, by the rules of the validator. All of them are values of the
// type: a tag excludes nothing.
func TestTags(t *testing.T) {
	text, empty, one := "aé", "", 1
	for _, c := range []struct {
		tag     string
		inside  []any
		outside []any
	}{
		{"required", []any{"a", 1, -1, true, 0.5, []int{}, []byte{}, &empty, map[string]int{}}, []any{"", 0, false, 0.0, []int(nil), []byte(nil), (*string)(nil)}},
		{"required", []any{time.Unix(0, 0).UTC(), [2]int{0, 1}, [20]byte{19: 1}, struct{ A, B int }{B: 1}, 1i},
			[]any{time.Time{}, time.Unix(-62135596800, 0).UTC(), [2]int{}, [20]byte{}, struct{ A, B int }{}, 0i, math.Copysign(0, -1)}},
		{"min=2,max=3", []any{"aé", "世世世", 2, 3.0, []int{1, 2}, []byte("ab"), &text}, []any{"é", "abcd", 1, 3.5, []int{1}, []byte(nil), &empty, (*string)(nil)}},
		{"len=2", []any{"éé", 2, []string{"", ""}}, []any{"é", 3, []string{}}},
		{"gt=1,lt=3", []any{"aa", 2, uint8(2), 1.5}, []any{"a", "aaa", 1, 3, uint8(3), 1.0, 3.0}},
		{"omitempty,min=2", []any{"", "aa", 0, 2, []int(nil), (*int)(nil)}, []any{"a", 1, []int{}, &one}},
		{"eq=3", []any{"3", 3, []int{1, 2, 3}}, []any{"abc", 2, []int{3}}},
		{"ne=3", []any{"abc", 2}, []any{"3", 3}},
		{"oneof=1 'a b'", []any{"1", "a b"}, []any{"a", "", "1 a b"}},
		{"oneof=-5 0x10 7 x", []any{-5, 7}, []any{16, 5, 0}},
		{"oneof=1 7", []any{7, uint8(1)}, []any{2, uint8(0)}},
		{"min=1s", []any{time.Second}, []any{time.Millisecond}},
		{"max=300", []any{uint8(255), int8(-1)}, nil},
		{"dive,min=2", []any{[]int{}, []int{2}, []string{"aa"}, map[string]int{"": 2}}, []any{[]int{2, 1}, []string{"a"}, map[string]int{"": 1}}},
		{"dive,keys,len=1,endkeys,gt=0", []any{map[string]int{"a": 1}}, []any{map[string]int{"": 1}, map[string]int{"a": 0}}},
		{"unique", []any{[]int{1, 2}}, []any{[]int{1, 2, 1}}},
		{"email", []any{"a.b+c@example.co.uk"}, []any{"", "a", "a@b", "a b@example.com"}},
		{"url", []any{"https://example.com/a?b=c#d", "mailto:a@b.c"}, []any{"", "example.com", "https:"}},
		{"uuid4", []any{"00000000-0000-4000-8000-00000000000f"}, []any{"00000000-0000-1000-8000-00000000000f", "x"}},
		{"alphanum,lowercase", []any{"a1"}, []any{"A1", "", "a b"}},
		{"startswith=ab,excludesall=!?", []any{"abc"}, []any{"bab", "ab!"}},
		{"contains=0x2C", []any{"a,b"}, []any{"ab"}},
		{"datetime=2006-01-02", []any{"2024-02-29"}, []any{"2023-02-29"}},
	} {
		for want, values := range map[bool][]any{true: c.inside, false: c.outside} {
			for _, v := range values {
				w := field(t, v, c.tag)
				in := reflect.New(w.Root.Type).Elem()
				in.Field(0).Set(reflect.ValueOf(v))
				x, err := w.Read(in)
				if err != nil || len(w.Notes) > 0 {
					t.Errorf("%T %s: %v %v", v, c.tag, err, w.Notes)
				} else if got := w.Inside(x); got != want || want != (len(w.Outside(x)) == 0) {
					t.Errorf("%T %s: %v satisfies it: %v, %v", v, c.tag, in, got, w.Outside(x))
				}
			}
		}
	}
}

// A tag that is not understood is not used.
func TestTagsNotUsed(t *testing.T) {
	for _, c := range []struct {
		of   any
		tag  string
		want string
	}{
		{"", "required_if=A b", "the word required_if is not known"},
		{"", "min=3,eqfield=B", "the word eqfield is not known"},
		{"", "nonzero", "the word nonzero is not known"},
		{"", "min=x", "the parameter of min=x is not a length"},
		{"", "min=", "the word min has no parameter"},
		{[]int{}, "min=", "the word min has no parameter"},
		{0, "min=", "the word min has no parameter"},
		{0, "min=1.5", "the parameter of min=1.5 is not an integer"},
		{uint8(0), "min=-1", "the parameter of min=-1 is not an unsigned integer"},
		{0.0, "min=x", "the parameter of min=x is not a number"},
		{time.Second, "min=1w", "the parameter of min=1w is not an integer"},
		{time.Second, "min=1x1h", "the parameter of min=1x1h is not a duration"},
		{"", "oneof=", "the word oneof lists no values"},
		{0, "oneof=", "the word oneof lists no values"},
		{0, "oneof=a", "no int satisfies oneof=a"},
		{0, "oneof=0x10 +5 007 1_0 -0 1.0", "no int satisfies oneof=0x10 +5 007 1_0 -0 1.0"},
		{[3]int{}, "unique", "the word unique is not supported for [3]int"},
		{"", "startswith=", "the word startswith has no parameter"},
		{0, "email", "the word email is not supported for int"},
		{"", "rgb|rgba", "rgb|rgba has alternatives"},
		{0, "gt=5,lt=3", "no int satisfies both gt=5 and lt=3"},
		{"", "required,min=5,max=3", "no string satisfies both min=5 and max=3"},
		{"", "required,max=0", "no string satisfies both required and max=0"},
		{[]int{}, "min=5,max=3", "no []int satisfies both min=5 and max=3"},
		{[3]int{}, "len=2", "no [3]int satisfies len=2"},
		{[20]byte{}, "min=21", "no [20]uint8 satisfies min=21"},
		{uint8(0), "lt=0", "no uint8 satisfies lt=0"},
		{uint8(0), "min=300", "no uint8 satisfies min=300"},
		{int8(0), "max=-200", "no int8 satisfies max=-200"},
		{uint8(0), "oneof=300", "no uint8 satisfies oneof=300"},
		{0, "required,min=0,max=0", "no int satisfies all of its words"},
		{0, "oneof=1 2,min=3", "no int satisfies both oneof=1 2 and min=3"},
		{0, "eq=1,ne=1", "no int satisfies both eq=1 and ne=1"},
		{"", "email,max=5", "found no string that satisfies both email and max=5"},
		{"", "oneof=a b,eq=c", "found no string that satisfies both oneof=a b and eq=c"},
		{"", "uuid,alpha", "found no string that satisfies both uuid and alpha"},
		{"", "min=100000", "a length of 100000 is too large to generate; at most 4096 is generated because of a tag"},
		{[]int{}, "min=3,unique,dive,oneof=1 2", "it requests at least 3 different elements, and there are 2"},
		{[]bool{}, "unique,len=3", "it requests at least 3 different elements, and there are 2"},
		{map[string]int{}, "min=2,dive,keys,eq=a,endkeys", "it requests at least 2 different keys, and there are 1"},
		{map[bool]int{}, "min=3", "it requests at least 3 different keys, and there are 2"},
		{[]string{}, "dive,min=3,max=2", "no string satisfies both min=3 and max=2"},
		{new(string), "min=3,max=2", "no string satisfies both min=3 and max=2"},
		{[][]int{}, "unique", "the word unique is not supported for [][]int"},
		{time.Time{}, "gt", "the word gt is not supported for time.Time"},
		{"", "dive,min=3", "dive needs a list or a map, and the field is a string"},
		{[]string{}, "dive,keys,min=1", "keys needs a map, and endkeys after the words about its keys"},
		{[]string{}, "min=1,dive,iban", "the word iban is not known"},
	} {
		w := field(t, c.of, c.tag)
		want := fmt.Sprintf("in.F: the tag validate:%q is not used: %s", c.tag, c.want)
		if len(w.Notes) != 1 || w.Notes[0] != want || w.Tagged() {
			t.Errorf("got %q, want %q", w.Notes, want)
		}
	}
}

type chainlink struct {
	Name string       `validate:"required"`
	Next *chainlink   `validate:"required"`
	Kids []*chainlink `validate:"min=1,dive,required"`
}

// byValue contains itself in lists and maps, without a pointer.
type byValue struct {
	V    int
	Kids []byValue          `validate:"min=1"`
	Map  map[string]byValue `validate:"required,dive"`
	More []struct {
		Again []byValue `validate:"gt=0"`
	} `validate:"len=2"`
}

// A type that the tags of its own fields require has no finite value that satisfies them. Its
// terms still end, and they differ.
func TestRecursiveTags(t *testing.T) {
	t.Run("pointers", testRecursiveTags[chainlink])
	t.Run("values", testRecursiveTags[byValue])
}

func testRecursiveTags[In any](t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[In](), nil)
	if err != nil {
		t.Fatal(err)
	}
	g, seen, most := gen.New(w), map[string]bool{}, 0
	for run := range uint64(500) {
		x := g.Term(rng.At(1, run), 20)
		v, _ := w.Value(x)
		seen[strings.ReplaceAll(fmt.Sprintf("%+v", v), "0x", "")] = true
		most = max(most, w.Cells(x))
	}
	if len(seen) < 300 || most < 10 || most > 40 {
		t.Errorf("%d different, at most %d cells", len(seen), most)
	}
}

// A struct tag that reflect cannot read is not used, and a note says so once, if it seems to have a
// key that is read. Tags of other keys give none.
func TestMalformedTags(t *testing.T) {
	field := func(name, tag string) reflect.StructField {
		return reflect.StructField{Name: name, Type: reflect.TypeFor[int](), Tag: reflect.StructTag(tag)}
	}
	for tag, form := range map[string]bool{
		"validate:\"required":              false,
		"validate: \"required\"":           false,
		"validate:required":                false,
		"validate=\"required\"":            false,
		"json:\"a\",validate:\"required\"": false,
		"json:a validate:\"required\"":     false,
		"binding:'required'":               false,
		"json:\"validate":                  false,
		"json:\"a":                         true, // no key that is read
		"json:\"validate\"":                true,
		"just words":                       true,
		"validate:\"min=3\" json:a":        true, // the key comes first
	} {
		w, err := schema.Derive(reflect.StructOf([]reflect.StructField{field("A", tag), field("B", `validate:"min=3"`)}), nil)
		if err != nil {
			t.Fatal(err)
		}
		note := "in.A: the tag " + tag + " is not used: it is not in the form key:\"value\""
		if form && len(w.Notes) > 0 || !form && (len(w.Notes) != 1 || w.Notes[0] != note) {
			t.Errorf("%s: %q", tag, w.Notes)
		}
	}
}

// The zero time can be made with arguments too.
func TestRequiredTime(t *testing.T) {
	w := field(t, time.Time{}, "required")
	g := gen.New(w)
	for run := range uint64(5000) {
		x := g.Term(rng.At(1, run), 20)
		if v, _ := w.Value(x); w.Inside(x) == v.Field(0).IsZero() {
			t.Fatalf("run %d: %v", run, v)
		}
	}
}

// Three tags that are not used have a note of their own.
func TestTagsNotUsedAreCounted(t *testing.T) {
	for n, want := range map[int]string{
		3: `in.F2: the tag validate:"nonzero" is not used: the word nonzero is not known`,
		4: "1 more tag is not used, for a reason of this kind",
		5: "2 more tags are not used, for reasons of this kind",
	} {
		var fields []reflect.StructField
		for i := range n {
			fields = append(fields, reflect.StructField{Name: fmt.Sprint("F", i), Type: reflect.TypeFor[int](), Tag: `validate:"nonzero"`})
		}
		w, err := schema.Derive(reflect.StructOf(fields), nil)
		if err != nil || w.Notes[len(w.Notes)-1] != want {
			t.Errorf("%d: %v %q", n, err, w.Notes)
		}
	}
}
