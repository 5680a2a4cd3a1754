//go:build go1.25

package codec_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

// Element has data beside its links, which only Add makes.
type Element struct {
	Tag      string
	Attrs    map[string]string
	Level    int `json:"level"`
	Parent   *Element
	Children []*Element
}

// Add adds a child.
func (e *Element) Add(c *Element) {
	c.Parent = e
	e.Children = append(e.Children, c)
}

// A value that methods change is printed with the fields that no method changes, and read back. A case
// without these fields, as written by earlier versions, is read too.
func TestStarts(t *testing.T) {
	for _, in := range []reflect.Type{reflect.TypeFor[*Element](), reflect.TypeFor[Element](), reflect.TypeFor[[]*Element]()} {
		w, err := schema.Derive(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		g := gen.New(w)
		full := 0
		for run := range uint64(60) {
			x := g.Term(rng.At(1, run), 15).Clone()
			for _, style := range styles {
				roundTrip(t, w, x, style)
			}
			text := codec.Print(w, x, codec.Style{}).Expr
			if strings.Contains(text, "Tag: ") && strings.Contains(text, "Level: ") && strings.Contains(text, "v.Add(") {
				full++
			}
		}
		if full < 20 {
			t.Errorf("%v: %d of 60 have fields and children", in, full)
		}
	}
	w, err := schema.Derive(reflect.TypeFor[*Element](), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, expr := range []string{"&Element{}", `&Element{Level: 3}`, "func() *Element { v := &Element{}; v.Add(&Element{}); return v }()"} {
		c, err := codec.Decode(w, "x.go", codec.Encode(codec.Header{Test: "TestX"}, expr), nil)
		if err != nil || len(c.Losses) > 0 {
			t.Fatalf("%s: %v %v", expr, err, c.Losses)
		}
		if got := codec.Print(w, c.Term, codec.Style{Pkg: reflect.TypeFor[Element]().PkgPath()}).Expr; got != expr {
			t.Errorf("%s is read as %s", expr, got)
		}
	}
}
