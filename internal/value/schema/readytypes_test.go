//go:build go1.25

package schema_test

import (
	"bufio"
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/mail"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// readyBar builds 1,000 values of a type, and counts those that are valid, and their
// different texts. At least half must be valid, and 100 different.
func readyBar[V any](t *testing.T, valid func(V) (text string, ok bool), decls ...schema.Decl) {
	t.Helper()
	w, err := schema.Derive(reflect.TypeFor[V](), decls)
	if err != nil {
		t.Fatal(err)
	}
	const runs = 1000
	g, b := gen.New(w), schema.NewBuilder(w)
	good, texts := 0, map[string]bool{}
	for run := range uint64(runs) {
		v := new(V)
		if !b.Build(g.Term(rng.At(1, run), int(run%20)), reflect.ValueOf(v).UnsafePointer()) {
			continue
		}
		text, ok := valid(*v)
		if ok {
			good++
			texts[text] = true
		} else {
			t.Logf("run %d: %s is not valid", run, text)
		}
	}
	t.Logf("%d valid, %d different", good, len(texts))
	if good < runs/2 || len(texts) < 100 {
		t.Errorf("%d of %d valid, %d different", good, runs, len(texts))
	}
}

// Types of the standard library with hidden fields, or texts in a certain form, are valid
// without a declaration.
func TestReadyStandard(t *testing.T) {
	t.Run("big.Float", func(t *testing.T) {
		float := func(f *big.Float) (string, bool) {
			again, _, err := new(big.Float).SetPrec(f.Prec()).Parse(f.Text('g', -1), 10)
			return f.Text('g', -1), err == nil && again.Cmp(f) == 0
		}
		readyBar(t, float)
		readyBar(t, func(f big.Float) (string, bool) { return float(&f) })
	})
	t.Run("json.Number", func(t *testing.T) {
		readyBar(t, func(n json.Number) (string, bool) {
			var again json.Number
			b, err := json.Marshal(n)
			return string(n), err == nil && json.Unmarshal(b, &again) == nil && again == n
		})
	})
	t.Run("url.Userinfo", func(t *testing.T) {
		readyBar(t, func(u *url.Userinfo) (string, bool) {
			again, err := url.Parse("http://" + u.String() + "@a/")
			return u.String(), err == nil && reflect.DeepEqual(again.User, u)
		})
	})
	t.Run("readers", func(t *testing.T) {
		read := func(r io.Reader) (string, bool) {
			b, err := io.ReadAll(r)
			return string(b), err == nil
		}
		readyBar(t, func(b *bytes.Buffer) (string, bool) { return read(b) })
		readyBar(t, func(b bytes.Buffer) (string, bool) { return read(&b) })
		readyBar(t, func(b *bytes.Reader) (string, bool) { return read(b) })
		readyBar(t, func(r *strings.Reader) (string, bool) { return read(r) })
		readyBar(t, func(r strings.Reader) (string, bool) { return read(&r) })
	})
	t.Run("time.Location", func(t *testing.T) {
		readyBar(t, func(l *time.Location) (string, bool) {
			at := time.Date(2026, 1, 2, 3, 4, 5, 0, l)
			again, err := time.Parse(time.RFC3339, at.Format(time.RFC3339))
			return at.Format(time.RFC3339), err == nil && again.Equal(at)
		})
	})
}

// Examples may have values that are never generated, and those that earlier versions stored.
func TestReadyStandardExamples(t *testing.T) {
	huge, _, err := big.ParseFloat("1.25", 10, 24, big.ToZero)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []any{
		big.NewFloat(1.5), *big.NewFloat(-0.25), (*big.Float)(nil), big.Float{}, new(big.Float).SetInt64(7), new(big.Float).SetMantExp(big.NewFloat(0.75), 600),
		json.Number("12.50"), json.Number(""), json.Number("none"), json.Number("-1e9"),
		url.User("a"), url.UserPassword("a", ""), (*url.Userinfo)(nil), url.Userinfo{}, &url.Userinfo{},
		bytes.NewBufferString("ab"), &bytes.Buffer{}, bytes.Buffer{}, (*bytes.Buffer)(nil), bytes.NewReader([]byte("x")), strings.NewReader("abc"),
		(*strings.Reader)(nil), time.UTC, time.Local, (*time.Location)(nil), time.FixedZone("CET", 3600), time.FixedZone("Q", 61),
		net.IPv4(1, 2, 3, 4), net.IPv4(1, 2, 3, 4).To4(), net.IP(nil), net.IP{1}, net.ParseIP("::1"), net.IPv4Mask(255, 0, 0, 0), net.IPMask{1, 0}, net.IPNet{},
		net.IPNet{IP: net.IP{10, 0, 0, 0}, Mask: net.CIDRMask(8, 32)}, net.IPNet{IP: net.IP{10, 0, 0, 1}, Mask: net.CIDRMask(8, 32)},
		mail.Address{Name: "\xff", Address: "x"}, mail.Address{Name: "A", Address: "a@bc"}, mail.Address{}, &mail.Address{Address: "@"},
		sql.NullString{String: "a"}, sql.NullString{}, sql.NullTime{Time: time.Unix(5, 0).UTC(), Valid: true}, sql.Null[time.Duration]{V: 3},
	} {
		w, y, err := readBack(x)
		if err != nil {
			t.Errorf("%T %v: %v", x, x, err)
			continue
		}
		v := reflect.New(w.Root.Type)
		if !schema.NewBuilder(w).Build(y, v.UnsafePointer()) || !reflect.DeepEqual(v.Elem().Interface(), x) {
			t.Errorf("%T %v is built as %v", x, x, v.Elem())
		}
	}
	if _, _, err := readBack(huge); err == nil || !strings.Contains(fmt.Sprint(err), "cannot be read back") {
		t.Errorf("a float with another precision: %v", err)
	}
}

func readBack(x any) (*schema.World, term.Term, error) {
	w, err := schema.Derive(reflect.TypeOf(x), nil)
	if err != nil {
		return nil, nil, err
	}
	y, err := w.Read(reflect.ValueOf(x))
	return w, y, err
}

// So are types of packages that a test binary links only if the program does.
func TestReadyLinked(t *testing.T) {
	t.Run("net.IP", func(t *testing.T) {
		readyBar(t, func(ip net.IP) (string, bool) {
			return ip.String(), ip.Equal(net.ParseIP(ip.String())) && (len(ip) == 4 || len(ip) == 16)
		})
		readyForms(t, func(ip *net.IP) []string {
			return which(*ip == nil || (*ip).To16() != nil, map[string]bool{"nil": *ip == nil, "4": len(*ip) == 4, "16": len(*ip) == 16, "v4in6": len(*ip) == 16 && ip.To4() != nil})
		}, "nil 4 16 v4in6")
	})
	t.Run("net.IPMask", func(t *testing.T) {
		readyForms(t, func(m *net.IPMask) []string {
			ones, bits := m.Size()
			return which(bits > 0, map[string]bool{"none": ones == 0, "all": ones == bits, "v4": bits == 32, "v6": bits == 128})
		}, "none all v4 v6")
	})
	t.Run("net.IPNet", func(t *testing.T) {
		readyBar(t, func(n net.IPNet) (string, bool) {
			_, again, err := net.ParseCIDR(n.String())
			return n.String(), err == nil && reflect.DeepEqual(*again, n)
		})
	})
	t.Run("mail.Address", func(t *testing.T) {
		readyBar(t, func(a mail.Address) (string, bool) {
			again, err := mail.ParseAddress(a.String())
			return a.String(), err == nil && *again == a
		})
		readyForms(t, func(a *mail.Address) []string {
			again, err := mail.ParseAddress(a.String())
			return which(err == nil && *again == *a, map[string]bool{"name": a.Name != "", "bare": a.Name == "", "encoded": strings.Contains(a.String(), "=?utf-8"), "quoted": strings.Contains(a.String(), `\`)})
		}, "name bare encoded quoted")
	})
	t.Run("sql.Null", func(t *testing.T) {
		readyBar(t, func(s sql.NullString) (string, bool) { return s.String, s.Valid || s.String == "" })
		readyBar(t, func(s sql.Null[float64]) (string, bool) { return fmt.Sprint(s.V), s.Valid || s.V == 0 })
		readyForms(t, func(s *sql.NullTime) []string {
			return which(s.Valid || s.Time.IsZero(), map[string]bool{"null": !s.Valid, "some": s.Valid})
		}, "null some")
	})
}

// Requests are the ones that http.NewRequest makes; they can be sent, and parsed.
func TestReadyRequest(t *testing.T) {
	readyBar(t, func(r *http.Request) (string, bool) {
		made, err := http.NewRequest(r.Method, r.URL.String(), nil)
		var sent bytes.Buffer
		if err == nil && r.Body != nil {
			body, _ := r.GetBody()
			text, _ := io.ReadAll(body)
			made, err = http.NewRequest(r.Method, r.URL.String(), strings.NewReader(string(text)))
		}
		if err != nil {
			return r.URL.String(), false
		}
		if r.Header == nil {
			t.Error("a request without a header")
		}
		for key, values := range r.Header {
			if values == nil {
				t.Errorf("no values of %s", key)
			}
		}
		made.Header = r.Header
		got, want := *r, *made
		got.GetBody, want.GetBody = nil, nil
		if !reflect.DeepEqual(&got, &want) {
			t.Fatalf("%+v is not %+v", got, want)
		}
		if err := r.Write(&sent); err != nil {
			t.Logf("%v", err)
			return r.URL.String(), false
		}
		text := sent.String()
		again, err := http.ReadRequest(bufio.NewReader(&sent))
		return text, err == nil && again.Method == r.Method && again.Host == r.Host && again.URL.RequestURI() == r.URL.RequestURI()
	})
	readyForms(t, func(r **http.Request) []string {
		return which(true, map[string]bool{"body": (*r).Body != nil, "none": (*r).Body == nil, "header": len((*r).Header) > 0, "query": (*r).URL.RawQuery != "", "post": (*r).Method == "POST"})
	}, "body none header query post")
	made := func(method, url string, body io.Reader) *http.Request {
		r, err := http.NewRequest(method, url, body)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, x := range []*http.Request{nil, made("GET", "http://a/", nil), made("LINK", "/x%20y?z#u", nil), made("POST", "https://a/b?c=d", strings.NewReader("e"))} {
		w, y, err := readBack(x)
		if err != nil {
			t.Errorf("%v: %v", x, err)
			continue
		}
		v := new(*http.Request)
		ok := schema.NewBuilder(w).Build(y, reflect.ValueOf(v).UnsafePointer())
		if *v != nil {
			(*v).GetBody, x.GetBody = nil, nil
		}
		if !ok || !reflect.DeepEqual(*v, x) {
			t.Errorf("%v is built as %v", x, *v)
		}
	}
}

// A declaration about a field of such a type wins: its values are made from their fields.
func TestReadyLinkedGivesWay(t *testing.T) {
	type input struct{ N sql.NullInt64 }
	low := schema.Decl{What: schema.At{Path: "N.Int64", Sub: []schema.Decl{
		{Type: reflect.TypeFor[int64](), What: schema.Range{Lo: reflect.ValueOf(int64(1)), Hi: reflect.ValueOf(int64(9))}, Tier: schema.Local}}}, Tier: schema.Local}
	values(t, []schema.Decl{low}, 1000, func(in *input, ok bool) {
		if !ok || in.N.Int64 < 1 || in.N.Int64 > 9 {
			t.Fatalf("%v", in)
		}
	})
}
