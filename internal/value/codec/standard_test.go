//go:build go1.25

package codec_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"net"
	"net/mail"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/schema"
)

// Cases that were stored before these types had builders still have the same value, also
// if no builder makes it.
func TestCasesOfStandardTypes(t *testing.T) {
	type in struct {
		A    mail.Address
		To   []*mail.Address
		S    sql.NullString
		T    sql.NullTime
		IP   net.IP
		Net  *net.IPNet
		N    json.Number
		User *url.Userinfo
	}
	for text, want := range map[string]in{
		`in{}`: {},
		`in{A: mail.Address{Name: "a", Address: "no address"}}`:                                        {A: mail.Address{Name: "a", Address: "no address"}},
		`in{A: mail.Address{Name: "\xff"}, To: []*mail.Address{{Address: "x"}, nil, &mail.Address{}}}`: {A: mail.Address{Name: "\xff"}, To: []*mail.Address{{Address: "x"}, nil, {}}},
		`in{S: sql.NullString{String: "a"}, T: sql.NullTime{Valid: true}}`:                             {S: sql.NullString{String: "a"}, T: sql.NullTime{Valid: true}},
		`in{IP: net.IP{1, 2}, Net: &net.IPNet{IP: net.IP{1}, Mask: net.IPMask{3}}}`:                    {IP: net.IP{1, 2}, Net: &net.IPNet{IP: net.IP{1}, Mask: net.IPMask{3}}},
		`in{N: json.Number("none"), User: &url.Userinfo{}}`:                                            {N: "none", User: &url.Userinfo{}},
		`in{N: "none"}`: {N: "none"},
	} {
		w, err := schema.Derive(reflect.TypeFor[in](), nil)
		if err != nil {
			t.Fatal(err)
		}
		c, err := codec.Decode(w, "x.go", codec.Encode(codec.Header{Test: "TestX"}, text), nil)
		if err != nil || len(c.Losses) > 0 {
			t.Errorf("%s: %v, lost %v", text, err, c.Losses)
			continue
		}
		if v, ok := w.Value(c.Term); !ok || !reflect.DeepEqual(v.Interface(), want) {
			t.Errorf("%s is %+v", text, v)
		}
	}
}

type release struct{ text string }

func parseRelease(s string) (release, error) {
	if !strings.Contains(s, ".") && s != "" {
		return release{}, errors.New("not a release")
	}
	return release{s}, nil
}

// Cases with calls of a function that was found in the source have any text, also if only some
// forms of texts are generated for it.
func TestCasesOfParsers(t *testing.T) {
	m, err := schema.NewFound("", parseRelease)
	if err != nil {
		t.Fatal(err)
	}
	w, err := schema.Derive(reflect.TypeFor[release](), []schema.Decl{{Type: m.Result, What: m, Tier: schema.Found}})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"1.2.3", "a.b.c.d", ""} {
		c, err := codec.Decode(w, "x.go", codec.Encode(codec.Header{Test: "TestX"}, "parseRelease("+strconv.Quote(text)+")"), nil)
		if err != nil || len(c.Losses) > 0 {
			t.Errorf("%q: %v, lost %v", text, err, c.Losses)
			continue
		}
		if v, ok := w.Value(c.Term); !ok || v.Interface() != (release{text}) {
			t.Errorf("%q is %+v", text, v)
		}
		want := "func() release { v, _ := parseRelease(" + strconv.Quote(text) + "); return v }()"
		if got := codec.Print(w, c.Term, codec.Style{Pkg: reflect.TypeFor[release]().PkgPath()}).Expr; got != want {
			t.Errorf("%q is printed as %s", text, got)
		}
	}
}
