//go:build go1.25

package schema_test

import (
	"math"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"unsafe"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// slowBuild is the obvious way to build a value: reflection alone. The plans must
// agree with it. It reports false if a builder rejected its arguments.
func slowBuild(w *schema.World, t term.Term) (v reflect.Value, ok bool) {
	v = reflect.New(w.Root.Type).Elem()
	b := slow{w, t, 0, true}
	b.value(w.Root, v)
	return v, b.ok
}

type slow struct {
	w  *schema.World
	t  term.Term
	at int
	ok bool
}

func (b *slow) value(s *schema.Schema, v reflect.Value) {
	if v.CanAddr() {
		v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
	}
	n := b.t[b.at]
	b.at++
	switch s.Kind {
	case schema.Scalar:
		setScalar(v, n.X)
	case schema.String, schema.Bytes:
		if n.C == term.Raw {
			v.Set(reflect.ValueOf(append([]byte{}, b.t.Bytes(b.at-1)...)).Convert(v.Type()))
			b.at += int(n.N) - 1
		}
	case schema.Complex:
		b.at += 2
		v.SetComplex(complex(math.Float64frombits(b.t[b.at-2].X), math.Float64frombits(b.t[b.at-1].X)))
	case schema.Slice:
		if n.C == 1 {
			v.Set(reflect.MakeSlice(v.Type(), int(n.X), int(n.X)))
			b.list(s, v)
		}
	case schema.Array:
		b.list(s, v)
	case schema.Block:
		for i := range s.Len {
			setScalar(v.Index(i), s.Item(b.t.Bytes(b.at-1), i))
		}
		b.at += int(n.N) - 1
	case schema.Map:
		b.mapping(s, n, v)
	case schema.Choice:
		sub := slow{b.w, s.Ctors[n.C].Value, 0, true}
		sub.value(s.Base, v)
	case schema.Rule:
		sub := slow{b.w, s.Flat(b.t.Sub(b.at - 1)), 0, true}
		sub.value(s.Base, v)
		b.ok = b.ok && s.Accepts(b.t.Sub(b.at-1))
		b.at += int(n.N) - 1
	default:
		b.ctor(s, int(n.C), v)
	}
}

func setScalar(v reflect.Value, x uint64) {
	switch {
	case v.Kind() == reflect.Bool:
		v.SetBool(x != 0)
	case v.CanInt():
		v.SetInt(int64(x))
	case v.CanFloat():
		v.SetFloat(math.Float64frombits(x))
	default:
		v.SetUint(x)
	}
}

func (b *slow) list(s *schema.Schema, v reflect.Value) {
	for i := range v.Len() {
		b.value(s.Elem, v.Index(i))
	}
}

func (b *slow) mapping(s *schema.Schema, n term.Node, v reflect.Value) {
	if n.C == 0 {
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for range n.X {
		k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		b.value(s.Key, k)
		b.value(s.Elem, e)
		v.SetMapIndex(k, e)
	}
}

func (b *slow) ctor(s *schema.Schema, c int, v reflect.Value) {
	switch s.Kind {
	case schema.Struct:
		b.fields(s.Ctors[c].Fields, v)
	case schema.Pointer:
		if c == 1 {
			x := reflect.New(v.Type().Elem())
			b.fields(s.Ctors[c].Fields, x.Elem())
			v.Set(x)
		}
	case schema.Interface:
		if c > 0 {
			vt := s.Variant(c)
			if vt.Kind() == reflect.Pointer {
				x := reflect.New(vt.Elem())
				b.fields(s.Ctors[c].Fields, x.Elem())
				v.Set(x)
			} else {
				x := reflect.New(vt).Elem()
				b.fields(s.Ctors[c].Fields, x)
				v.Set(x)
			}
		}
	case schema.Made:
		out, ok := s.Ctors[c].Func.Call(b.args(s.Ctors[c].Fields))
		b.ok = b.ok && ok
		v.Set(out)
	}
}

func (b *slow) args(fs []schema.Field) []reflect.Value {
	var args []reflect.Value
	for _, f := range fs {
		a := reflect.New(f.S.Type).Elem()
		b.value(f.S, a)
		args = append(args, a)
	}
	return args
}

func (b *slow) fields(fs []schema.Field, v reflect.Value) {
	for _, f := range fs {
		if f.Name == "" {
			b.value(f.S, v)
		} else {
			b.value(f.S, v.FieldByName(f.Name))
		}
	}
}

// same is reflect.DeepEqual, except that a NaN equals itself.
func same(a, b reflect.Value) bool {
	if a.Kind() != b.Kind() || a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return schema.FloatBits(a.Float()) == schema.FloatBits(b.Float())
	case reflect.Complex64, reflect.Complex128:
		x, y := a.Complex(), b.Complex()
		return schema.FloatBits(real(x)) == schema.FloatBits(real(y)) && schema.FloatBits(imag(x)) == schema.FloatBits(imag(y))
	case reflect.Func, reflect.Chan: // of a request
		return a.IsNil() == b.IsNil()
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() && b.IsNil()
		}
		return same(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return false
		}
		fallthrough
	case reflect.Array:
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		return sameMap(a, b)
	case reflect.String:
		return a.String() == b.String()
	case reflect.Bool:
		return a.Bool() == b.Bool()
	}
	if a.CanInt() {
		return a.Int() == b.Int()
	}
	return a.Uint() == b.Uint()
}

// sameMap compares entry by entry. It does not find keys that are or contain
// pointers, but the zoo has none.
func sameMap(a, b reflect.Value) bool {
	if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
		return false
	}
	for it := a.MapRange(); it.Next(); {
		if v := b.MapIndex(it.Key()); !v.IsValid() || !same(it.Value(), v) {
			return false
		}
	}
	return true
}

