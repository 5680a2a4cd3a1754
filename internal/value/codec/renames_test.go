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
	node struct {
		Left, Right *node
		Key         int
	}
	letter struct {
		Tax, Price int
		Sealed     bool
	}
	stamped struct {
		Letter letter
		Stamp  stamp
		Bill   bill
	}
	stamp struct{ Cents int }
	bill  struct{ To, From address }
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
		{"moved into one of two structs", `parcel{Name: "a", Zip: "1"}`, "Zip=Address.Zip|To.Zip?", ""},
		{"several moved", `parcel{Zip: "1", Street: "s", Address: address{}}`, "Zip=Address.Zip|To.Zip?,Street=Address.Street|To.Street?", ""},
		{"in a part", `parcel{To: &address{Stret: "s"}}`, "Stret=Street", `parcel{To: &address{Street: "s"}}`},
		{"nothing fits", `parcel{Gift: true}`, "Gift=", `parcel{}`},
		{"a field that is set is not meant", `parcel{Name: "a", Weight: 1, Height: 2, Depth: 3}`, "Depth=", `parcel{Name: "a", Weight: 1, Height: 2}`},
	} {
		k, err := codec.Decode(w, "x.case", []byte(c.expr), nil)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := likes(t, k.Losses); got != c.like {
			t.Errorf("%s: %s, want %s", c.name, got, c.like)
		}
		if c.want == "" {
			continue
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

// likes renders what became of fields: the new name, or names if it is not certain.
func likes(t *testing.T, losses []codec.Loss) string {
	t.Helper()
	var all []string
	for _, l := range losses {
		if !l.Gone {
			t.Error(l)
		}
		if len(l.Maybe) > 0 {
			l.Like = strings.Join(l.Maybe, "|") + "?"
		}
		all = append(all, l.Field+"="+l.Like)
	}
	return strings.Join(all, ",")
}

// Each row is a case, what probably became of its fields, and the case after these renames.
func TestRenamesOfParts(t *testing.T) {
	for _, c := range []struct{ name, got, want string }{
		{"a part of a field that was renamed", renamed[*node](t, `&node{R: &node{L: &node{Key: 3}}}`), `R=Right,L=Left &node{Right: &node{Left: &node{Key: 3}}}`},
		{"in a list", renamed[[]node](t, `[]node{{K: 3}, {K: 4}}`), `K=Key,K=Key []node{{Key: 3}, {Key: 4}}`},
		{"not certain", renamed[letter](t, `letter{Cost: 3}`), `Cost=Tax|Price?`},
		{"the order decides", renamed[letter](t, `letter{Duty: 2, Cost: 3}`), `Duty=Tax,Cost=Price letter{Tax: 2, Price: 3}`},
		{"a name decides, and leaves one for the other", renamed[letter](t, `letter{Cost: 2, Taxes: 3}`), `Cost=Price,Taxes=Tax letter{Tax: 3, Price: 2}`},
		{"two fields do not become one", renamed[letter](t, `letter{Shut: true, Closed: true}`), `Shut=Sealed?,Closed=Sealed?`},
		{"fields of a struct that was dissolved", renamed[letter](t, `letter{Money: money{Tax: 2, Price: 3}}`), `Money=. letter{Tax: 2, Price: 3}`},
		{"the input was in a struct", renamed[letter](t, `in{Letter: letter{Price: 3}, N: 5}`), `Letter=.,N= letter{Price: 3}`},
		{"the input was in a struct, beside a field with a similar name", renamed[letter](t, `in{Letter: letter{Price: 3}, Prices: 5}`), `Letter=.,Prices= letter{Price: 3}`},
		{"the input is in a struct now", renamed[stamped](t, `letter{Tax: 2, Price: 3}`), `Tax=Letter.Tax,Price=Letter.Price stamped{Letter: letter{Tax: 2, Price: 3}}`},
		{"moved into a struct and renamed", renamed[stamped](t, `stamped{Letter: letter{Tax: 1, Price: 2}, Cost: 3}`), `Cost=Stamp.Cents stamped{Letter: letter{Tax: 1, Price: 2}, Stamp: stamp{Cents: 3}}`},
		{"behind a pointer", renamed[parcel](t, `parcel{To: &address{Zip: "1"}, Address: address{Zip: "2"}, Street: "s"}`), `Street=Address.Street|To.Street?`},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, c.got, c.want)
		}
	}
}

// renamed reads a case, and reads it again after the renames that are likely.
func renamed[T any](t *testing.T, expr string) string {
	t.Helper()
	w := worldOf[T](t)
	k, err := codec.Decode(w, "x.case", []byte(expr), nil)
	if err != nil {
		return err.Error()
	}
	like := likes(t, k.Losses)
	if strings.Contains(like, "?") {
		return like
	}
	renames, err := codec.ParseRenames(like)
	if err != nil {
		return like + " " + err.Error()
	}
	k, err = codec.DecodeRenamed(w, "x.case", []byte(expr), nil, renames)
	if err != nil || len(k.Losses) > 0 {
		return fmt.Sprint(like, " ", k.Losses, err)
	}
	return like + " " + strings.ReplaceAll(codec.Print(w, k.Term, codec.Style{Case: true, Width: 200}).Expr, "codec_test.", "")
}

// A path may lead into a struct that a case already has, and several into a new one.
func TestRenamesWithPaths(t *testing.T) {
	w := worldOf[stamped](t)
	for _, c := range []struct{ expr, renames, want string }{
		{`stamped{A: "1", B: "2"}`, "A=Bill.To.Zip,B=Bill.To.Street", `stamped{Bill: bill{To: address{Street: "2", Zip: "1"}}}`},
		{`stamped{A: "1", B: "2"}`, "A=Bill.To.Zip,B=Bill.From.Zip", `stamped{Bill: bill{To: address{Zip: "1"}, From: address{Zip: "2"}}}`},
		{`stamped{A: "1", Bill: in{To: &address{Street: "2"}}}`, "A=Bill.To.Zip", `stamped{Bill: bill{To: address{Street: "2", Zip: "1"}}}`},
	} {
		renames, err := codec.ParseRenames(c.renames)
		if err != nil {
			t.Fatal(err)
		}
		k, err := codec.DecodeRenamed(w, "x.case", []byte(c.expr), nil, renames)
		if got := strings.ReplaceAll(codec.Print(w, k.Term, codec.Style{Case: true, Width: 200}).Expr, "codec_test.", ""); err != nil || len(k.Losses) > 0 || got != c.want {
			t.Errorf("%s: %s %v %v, want %s", c.renames, got, k.Losses, err, c.want)
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
