//go:build go1.25

package schema_test

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

// readyForms builds 10,000 values of a type and counts their forms; the form of
// an invalid value is "".
func readyForms[V any](t *testing.T, forms func(*V) []string, want string) {
	t.Helper()
	w, err := schema.Derive(reflect.TypeFor[V](), nil)
	if err != nil {
		t.Fatal(err)
	}
	const runs = 10_000
	g, b := gen.New(w), schema.NewBuilder(w)
	seen := map[string]int{}
	for run := range uint64(runs) {
		v := new(V)
		if !b.Build(g.Term(rng.At(1, run), int(run%20)), reflect.ValueOf(v).UnsafePointer()) {
			seen["refused"]++
			continue
		}
		for _, f := range forms(v) {
			if f == "" {
				t.Fatalf("run %d: %+v is not valid", run, *v)
			}
			seen[f]++
		}
	}
	t.Log(seen)
	for _, f := range strings.Fields(want) {
		if seen[f] < 20 {
			t.Errorf("%s: %d of %d", f, seen[f], runs)
		}
	}
	if seen["refused"] > 0 {
		t.Errorf("%d of %d refused", seen["refused"], runs)
	}
}

// which lists the names of the conditions that hold, "" if the value is not
// valid.
func which(valid bool, is map[string]bool) (names []string) {
	if !valid {
		return []string{""}
	}
	for name, holds := range is {
		if holds {
			names = append(names, name)
		}
	}
	return names
}

// All values are valid, and every form occurs.
func TestReadyForms(t *testing.T) {
	t.Run("url", func(t *testing.T) {
		readyForms(t, func(v **url.URL) []string {
			u := *v
			again, err := url.Parse(u.String())
			_, hasPassword := u.User.Password()
			return which(err == nil && reflect.DeepEqual(again, u), map[string]bool{
				"scheme": u.Scheme != "", "none": u.Scheme == "" && u.Host == "", "net": u.Scheme == "" && u.Host != "", "user": u.User != nil, "password": hasPassword,
				"port": u.Port() != "", "v6": strings.HasPrefix(u.Host, "["), "path": len(u.Path) > 1, "root": u.String() == "/", "empty": u.Path == "",
				"query": u.RawQuery != "", "fragment": u.Fragment != "", "opaque": u.Opaque != "", "raw": u.RawPath != "", "relative": u.Host == "" && strings.HasPrefix(u.Path, "a"),
			})
		}, "scheme none net user password port v6 path root empty query fragment opaque raw relative")
	})
	t.Run("prefix", func(t *testing.T) {
		readyForms(t, func(p *netip.Prefix) []string {
			again, err := netip.ParsePrefix(p.String())
			return which(err == nil && again == *p && p.IsValid(), map[string]bool{
				"v4": p.Addr().Is4(), "v6": p.Addr().Is6(), "masked": *p == p.Masked(), "unmasked": *p != p.Masked(),
				"all": p.Bits() == 0, "one": p.IsSingleIP(), "most": p.Bits() == 128,
			})
		}, "v4 v6 masked unmasked all one most")
	})
	t.Run("addrport", func(t *testing.T) {
		readyForms(t, func(a *netip.AddrPort) []string {
			again, err := netip.ParseAddrPort(a.String())
			return which(err == nil && again == *a && a.IsValid(), map[string]bool{"v4": a.Addr().Is4(), "v6": a.Addr().Is6(), "top": a.Port() == 65535})
		}, "v4 v6 top")
	})
	t.Run("rat", func(t *testing.T) {
		readyForms(t, func(v **big.Rat) []string {
			again, ok := new(big.Rat).SetString((*v).String())
			return which(ok && again.Cmp(*v) == 0, map[string]bool{
				"zero": (*v).Sign() == 0, "negative": (*v).Sign() < 0, "int": (*v).IsInt(), "fraction": !(*v).IsInt(),
				"longNum": !(*v).Num().IsInt64(), "longDen": !(*v).Denom().IsInt64(),
			})
		}, "zero negative int fraction longNum longDen")
	})
	t.Run("json", func(t *testing.T) {
		readyForms(t, func(m *json.RawMessage) []string {
			var x any
			s := string(*m)
			_ = json.Unmarshal(*m, &x) // 1e400 is valid and overflows
			return which(json.Valid(*m), map[string]bool{
				"null": s == "null", "bool": s == "true" || s == "false", "text": s[0] == '"', "array": s[0] == '[', "object": s[0] == '{',
				"float": strings.Contains(s, ".0"), "power": regexp.MustCompile(`^-?\d+e`).MatchString(s), "stray": strings.Contains(s, `\udc`),
				"loose": strings.Contains(s, "[ "), "nested": strings.Contains(s, "[{") || strings.Contains(s, "[["), "int": regexp.MustCompile(`^-?\d+$`).MatchString(s),
			})
		}, "null bool text array object float power stray loose nested int")
	})
	t.Run("regexp", func(t *testing.T) {
		readyForms(t, func(v **regexp.Regexp) []string {
			s := (*v).String()
			again, err := regexp.Compile(s)
			return which(err == nil && reflect.DeepEqual(again, *v), map[string]bool{
				"empty": s == "", "alternatives": strings.Contains(s, "|"), "group": strings.Contains(s, "("), "class": strings.Contains(s, "["), "not": strings.Contains(s, "[^"),
				"star": strings.Contains(s, "*"), "count": strings.Contains(s, "{0,2}"), "begin": strings.HasPrefix(s, "^"), "named": strings.Contains(s, "(?P"),
			})
		}, "empty alternatives group class not star count begin named")
	})
}

