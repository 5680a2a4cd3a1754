//go:build go1.25

package codec_test

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/schema"
)

// Case files contain the plain text of a derivation. A text that does not match is a loss
// that names the expression and the position; so is an omitted text, if "" does not match.
func TestDecodeMatch(t *testing.T) {
	type in struct {
		V zoo.Version
		T *zoo.Title
		B []byte
	}
	decl := func(typ reflect.Type, expr string) schema.Decl {
		m, err := schema.NewMatch(expr)
		if err != nil {
			t.Fatal(err)
		}
		return schema.Decl{Type: typ, What: m}
	}
	w, err := schema.Derive(reflect.TypeFor[in](), []schema.Decl{
		decl(reflect.TypeFor[zoo.Version](), `\d+(\.\d+)*`), decl(reflect.TypeFor[zoo.Title](), `(a\b.*)?`), decl(reflect.TypeFor[[]byte](), `[\x00-\x03]*`),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ src, want string }{
		{`in{V: "1.20"}`, `in{V: "1.20", B: []byte{}}`},
		{"in{V: `1`, T: new(Title(\"a!\")), B: []byte{1, 2}}", `in{V: "1", T: new(zoo.Title("a!")), B: []byte{0x01, 0x02}}`},
		{`in{V: Version("1" + ".0"), T: &[]zoo.Title{""}[0], B: []byte("\x03")}`, `in{V: "1.0", T: new(zoo.Title("")), B: []byte{0x03}}`},
		{`in{V: "1..0"}`, `in{V: "0", B: []byte{}} | 1: in.V: "1..0" does not match ` + "`\\d+(\\.\\d+)*`" + `: it does not fit from byte 2 on`},
		{`in{}`, `in{V: "0", B: []byte{}} | 1: in.V: omitted, but "" does not match ` + "`\\d+(\\.\\d+)*`" + `: the text ends too early`},
		{`in{V: 7, B: []byte("\xff")}`, `in{V: "0", B: []byte{}} | 1: in.V: cannot use 7 as a string | ` +
			`1: in.B: "\xff" does not match ` + "`[\\x00-\\x03]*`" + `: byte 0 is not UTF-8`},
		{`in{V: "1", T: new(Title("ab"))}`, `in{V: "1", T: new(zoo.Title("")), B: []byte{}} | 1: in.T: "ab" does not match ` + "`(a\\b.*)?`" +
			`: a condition such as ^, $ or \b does not hold`},
	} {
		r, err := codec.Decode(w, "f", []byte(c.src), nil)
		if err != nil {
			t.Errorf("%s: %v", c.src, err)
			continue
		}
		got := codec.Print(w, r.Term, codec.Style{Pkg: herePkg, New: true, Case: true, Width: 500}).Expr
		for _, l := range r.Losses {
			got += " | " + l.String()
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.src, got, c.want)
		}
	}
}
