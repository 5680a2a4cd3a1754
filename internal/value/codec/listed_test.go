//go:build go1.25

package codec_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

type alike struct {
	code int
	next *alike
}

func (*alike) String() string { return "alike" }

func valuesWorld(t *testing.T, list ...fmt.Stringer) *schema.World {
	t.Helper()
	typ := reflect.TypeFor[fmt.Stringer]()
	var values schema.Values
	for _, x := range list {
		v := reflect.New(typ).Elem()
		if x != nil {
			v.Set(reflect.ValueOf(x))
		}
		values.All = append(values.All, v)
	}
	w, err := schema.Derive(reflect.TypeFor[struct{ Err fmt.Stringer }](), []schema.Decl{{Type: typ, What: values, Tier: schema.Local}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// storedValue returns the case of an input with a declared value.
func storedValue(t *testing.T, w *schema.World, want fmt.Stringer) string {
	t.Helper()
	for run := range uint64(200) {
		x := gen.New(w).Term(rng.At(1, run), 5).Clone()
		if v, _ := w.Value(x); v.Interface().(struct{ Err fmt.Stringer }).Err == want {
			return codec.Print(w, x, codec.Style{Pkg: herePkg, Case: true}).Expr
		}
	}
	t.Fatal("the value is not generated")
	return ""
}

// Declared values that have the same text are told apart by their content. If that is not possible, the
// number in the list decides, and the length of the list must be the same.
func TestDeclaredValuesThatPrintAlike(t *testing.T) {
	zero, three, other := &alike{}, &alike{code: 3}, &alike{code: 4}
	deep, deeper := &alike{next: zero}, &alike{next: three}
	long := strings.Repeat("a", 300)
	one, two := longText(long+"1"), longText(long+"2")
	for _, c := range []struct {
		name     string
		old, now []fmt.Stringer
		of, want fmt.Stringer // want is nil if the case is refused
	}{
		{"the same list", []fmt.Stringer{nil, zero, three}, []fmt.Stringer{nil, zero, three}, three, three},
		{"another order", []fmt.Stringer{nil, zero, three}, []fmt.Stringer{nil, three, zero}, three, three},
		{"another order", []fmt.Stringer{nil, zero, three}, []fmt.Stringer{three, nil, zero}, zero, zero},
		{"another value", []fmt.Stringer{nil, zero, three}, []fmt.Stringer{nil, zero, other}, three, nil},
		{"the others are gone", []fmt.Stringer{nil, zero, three}, []fmt.Stringer{nil, three}, three, three},
		{"the value is gone", []fmt.Stringer{nil, zero, three}, []fmt.Stringer{nil, zero}, three, nil},
		{"one of another length has the number", []fmt.Stringer{nil, zero, three}, []fmt.Stringer{nil, other, zero, three}, zero, zero},
		{"only addresses differ", []fmt.Stringer{nil, deep, deeper}, []fmt.Stringer{nil, deep, deeper}, deeper, deeper},
		{"only addresses differ, in a longer list", []fmt.Stringer{nil, deep, deeper}, []fmt.Stringer{nil, zero, deep, deeper}, deeper, nil},
		{"only addresses differ, in a shorter list", []fmt.Stringer{nil, zero, deep, deeper}, []fmt.Stringer{nil, deep, deeper}, deeper, nil},
		{"one of two is gone", []fmt.Stringer{nil, deep, deeper}, []fmt.Stringer{nil, deep}, deep, nil},
		{"long texts", []fmt.Stringer{nil, &one, &two}, []fmt.Stringer{nil, &two, &one}, &two, &two},
	} {
		text := storedValue(t, valuesWorld(t, c.old...), c.of)
		w := valuesWorld(t, c.now...)
		k, err := codec.Decode(w, "f", []byte(text), nil)
		if c.want == nil {
			if err != nil || len(k.Losses) != 1 || k.Losses[0].Cause != codec.Excluded {
				t.Errorf("%s: %s: %v, %+v, want one loss", c.name, text, err, k.Losses)
			}
			continue
		}
		if err != nil || len(k.Losses) > 0 {
			t.Errorf("%s: %s: %v, %v", c.name, text, err, k.Losses)
			continue
		}
		if v, _ := w.Value(k.Term); v.Interface().(struct{ Err fmt.Stringer }).Err != c.want {
			t.Errorf("%s: %s is another value", c.name, text)
		}
	}
}

type longText string

func (e *longText) String() string { return string(*e) }

// Earlier versions wrote values that print alike with their number and the text that they share.
func TestOldCasesOfValuesThatPrintAlike(t *testing.T) {
	zero, three := &alike{}, &alike{code: 3}
	w := valuesWorld(t, nil, zero, three)
	for text, want := range map[string]fmt.Stringer{`{Err: value2("*codec_test.alike: alike")}`: three, `{Err: value1("*codec_test.alike: alike")}`: zero} {
		k, err := codec.Decode(w, "f", []byte("struct{ Err fmt.Stringer }"+text), nil)
		if v, _ := w.Value(k.Term); err != nil || len(k.Losses) > 0 || v.Interface().(struct{ Err fmt.Stringer }).Err != want {
			t.Errorf("%s: %v, %v", text, err, k.Losses)
		}
	}
}

// A function or a channel that no option declares is nil.
func TestUndeclaredFunction(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[struct{ Err func() }](), nil)
	if err != nil {
		t.Fatal(err)
	}
	k, err := codec.Decode(w, "f", []byte(`struct{ Err func() }{Err: value1("func() {}")}`), nil)
	if err != nil || len(k.Losses) != 1 {
		t.Errorf("%v, %v, want one loss", err, k.Losses)
	}
}
