//go:build go1.25

package schema_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

// sorted has an unexported field with an invariant: only its functions make valid
// values.
type sorted struct{ ns []int }

func newSorted(ns ...int) *sorted {
	s := &sorted{slices.Clone(ns)}
	slices.Sort(s.ns)
	return s
}

func (s *sorted) add(n int) {
	if n == 13 {
		panic("unlucky")
	}
	s.ns = append(s.ns, n)
	slices.Sort(s.ns)
}

func (s *sorted) union(o *sorted) *sorted { return newSorted(append(slices.Clone(s.ns), o.ns...)...) }

type page interface{ page() }

type (
	word  struct{ S string }
	tag   struct{ In page }
	join  struct{ A, B page }
	ruler struct{}
)

func (word) page()  {}
func (tag) page()   {}
func (*join) page() {}
func (ruler) page() {}

func line() page                   { return ruler{} }
func bold(in page) tag             { return tag{in} }
func both(a, b page) (*join, bool) { return &join{a, b}, a != b }

func found(t *testing.T, fs ...any) (ds []schema.Decl) {
	t.Helper()
	for _, f := range fs {
		m, err := schema.NewFound("", f)
		if err != nil {
			t.Fatal(err)
		}
		ds = append(ds, schema.Decl{Type: m.Result, What: m, Tier: schema.Found})
	}
	return ds
}

// A type with unexported fields is made by the functions that were found, also if
// the input contains it by value; a function that panics has rejected its
// arguments.
func TestFoundMakers(t *testing.T) {
	type input struct {
		P *sorted
		V sorted
	}
	ds := found(t, newSorted, (*sorted).add, (*sorted).union)
	refused, longest := 0, 0
	values(t, ds, 2000, func(in *input, ok bool) {
		if !ok {
			refused++
			return
		}
		longest = max(longest, len(in.P.ns))
		if !slices.IsSorted(in.P.ns) || !slices.IsSorted(in.V.ns) {
			t.Fatalf("%v", in)
		}
	})
	if longest < 10 || refused == 0 || refused > 1000 {
		t.Errorf("the longest has %d, %d were rejected", longest, refused)
	}
	unsorted := 0
	values(t, append(ds, schema.Decl{What: schema.Ignore{Builders: true}, Tier: schema.Local}), 2000, func(in *input, ok bool) {
		if in.P != nil && !slices.IsSorted(in.P.ns) {
			unsorted++
		}
	})
	if unsorted == 0 {
		t.Error("without builders the fields are filled")
	}
}

type grid struct{ cells []bool }

func newGrid(w, h int) *grid { return &grid{make([]bool, w*h)} }