type built struct {
	w *schema.World
	t term.Term
	v reflect.Value
}

// Every value agrees with the slow twin when it is built and still does after
// garbage collections. Run it also with -race (which includes checkptr),
// GODEBUG=gccheckmark=1 and GOGC=1.
func TestBuild(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	terms := 20_000
	if testing.Short() {
		terms = 2_000
	}
	var builders []*schema.Builder
	var worlds []*schema.World
	var gens []*gen.Gen
	for _, a := range zoo.All() {
		w, err := schema.Derive(a.Type, a.Decls)
		if err != nil {
			t.Fatalf("%s: %v", a.Name, err)
		}
		worlds, gens, builders = append(worlds, w), append(gens, gen.New(w)), append(builders, schema.NewBuilder(w))
	}
	var kept []built
	refused := 0
	for i := range terms {
		k := i % len(worlds)
		w, b := worlds[k], builders[k]
		b.Single = i%7 == 0
		x := gens[k].Term(rng.At(1, uint64(i)), i%30).Clone()
		v := reflect.New(w.Root.Type)
		ok := b.Build(x, v.UnsafePointer())
		want, wantOK := slowBuild(w, x)
		if ok != wantOK {
			t.Fatalf("%v: built %v, slowly %v", w.Root.Type, ok, wantOK)
		}
		if !ok {
			refused++
			continue
		}
		if !same(v.Elem(), want) {
			t.Fatalf("%v: built %+v, slowly %+v", w.Root.Type, v.Elem(), want)
		}
		if kept = append(kept, built{w, x, v.Elem()}); len(kept) == 400 {
			runtime.GC()
			verify(t, kept)
			kept = kept[:0]
		}
	}
	t.Logf("%d terms over %d types, %d rejected by a builder", terms, len(worlds), refused)
}

func verify(t *testing.T, kept []built) {
	for _, k := range kept {
		if want, _ := slowBuild(k.w, k.t); !same(k.v, want) {
			t.Fatalf("%v: damaged after a collection: %+v, want %+v", k.w.Root.Type, k.v, want)
		}
	}
}

// A value is read back as the term it was built from, if it can be read.
func TestRead(t *testing.T) {
	unread := map[string]bool{}
	for _, a := range zoo.All() {
		w, err := schema.Derive(a.Type, a.Decls)
		if err != nil {
			t.Fatal(err)
		}
		g, b := gen.New(w), schema.NewBuilder(w)
		for i := range uint64(500) {
			x := g.Term(rng.At(2, i), int(i)%25)
			v := reflect.New(a.Type)
			if !b.Build(x, v.UnsafePointer()) {
				continue
			}
			y, err := w.Read(v.Elem())
			if err != nil {
				unread[a.Name] = true
				continue
			}
			if !slices.Contains([]string{"opaque", "library", "standard", "linked", "textual"}, a.Name) && !term.Equal(x, y) {
				t.Fatalf("%s: %+v reads back as another term", a.Name, v.Elem())
			}
			// A time or number may be read as a call of another builder; but the
			// result of that call reads the same.
			again, _ := slowBuild(w, y)
			if z, err := w.Read(again); err != nil || !term.Equal(y, z) {
				t.Fatalf("%s: %+v reads back as %+v", a.Name, v.Elem(), again)
			}
		}
	}
	// The builders of Stack cannot be inverted, and a *big.Int may be negative
	// and large, which only a shift can make.
	if want := map[string]bool{"built": true, "made": true, "opaque": true, "library": true, "standard": true}; !reflect.DeepEqual(unread, want) {
		t.Errorf("could not read %v, want %v", unread, want)
	}
}

func TestReadFindsCycles(t *testing.T) {
	w, _ := schema.Derive(reflect.TypeFor[*list](), nil)
	l := &list{}
	l.tail = l
	if _, err := w.Read(reflect.ValueOf(l)); err == nil {
		t.Error("a cycle was read")
	}
}

// The package assumes the layout of interface values, and Go may change it.
func TestInterfaceLayout(t *testing.T) {
	var x shape = &square{side: 2}
	w := (*[2]unsafe.Pointer)(unsafe.Pointer(&x))
	if (*square)(w[1]).side != 2 {
		t.Error("the second word of an interface is not its data")
	}
}

// Values made for one run are not touched by the next.
func TestBuildIsFresh(t *testing.T) {
	w, _ := schema.Derive(reflect.TypeFor[*zoo.Tree](), nil)
	b := schema.NewBuilder(w)
	tree, err := w.Read(reflect.ValueOf(&zoo.Tree{K: 1, L: &zoo.Tree{K: 2}}))
	if err != nil {
		t.Fatal(err)
	}
	var one, two *zoo.Tree
	b.Build(tree, unsafe.Pointer(&one))
	one.K, one.L.K, one.L = 7, 8, nil
	b.Build(tree, unsafe.Pointer(&two))
	if two.K != 1 || two.L.K != 2 || one.K != 7 {
		t.Errorf("%+v %+v", one, two)
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, a := range zoo.All()[:8] {
		b.Run(a.Name, func(b *testing.B) {
			w, err := schema.Derive(a.Type, a.Decls)
			if err != nil {
				b.Fatal(err)
			}
			x := gen.New(w).Term(rng.At(1, 5), 20)
			bd := schema.NewBuilder(w)
			v := reflect.New(a.Type)
			p := v.UnsafePointer()
			for b.Loop() {
				v.Elem().SetZero()
				bd.Build(x, p)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(x)), "ns/unit")
		})
	}
}
