package stored

import (
	"encoding/json"
	"fmt"
	"io"
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele"
)

// fails checks that no input is bad. So it fails, with a message that shows the input.
func fails[In any](t *testing.T, name string, bad func(In) bool, opts ...allele.Option) {
	t.Run(name, func(t *testing.T) {
		allele.Check(t, func(t *allele.T, in In) {
			if bad(in) {
				t.Errorf("bad %s", show(reflect.ValueOf(&in).Elem()))
			}
		}, opts...)
	})
}

// show renders a value without addresses.
func show(v reflect.Value) string {
	if v.CanInterface() {
		switch x := v.Interface().(type) {
		case fmt.Stringer:
			if v.Kind() == reflect.Pointer && v.IsNil() {
				return "nil"
			}
			return x.String()
		case error:
			return x.Error()
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		return "&" + show(v.Elem())
	case reflect.Struct:
		var parts []string
		for i := range v.NumField() {
			parts = append(parts, show(v.Field(i)))
		}
		return "{" + strings.Join(parts, " ") + "}"
	case reflect.Slice:
		if v.IsNil() {
			return "nil"
		}
		fallthrough
	case reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return fmt.Sprintf("%x", v)
		}
		var parts []string
		for i := range v.Len() {
			parts = append(parts, show(v.Index(i)))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case reflect.Map:
		if v.IsNil() {
			return "nil"
		}
		return fmt.Sprintf("%v", v)
	case reflect.String:
		return fmt.Sprintf("%q", v)
	case reflect.Func:
		return fmt.Sprintf("func %t", v.IsNil())
	}
	return fmt.Sprint(v)
}

func TestStored(t *testing.T) {
	fails(t, "ID", func(id ID) bool { return id[15] > 3 && id[0] > 100 })
	fails(t, "Hash", func(h *Hash) bool { return h != nil && h[31] > h[0] && h[7] == 1 }, allele.Size(80))
	fails(t, "IDs", func(ids []ID) bool { return len(ids) > 1 && ids[0] != ids[1] }, allele.Size(100))
	fails(t, "Blocks", func(b []Block) bool { return len(b) > 0 && b[0].Height > 2 && len(b[0].Txs) > 0 }, allele.Size(300))
	fails(t, "Grid", func(g Grid) bool { return g.Cells[2][1] > 5 && g.Long[39] != 0 && g.Names[1] != "" })
	fails(t, "Users", func(u Users) bool { return len(u.ByID) > 0 && u.Seen[[4]byte{}] }, allele.Size(100))
	fails(t, "Array", func(a [5]uint64) bool { return a[4] > 1000 })
	fails(t, "Matrix", func(m [2][3]float32) bool { return m[1][2] > 0.5 && m[0][0] < 0 })
	fails(t, "Any", func(l Loose) bool { return l.Any == nil && l.N > 3 })
	fails(t, "Error", func(l Loose) bool { return l.Err == nil && len(l.List) > 1 })
	fails(t, "Meta", func(l Loose) bool { return len(l.Meta) > 1 })
	fails(t, "NilContext", func(h Hooks) bool { return h.Ctx == nil && len(h.Name) > 1 })
	fails(t, "Form", func(f Form) bool { return f.Age < 18 && f.Name != "" && f.Email == "" })
	fails(t, "FormOutside", func(f Form) bool { return f.Age > 130 && len(f.Tags) == 0 && f.Role != "" })
	fails(t, "Big", func(n Numbers) bool { return n.Big != nil && n.Big.BitLen() > 40 })
	fails(t, "Rat", func(n Numbers) bool { return n.Rat != nil && !n.Rat.IsInt() })
	fails(t, "BigValue", func(n Numbers) bool { return n.Int.Sign() < 0 })
	fails(t, "Time", func(x Times) bool { return x.At.Year() > 2030 })
	fails(t, "Duration", func(x Times) bool { return x.After > 3600e9 && x.Month != 0 })
	fails(t, "Site", func(x Times) bool { return x.Site > 4 || x.Month > 12 })
	fails(t, "Addr", func(n Net) bool { return n.Addr.IsValid() && n.Addr.Is4() })
	fails(t, "Addr6", func(a netip.Addr) bool { return a.Is6() && !a.Is4In6() })
	fails(t, "Addrs", func(as []netip.Addr) bool { return len(as) > 2 }, allele.Size(100))
	fails(t, "Prefix", func(n Net) bool { return n.Prefix.IsValid() && n.Prefix.Bits() > 3 })
	fails(t, "IP", func(n Net) bool { return len(n.IP) > 1 && n.Network.Mask != nil })
	fails(t, "URL", func(w Web) bool { return w.URL != nil && w.URL.Host != "" })
	fails(t, "Header", func(w Web) bool { return len(w.Header) > 0 && len(w.Values) > 0 })
	fails(t, "Mail", func(w Web) bool { return w.Mail.Address != "" && w.Number != "" })
	fails(t, "Raw", func(w Web) bool { return json.Valid(w.Raw) && len(w.Raw) > 2 })
	fails(t, "Row", func(r Row) bool { return !r.Name.Valid && r.Name.String != "" })
	fails(t, "RowValid", func(r Row) bool { return r.Age.Valid && r.Age.Int64 < -5 && r.At.Valid })
	fails(t, "Bytes", func(x Texts) bool { return len(x.Bytes) > 4 && x.Bytes[2] > 200 })
	fails(t, "UTF8", func(x Texts) bool { return strings.ToValidUTF8(x.Text, "") != x.Text })
	fails(t, "Match", func(x Texts) bool { return strings.HasSuffix(x.Version, "9") && len(x.Code) > 3 },
		allele.At("Version", allele.Match[string](`v\d+\.\d+`)), allele.At("Code", allele.Match[string](`([A-Z]{2}-)*[0-9]?`)))
	fails(t, "Float", func(x Floats) bool { return x.F != x.F })
	fails(t, "Complex", func(x Floats) bool { return imag(x.C) > 1 && x.G < -1 })
	fails(t, "Pointers", func(p Pointers) bool { return p.A != nil && *p.A != nil && p.B != nil && p.B.C != nil })
	fails(t, "Pair", func(p Pair[map[string]int, []Pair[bool, *int8]]) bool { return len(p.First) > 0 && len(p.Second) > 1 })
	fails(t, "Embedded", func(s Sub) bool { return s.ID > 3 && s.Pair != nil && s.Second }, allele.Range[Level](3, 7))
	fails(t, "Method", func(m []Method) bool { return len(m) > 1 && m[0] == "PUT" }, allele.Values[Method]("GET", "PUT", "DELETE"))
	fails(t, "Errors", func(f func() error) bool { return f != nil && f() == io.EOF },
		allele.Values[func() error](nil, eof))
	fails(t, "Shape", func(s Shape) bool { return s.Area() > 20 }, variants)
	fails(t, "Shapes", func(s []Shape) bool { return len(s) > 1 && reflect.TypeOf(s[0]) != reflect.TypeOf(s[1]) }, variants)
	fails(t, "Tree", func(t *Tree) bool { return t != nil && t.L != nil && t.R != nil && t.L.K > t.K })
	fails(t, "Span", func(s Span) bool { return s.hi-s.lo > 10 }, allele.Builder(NewSpan))
	fails(t, "SpanPointer", func(s *Span) bool { return s != nil && s.hi > 20 }, allele.Builder(NewSpan), allele.Builder((*Span).Grow))
	fails(t, "Ordered", func(m map[string][]Tree) bool { return len(m) > 1 }, allele.Size(40))
}

func eof() error { return io.EOF }

var variants = allele.Variants[Shape](Square{}, &Rect{}, Group{})

// The search of TestKept saves inputs of many types. None of them fails.
func TestKept(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct {
		ID     ID
		Block  *Block
		Grid   Grid
		Users  Users
		Loose  Loose
		Form   Form
		Net    Net
		Times  Times
		Shapes []Shape
		Texts  Texts
	}) {
		if paths(in.ID[:], in.Grid, in.Form, in.Net, in.Texts) < 0 {
			t.Error("negative")
		}
	}, variants, allele.Size(60))
}

func paths(id []byte, g Grid, f Form, n Net, x Texts) (count int) {
	for _, b := range id {
		if b > 200 {
			count++
		}
	}
	if g.Cells[1][1] > 3 {
		count++
	}
	if f.Age > 17 && f.Role == "" {
		count++
	}
	if n.Addr.IsValid() {
		count++
	}
	if len(x.Bytes) > 2 && x.Bytes[1] == 7 {
		count++
	}
	return count
}
