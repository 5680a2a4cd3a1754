//go:build go1.25

package codec_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/schema"
)

type (
	address struct {
		Street, Zip string
		Next        *address
	}
	parcel struct {
		Name    string
		Weight  int
		Height  int
		Address address
		To      *address
		Tags    []string
	}
)

// A case that names fields which its type no longer has reports what probably became of them,
// and can be read again with these renames.
func TestRenames(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[parcel](), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, expr, like, want string }{
		{"another name", `parcel{Name: "a", Wait: 3}`, "Wait=Weight", `parcel{Name: "a", Weight: 3}`},
		{"the place decides between fields of one type", `parcel{Name: "a", Mass: 3, Height: 5}`, "Mass=Weight", `parcel{Name: "a", Weight: 3, Height: 5}`},
		{"the name decides at one place", `parcel{Name: "a", Hight: 3}`, "Hight=Height", `parcel{Name: "a", Height: 3}`},
		{"no longer exported", `parcel{name: "a"}`, "name=Name", `parcel{Name: "a"}`},
		{"the type decides", `parcel{Labels: []string{"x"}}`, "Labels=Tags", `parcel{Tags: []string{"x"}}`},
		{"at another place with a similar name", `parcel{Tag: []string{"x"}, Name: "a"}`, "Tag=Tags", `parcel{Name: "a", Tags: []string{"x"}}`},
		{"moved into a struct", `parcel{Name: "a", Zip: "1"}`, "Zip=Address.Zip", `parcel{Name: "a", Address: address{Zip: "1"}}`},
		{"several moved into a struct", `parcel{Zip: "1", Street: "s", Address: address{}}`, "Zip=Address.Zip,Street=Address.Street",
			`parcel{Address: address{Street: "s", Zip: "1"}}`},
		{"in a part", `parcel{To: &address{Stret: "s"}}`, "Stret=Street", `parcel{To: &address{Street: "s"}}`},
		{"nothing fits", `parcel{Gift: true}`, "Gift=", `parcel{}`},
		{"a field that is set is not meant", `parcel{Name: "a", Weight: 1, Height: 2, Depth: 3}`, "Depth=", `parcel{Name: "a", Weight: 1, Height: 2}`},
	} {
		k, err := codec.Decode(w, "x.case", []byte(c.expr), nil)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		var like []string
		for _, l := range k.Losses {
			if !l.Gone {
				t.Errorf("%s: %v", c.name, l)
			}
			like = append(like, l.Field+"="+l.Like)
		}
		if got := strings.Join(like, ","); got != c.like {
			t.Errorf("%s: %s, want %s", c.name, got, c.like)
		}
		renames, err := codec.ParseRenames(c.like)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		k, err = codec.DecodeRenamed(w, "x.case", []byte(c.expr), nil, renames)
		if got := strings.ReplaceAll(codec.Print(w, k.Term, codec.Style{Case: true, Width: 200}).Expr, "codec_test.", ""); err != nil || len(k.Losses) > 0 || got != c.want {
			t.Errorf("%s: %s, %v, %v, want %s", c.name, got, k.Losses, err, c.want)
		}
	}
}

// A rename with a type applies to this type only, and a rename of a field that exists to none.
func TestRenamesOfType(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[parcel](), nil)
	if err != nil {
		t.Fatal(err)
	}
	const expr = `parcel{Alias: "a", Weight: 3, Address: address{Alias: "b"}}`
	for _, c := range []struct{ renames, want string }{
		{"parcel.Alias=Name", `parcel{Name: "a", Weight: 3} 1`},
		{"address.Alias=Zip,Alias=Name", `parcel{Name: "a", Weight: 3, Address: address{Zip: "b"}} 0`},
		{"Weight=Height,Alias=", `parcel{Weight: 3} 0`},
	} {
		renames, err := codec.ParseRenames(c.renames)
		if err != nil {
			t.Fatal(err)
		}
		k, err := codec.DecodeRenamed(w, "x.case", []byte(expr), nil, renames)
		if got := fmt.Sprint(strings.ReplaceAll(codec.Print(w, k.Term, codec.Style{Case: true, Width: 200}).Expr, "codec_test.", ""), " ", len(k.Losses)); err != nil || got != c.want {
			t.Errorf("%s: %s, %v, want %s", c.renames, got, err, c.want)
		}
	}
	for _, bad := range []string{"", "Cost", "=Price", "Cost=a b", "Cost=Price,", "a.b=c d"} {
		if r, err := codec.ParseRenames(bad); err == nil {
			t.Errorf("%q: %v", bad, r)
		}
	}
}