// The simplest value of a type is the one that failures are shrunk to.
func TestReadyLeast(t *testing.T) {
	least := func(x any, text func(v reflect.Value) string) string {
		w, err := schema.Derive(reflect.TypeOf(x), nil)
		if err != nil {
			t.Fatal(err)
		}
		v := reflect.New(w.Root.Type)
		schema.NewBuilder(w).Build(w.Root.Least, v.UnsafePointer())
		return text(v.Elem())
	}
	str := func(v reflect.Value) string { return v.MethodByName("String").Call(nil)[0].String() }
	for _, c := range []struct{ got, want string }{
		{least((*url.URL)(nil), str), "/"},
		{least(netip.Prefix{}, str), "0.0.0.0/0"},
		{least(netip.AddrPort{}, str), "0.0.0.0:0"},
		{least((*big.Rat)(nil), str), "0/1"},
		{least((*regexp.Regexp)(nil), str), ""},
		{least(json.RawMessage{}, func(v reflect.Value) string { return string(v.Bytes()) }), "null"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// Examples may contain values that are never generated: nil, zero, and texts that
// no structure has.
func TestReadyExamples(t *testing.T) {
	parse := func(s string) *url.URL {
		u, err := url.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	for _, x := range []any{
		parse("https://user:pw@example.com:8080/a%2Fb/c?q=1&r#top"), parse("urn:isbn:1"), parse(""), (*url.URL)(nil), *parse("x://y"), url.URL{},
		json.RawMessage(nil), json.RawMessage(`{"a": [1, 2.50, 1E5], "b": "\u00e9"}`), json.RawMessage("12345678.5"), json.RawMessage("[ ]"),
		regexp.MustCompile(`(?m)^\s*(\w+)=(.*)$`), regexp.MustCompile("a|b*"), (*regexp.Regexp)(nil),
		netip.Prefix{}, netip.MustParsePrefix("::ffff:1.2.3.4/100"), netip.AddrPort{}, netip.MustParseAddrPort("[fe80::1%eth0]:80"),
		big.NewRat(1, 3), (*big.Rat)(nil), new(big.Rat).SetFrac(new(big.Int).Lsh(big.NewInt(3), 90), big.NewInt(7)), *big.NewRat(-2, 4),
		time.Unix(1e9, 0).In(time.FixedZone("", -60*90)), time.Unix(5, 6).UTC(), time.Time{},
	} {
		w, err := schema.Derive(reflect.TypeOf(x), nil)
		if err != nil {
			t.Fatal(err)
		}
		y, err := w.Read(reflect.ValueOf(x))
		if err != nil {
			t.Errorf("%T %v: %v", x, x, err)
			continue
		}
		v := reflect.New(w.Root.Type)
		if !schema.NewBuilder(w).Build(y, v.UnsafePointer()) || !reflect.DeepEqual(v.Elem().Interface(), x) {
			t.Errorf("%T %v is built as %v", x, x, v.Elem())
		}
	}
}

// A user's own builder, or declared values, replace the ready builders.
func TestReadyGivesWay(t *testing.T) {
	re := regexp.MustCompile("x+")
	w, err := schema.Derive(reflect.TypeFor[*regexp.Regexp](), []schema.Decl{{Type: reflect.TypeFor[*regexp.Regexp](), What: schema.Values{All: []reflect.Value{reflect.ValueOf(re)}}, Tier: schema.Local}})
	if err != nil || w.Root.Kind != schema.Choice || len(w.Root.Ctors) != 1 {
		t.Errorf("values: %v", err)
	}
	w, err = schema.Derive(reflect.TypeFor[json.RawMessage](), []schema.Decl{builderOf(t, func(b []byte) json.RawMessage { return b })})
	if err != nil || len(w.Root.Ctors) != 1 || w.Root.First() != 0 {
		t.Errorf("builder: %v", err)
	}
}

func BenchmarkReady(b *testing.B) {
	for _, typ := range []reflect.Type{reflect.TypeFor[*big.Rat](), reflect.TypeFor[netip.Prefix](), reflect.TypeFor[netip.AddrPort](),
		reflect.TypeFor[*url.URL](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[*regexp.Regexp]()} {
		b.Run(typ.String(), func(b *testing.B) {
			w, err := schema.Derive(typ, nil)
			if err != nil {
				b.Fatal(err)
			}
			g, bd := gen.New(w), schema.NewBuilder(w)
			for i := uint64(0); b.Loop(); i++ {
				bd.Build(g.Term(rng.At(1, i%64), 10), reflect.New(typ).UnsafePointer())
			}
		})
	}
}

// Generated times are unchanged after they are written and read in RFC 3339, the form
// in which JSON and most programs store times.
func TestTimesAreRFC3339(t *testing.T) {
	readyForms(t, func(v *time.Time) []string {
		again, err := time.Parse(time.RFC3339Nano, v.Format(time.RFC3339Nano))
		_, offset := v.Zone()
		_, minutes := again.Zone()
		return which(err == nil && again.Equal(*v) && offset == minutes, map[string]bool{
			"zero": v.IsZero(), "utc": offset == 0, "east": offset > 0, "west": offset < 0, "half": offset%3600 != 0,
			"now": v.Year() >= 1970 && v.Year() < 2100, "old": v.Year() < 1970, "far": v.Year() >= 2100,
		})
	}, "zero utc east west half now old far")
}