// Numbers that determine how much memory to use are small, and not negative: the function never
// refuses them.
func TestFoundSmall(t *testing.T) {
	m, err := schema.NewFound("", newGrid, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	most, refused := 0, 0
	values(t, []schema.Decl{{Type: m.Result, What: m, Tier: schema.Found}}, 2000, func(g **grid, ok bool) {
		if !ok {
			refused++
		} else {
			most = max(most, len((*g).cells))
		}
	})
	if most < 1000 || most > 64*64 || refused > 0 {
		t.Errorf("the largest has %d cells, %d were refused", most, refused)
	}
}

// Functions that cannot end the recursion make nothing.
func TestFoundEndless(t *testing.T) {
	ds := found(t, (*sorted).add, (*sorted).union)
	w, err := schema.Derive(reflect.TypeFor[*sorted](), ds)
	if err != nil || w.Root.Kind != schema.Pointer {
		t.Errorf("%v, kind %v", err, w.Root.Kind)
	}
}

// An interface is made from its variants and by functions that make one of them.
func TestFoundCalls(t *testing.T) {
	ds := append(found(t, line, bold, both), schema.Decl{Type: reflect.TypeFor[page](), What: schema.Variants{reflect.TypeFor[word](), reflect.TypeFor[tag](), reflect.TypeFor[*join]()}})
	rulers, words, refused := 0, 0, 0
	values(t, ds, 2000, func(in *page, ok bool) {
		if !ok {
			refused++
			return
		}
		eachPage(*in, func(p page) {
			switch p.(type) {
			case ruler:
				rulers++
			case word:
				words++
			case nil:
				t.Fatalf("%v", *in)
			}
		})
	})
	if rulers < 500 || words < 500 || refused == 0 {
		t.Errorf("%d rulers, %d words, %d refused", rulers, words, refused)
	}
}

// Functions that were declared for an interface are used beside its variants too.
func TestDeclaredCalls(t *testing.T) {
	m, err := schema.NewFunc(line)
	if err != nil {
		t.Fatal(err)
	}
	w, err := schema.Derive(reflect.TypeFor[page](), []schema.Decl{
		{Type: reflect.TypeFor[page](), What: schema.Variants{reflect.TypeFor[word](), reflect.TypeFor[tag]()}, Tier: schema.Global},
		{Type: m.Result, What: m, Tier: schema.Global},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := mixText(w.Root, 1); got != "word tag (line)" {
		t.Errorf("got %s", got)
	}
}

func eachPage(p page, do func(page)) {
	do(p)
	switch p := p.(type) {
	case tag:
		eachPage(p.In, do)
	case *join:
		eachPage(p.A, do)
		eachPage(p.B, do)
	}
}

// A property may use only some of the constructors. Unknown names are errors.
func TestMix(t *testing.T) {
	all := append(found(t, line, bold), schema.Decl{Type: reflect.TypeFor[page](), What: schema.Variants{reflect.TypeFor[word](), reflect.TypeFor[tag](), reflect.TypeFor[*join]()}})
	all = append(all, pattern[page]("f#1", &join{A: word{}, B: tag{}}), pattern[page]("f#2", tag{In: word{S: "x"}}))
	for _, c := range []struct {
		mix      schema.Mix
		ctors    string
		patterns int
		err      string
	}{
		{schema.Mix{}, "word tag join (line bold)", 2, ""},
		{schema.Mix{Only: []string{"word", "tag"}}, "word tag", 1, ""}, // one needs a join
		{schema.Mix{Only: []string{"word", "join", "line", "bold"}}, "word join (line bold)", 0, ""},
		{schema.Mix{Without: []string{"tag", "bold", "f#2"}}, "word join (line)", 0, ""},
		{schema.Mix{Without: []string{"line", "bold", "f"}}, "word tag join", 0, ""},
		{schema.Mix{Only: []string{"word", "tag", "join", "f#2"}}, "word tag join", 1, ""},
		{schema.Mix{Weights: map[string]float64{"word": 3, "schema_test.line": 0}}, "word*3 tag join (line*0 bold)", 2, ""},
		{schema.Mix{Only: []string{"wrd"}}, "", 0, "Only[schema_test.page]: no constructor is named wrd; the type has word, tag, join, schema_test.line, schema_test.bold, f#1, f#2"},
		{schema.Mix{Without: []string{"word", "tag", "join", "line", "bold"}}, "", 0, "Only and Without exclude every constructor of schema_test.page"},
	} {
		ds := append(slices.Clone(all), schema.Decl{Type: reflect.TypeFor[page](), What: &c.mix, Tier: schema.Local})
		w, err := schema.Derive(reflect.TypeFor[page](), ds)
		if err != nil {
			if c.err == "" || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%+v: %v", c.mix, err)
			}
			continue
		}
		if got := mixText(w.Root, 1); got != c.ctors || len(w.Root.Patterns) != c.patterns {
			t.Errorf("%+v: %q and %d patterns, want %q and %d", c.mix, got, len(w.Root.Patterns), c.ctors, c.patterns)
		}
	}
}

func mixText(s *schema.Schema, first int) string {
	var parts []string
	for c := first; c < len(s.Ctors); c++ {
		name := s.Ctors[c].Name
		if s.Ctors[c].Call {
			parts = append(parts, "("+mixText(s.Ctors[c].Fields[0].S, 0)+")")
			continue
		}
		name = name[strings.LastIndexByte(name, '.')+1:]
		if s.Odds != nil && s.Odds[c] != 1 {
			name += "*" + strings.TrimSuffix(string('0'+byte(s.Odds[c])), ".")
		}
		parts = append(parts, name)
	}
	return strings.Join(parts, " ")
}

func pattern[V any](name string, v V, fixed ...string) schema.Decl {
	return schema.Decl{Type: reflect.TypeFor[V](), What: &schema.ShapeDecl{Name: name, Value: reflect.ValueOf(&v).Elem(), Fixed: fixed}}
}

type colored struct {
	Red         bool
	K           int
	Left, Right *colored
}

// Zero values in a pattern are holes, unless they are fixed.
func TestPatterns(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[*colored](), []schema.Decl{
		pattern("balance#1", &colored{Left: &colored{Red: true, Left: &colored{Red: true}}}, "Red", "Left.Right"),
		pattern("none", &colored{}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := shapeText(w.Root.Patterns[0].Shape), "1{0 _ 1{1 _ 1{1 _ _ _} 0} _}"; got != want || len(w.Root.Patterns) != 2 {
		t.Errorf("got %s, want %s", got, want)
	}
	w, err = schema.Derive(reflect.TypeFor[page](), []schema.Decl{
		{Type: reflect.TypeFor[page](), What: schema.Variants{reflect.TypeFor[word](), reflect.TypeFor[*join]()}},
		pattern[page]("f#1", &join{A: word{"a"}, B: &join{A: word{}}}, "B.A"),
		pattern[page]("f#2", &join{A: tag{}}), // there is no tag here
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := shapeText(w.Root.Patterns[0].Shape), `2{1{"a"} 2{1{_} _}}`; got != want || len(w.Root.Patterns) != 1 {
		t.Errorf("got %s, want %s", got, want)
	}
}

func shapeText(s *schema.Shape) string {
	switch {
	case s == nil:
		return "_"
	case s.S.Kind == schema.Scalar:
		return string('0' + byte(s.X))
	case s.S.Kind == schema.String:
		return `"` + s.Text + `"`
	}
	out := string('0' + byte(s.C))
	if len(s.Fields) > 0 {
		var parts []string
		for _, f := range s.Fields {
			parts = append(parts, shapeText(f))
		}
		out += "{" + strings.Join(parts, " ") + "}"
	}
	return out
}

// Constants of a field apply to that field, wherever its struct occurs.
func TestFieldConsts(t *testing.T) {
	type token struct{ Kind, Text string }
	type input struct {
		Rest []token
		S    string
	}
	d := schema.Decl{What: schema.At{Owner: reflect.TypeFor[token](), Path: "Kind", Sub: []schema.Decl{{Type: reflect.TypeFor[string](), What: schema.Likely{All: []reflect.Value{reflect.ValueOf("while")}, Loose: true}}}}, Tier: schema.Found}
	kinds, texts, tokens := 0, 0, 0
	values(t, []schema.Decl{d}, 1000, func(in *input, ok bool) {
		for _, k := range in.Rest {
			tokens++
			if k.Kind == "while" {
				kinds++
			}
			if k.Text == "while" {
				texts++
			}
		}
	})
	if share := float64(kinds) / float64(tokens); share < 0.4 || share > 0.7 || texts > tokens/4 {
		t.Errorf("%d kinds and %d texts of %d", kinds, texts, tokens)
	}
	// The constants of a type take precedence over those that one of its fields
	// is compared with.
	enum := schema.Decl{Type: reflect.TypeFor[string](), What: schema.Likely{All: []reflect.Value{reflect.ValueOf("for"), reflect.ValueOf("while")}}}
	kinds, texts = 0, 0
	values(t, []schema.Decl{d, enum}, 1000, func(in *input, ok bool) {
		for _, k := range in.Rest {
			switch k.Kind {
			case "while":
				kinds++
			case "for":
				texts++
			}
		}
	})
	if kinds < 1000 || texts < 1000 {
		t.Errorf("%d and %d", kinds, texts)
	}
	without := schema.Decl{What: schema.Ignore{Constants: true}, Tier: schema.Local}
	values(t, []schema.Decl{d, without}, 1000, func(in *input, ok bool) {
		for _, k := range in.Rest {
			if k.Kind == "while" {
				t.Fatal("without fields")
			}
		}
	})
}

// values builds random values of a type.
func values[V any](t *testing.T, ds []schema.Decl, n int, do func(v *V, ok bool)) {
	t.Helper()
	w, err := schema.Derive(reflect.TypeFor[V](), ds)
	if err != nil {
		t.Fatal(err)
	}
	g, b := gen.New(w), schema.NewBuilder(w)
	for i := range n {
		v := new(V)
		do(v, b.Build(g.Term(rng.At(1, uint64(i)), 20), unsafe.Pointer(v)))
	}
}

type (
	server struct{ timeout, size int }
	option func(*server)
)

func newServer(opts ...option) *server {
	s := &server{timeout: 1}
	for _, o := range opts {
		o(s)
	}
	return s
}

func withSize(n uint8) option { return func(s *server) { s.size = int(n) } }

// A constructor takes option functions, if a function makes them.
func TestFoundOptions(t *testing.T) {
	sized := 0
	values(t, found(t, newServer, withSize), 500, func(s **server, ok bool) {
		if !ok || *s == nil || (*s).timeout != 1 || (*s).size > 255 {
			t.Fatalf("%+v", *s)
		}
		if (*s).size > 0 {
			sized++
		}
	})
	if sized < 50 {
		t.Errorf("%d servers with an option", sized)
	}
}
