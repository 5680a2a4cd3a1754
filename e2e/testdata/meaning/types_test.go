package meaning

import (
	"fmt"
	"reflect"
	"sort"
	"strings"
	"testing"
	"time"

	"example.com/meaning/other"
	"github.com/allele-go/allele"
)

// check fails for every input that bad accepts, and shows the whole value.
func check[T any](t *testing.T, bad func(T) bool, opts ...allele.Option) {
	allele.Check(t, func(t *allele.T, in T) {
		if bad(in) {
			var b strings.Builder
			show(&b, reflect.ValueOf(&in).Elem(), 0)
			t.Errorf("value %s", b.String())
		}
	}, opts...)
}

// show writes a value with its hidden fields.
func show(b *strings.Builder, v reflect.Value, depth int) {
	if depth > 9 {
		b.WriteString("...")
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		b.WriteString("&")
		show(b, v.Elem(), depth+1)
	case reflect.Struct:
		b.WriteString(v.Type().Name() + "{")
		for i := range v.NumField() {
			if v.Type() == reflect.TypeFor[time.Location]() {
				break
			}
			show(b, v.Field(i), depth+1)
			b.WriteString(" ")
		}
		b.WriteString("}")
	case reflect.Slice, reflect.Array:
		b.WriteString("[")
		for i := range v.Len() {
			show(b, v.Index(i), depth+1)
			b.WriteString(" ")
		}
		b.WriteString("]")
	case reflect.Map:
		var all []string
		for it := v.MapRange(); it.Next(); {
			var e strings.Builder
			show(&e, it.Key(), depth+1)
			e.WriteString(":")
			show(&e, it.Value(), depth+1)
			all = append(all, e.String())
		}
		sort.Strings(all)
		fmt.Fprintf(b, "map%v", all)
	case reflect.Func:
		b.WriteString("func")
	default:
		fmt.Fprintf(b, "%v", v)
	}
}

func TestHidden(t *testing.T)    { check(t, func(p Percent) bool { return p.n > 50 }) }
func TestPointer(t *testing.T)   { check(t, func(r *Ref) bool { return r != nil && r.id > 7 }) }
func TestOrdered(t *testing.T)   { check(t, func(s Span) bool { return s.lo > 3 }) }
func TestMethod(t *testing.T)    { check(t, func(s *Stack) bool { return s != nil && len(s.items) > 2 }) }
func TestZeroValue(t *testing.T) { check(t, func(c *Counter) bool { return c != nil && c.hits > 1 }) }
func TestGeneric(t *testing.T) {
	check(t, func(s *Set[string]) bool { return s != nil && len(s.in) > 1 })
}
func TestNested(t *testing.T)    { check(t, func(p Pair) bool { return p.a.n > 1 && p.b.n > 2 }) }
func TestExported(t *testing.T)  { check(t, func(n Named) bool { return n.N > 5 && n.Name != "" }) }
func TestInterface(t *testing.T) { check(t, func(s Shape) bool { return s != nil && s.Area() > 8 }) }
func TestVariants(t *testing.T) {
	check(t, func(s Shape) bool { return s != nil && s.Area() > 8 }, allele.Variants[Shape](Square{}, &Rect{}))
}
func TestCycle(t *testing.T)  { check(t, func(l *Loop) bool { return l != nil && l.n > 3 }) }
func TestShared(t *testing.T) { check(t, func(w Twin) bool { return w.a != nil && *w.a > 3 }) }
func TestGlobal(t *testing.T) { check(t, func(l *List) bool { return l != nil && l.n > 3 }) }
func TestTime(t *testing.T) {
	check(t, func(e Event) bool { return e.at.Year() > 1980 && e.name != "" })
}
func TestFunc(t *testing.T) {
	check(t, func(c *Calc) bool { return c != nil && c.n > 3 }, allele.Values[func(int) int](nil))
}
func TestTree(t *testing.T)   { check(t, func(n *Node) bool { return n.Size() > 2 }) }
func TestNumber(t *testing.T) { check(t, func(c Celsius) bool { return c > 36 }) }
func TestBytes(t *testing.T)  { check(t, func(g Grid) bool { return g.cells[1] > 3 && len(g.raw) > 1 }) }
func TestEmbedded(t *testing.T) {
	check(t, func(o Outer) bool { return o.n > 5 && o.Note != "" })
}
func TestOptional(t *testing.T) { check(t, func(o Opt) bool { return o.p != nil && o.p.n > 5 }) }
func TestToken(t *testing.T)    { check(t, func(k Token) bool { return k != nil && len(k.text()) > 1 }) }
func TestOther(t *testing.T)    { check(t, func(l other.Level) bool { return l.N() > 5 }) }
func TestBag(t *testing.T)      { check(t, func(b *other.Bag[int]) bool { return b != nil && b.Len() > 1 }) }
func TestBox(t *testing.T)      { check(t, func(b other.Box) bool { return b.W > 3 && b.H > 4 }) }
func TestSlice(t *testing.T) {
	check(t, func(all []Percent) bool { return len(all) > 1 && all[1].n > 5 })
}
func TestMap(t *testing.T) {
	check(t, func(m map[string]Percent) bool { return len(m) > 1 && m[""].n > 3 })
}
func TestKey(t *testing.T) {
	check(t, func(m map[Percent]int) bool { return len(m) > 0 && m[Percent{1}] > 3 })
}
func TestInputs(t *testing.T) {
	check(t, func(in struct {
		P Percent
		S *Stack
		N int
	}) bool {
		return in.P.n > 2 && in.N > 3
	})
}
func TestOwnBuilder(t *testing.T) {
	check(t, func(p Percent) bool { return p.n > 50 }, allele.Builder(func(n uint8) Percent { return Percent{int(n) % 101} }))
}
func TestRange(t *testing.T) {
	check(t, func(n Named) bool { return n.N > 5 }, allele.Range(0, 9))
}
func TestValues(t *testing.T) {
	check(t, func(p Percent) bool { return p.n > 5 }, allele.Values(Percent{1}, Percent{7}))
}
