//go:build go1.25

package schema_test

import (
	"crypto/x509"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/schema"
)

// A struct whose fields give invalid values, or only zero, is made by the method that reads its
// text.
func TestTextual(t *testing.T) {
	t.Run("own, by UnmarshalText", func(t *testing.T) {
		readyBar(t, func(r zoo.Ratio) (string, bool) {
			b, err := r.MarshalText()
			return string(b), err == nil
		})
	})
	t.Run("own, by UnmarshalJSON", func(t *testing.T) {
		readyBar(t, func(a zoo.Amount) (string, bool) {
			b, err := a.MarshalJSON()
			return string(b), err == nil
		})
	})
	t.Run("of another module", func(t *testing.T) {
		readyBar(t, func(o x509.OID) (string, bool) {
			again, err := x509.ParseOID(o.String())
			return o.String(), err == nil && again.Equal(o)
		})
	})
	t.Run("by Scan", func(t *testing.T) {
		readyBar(t, func(s scanned) (string, bool) { return s.text, s.text != "" && s.text == s.String() })
	})
	t.Run("like a common form, with a limit", func(t *testing.T) {
		readyBar(t, func(v dotted) (string, bool) {
			b, _ := v.MarshalText()
			return string(b), v.major >= 0 && v.minor >= 0
		})
	})
	t.Run("beside constants that code compares with", func(t *testing.T) {
		found := schema.Decl{What: schema.At{Owner: reflect.TypeFor[dotted](), Path: "major", Sub: []schema.Decl{
			{Type: reflect.TypeFor[int](), What: schema.Likely{All: []reflect.Value{reflect.ValueOf(-1)}, Loose: true}}}}, Tier: schema.Found}
		readyBar(t, func(v dotted) (string, bool) {
			b, _ := v.MarshalText()
			return string(b), v.major >= 0 && v.minor >= 0
		}, found)
	})
	t.Run("a field of such a type", func(t *testing.T) {
		readyBar(t, func(s signed) (string, bool) {
			b, err := s.MarshalText()
			return string(b), err == nil
		})
	})
}

// dotted has numbers of at most 16 bits, and its text looks like a decimal number.
type dotted struct{ major, minor int }

func (d dotted) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%d.%d", d.major, d.minor), nil
}

func (d *dotted) UnmarshalText(text []byte) error {
	a, b, _ := strings.Cut(string(text), ".")
	x, err := strconv.ParseUint(a, 10, 16)
	y, err2 := strconv.ParseUint(b, 10, 16)
	d.major, d.minor = int(x), int(y)
	return errors.Join(err, err2)
}

// scanned has no text if it is filled from fields.
type scanned struct {
	bad  [4]int
	text string
}

func (s scanned) String() string {
	if s.bad != [4]int{} {
		return "?"
	}
	return s.text
}

func (s *scanned) Scan(x any) error {
	if text, ok := x.(string); ok && len(text) == len("2006-01-02") && strings.Count(text, "-") == 2 {
		*s = scanned{text: text}
		return nil
	}
	return errors.New("not a date")
}

// signed has only exported fields, and one of them is made from a text.
type signed struct {
	Minus bool
	Exp   int32
	R     zoo.Ratio
}

func (s signed) MarshalText() ([]byte, error) {
	if s.Exp != 0 || !s.R.Valid() {
		return nil, errors.New("invalid")
	}
	b, err := s.R.MarshalText()
	return fmt.Appendf(nil, "%v %s", s.Minus, b), err
}

func (s *signed) UnmarshalText(b []byte) error {
	minus, ratio, spaced := strings.Cut(string(b), " ")
	if !spaced {
		minus, ratio = "false", minus
	}
	*s = signed{Minus: minus == "true"}
	if minus != "true" && minus != "false" {
		return errors.New("neither true nor false")
	}
	return s.R.UnmarshalText([]byte(ratio))
}

type (
	// open reads what it writes, for all values of its fields.
	open struct {
		name string
		n    int
	}
	// shutting reads no text that could be guessed.
	shutting struct{ name string }
	// lazy reads every text, and forgets it.
	lazy struct{ n, m, o int }
)

func (o open) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%q %d", o.name, o.n), nil }
func (o *open) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "%q %d", &o.name, &o.n)
	return err
}
func (s shutting) MarshalText() ([]byte, error)  { return nil, errors.New("no text") }
func (s *shutting) UnmarshalText(b []byte) error { return errors.New("never") }
func (l lazy) MarshalText() ([]byte, error)      { return nil, errors.New("no text") }
func (l *lazy) UnmarshalText(b []byte) error     { return nil }

// Types whose fields give good values, and those that read no text, are made from their fields as
// before. So are types for which functions were found or declared.
func TestTextualGivesWay(t *testing.T) {
	for _, x := range []any{open{}, shutting{}, lazy{}} {
		w, err := schema.Derive(reflect.TypeOf(x), nil)
		if err != nil || w.Root.Kind != schema.Struct {
			t.Errorf("%T: %v, kind %v", x, err, w.Root.Kind)
		}
	}
	half := func() *zoo.Ratio { return new(zoo.Ratio) }
	w, err := schema.Derive(reflect.TypeFor[zoo.Ratio](), found(t, half))
	if err != nil || len(w.Root.Ctors) != 1 {
		t.Errorf("found: %v, %d constructors", err, len(w.Root.Ctors))
	}
	// A method that reads a text is no reason: it was found, and refuses nearly all texts.
	w, err = schema.Derive(reflect.TypeFor[*zoo.Ratio](), found(t, (*zoo.Ratio).UnmarshalText))
	if err != nil || w.Root.Kind != schema.Pointer {
		t.Errorf("found UnmarshalText: %v, kind %v", err, w.Root.Kind)
	}
	values(t, found(t, (*zoo.Ratio).UnmarshalText), 500, func(r **zoo.Ratio, ok bool) {
		if ok && *r != nil && !(*r).Valid() {
			t.Fatalf("%+v", *r)
		}
	})
}

// Examples have values that are made from other texts too, and values that were stored as fields.
func TestTextualExamples(t *testing.T) {
	ratio := func(s string) (r zoo.Ratio) {
		if err := r.UnmarshalText([]byte(s)); err != nil {
			t.Fatal(err)
		}
		return r
	}
	oid, err := x509.ParseOID("1.2.840.113549.1.9.16.1.4")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []any{ratio("1/2"), ratio("123456789012/3"), zoo.Ratio{}, oid, x509.OID{}} {
		w, y, err := readBack(x)
		if err != nil {
			t.Errorf("%T %v: %v", x, x, err)
			continue
		}
		if v, ok := w.Value(y); !ok || !reflect.DeepEqual(v.Interface(), x) {
			t.Errorf("%T %v is built as %v", x, x, v)
		}
	}
}

type parsedVersion struct{ text string }

func parseVersion(s string) (parsedVersion, error) {
	if strings.Count(s, ".") != 2 || strings.Trim(s, "0123456789.") != "" || strings.HasPrefix(s, ".") || strings.HasSuffix(s, ".") {
		return parsedVersion{}, errors.New("not a version")
	}
	return parsedVersion{s}, nil
}

type named struct{ name string }

func newNamed(s string) *named { return &named{s} }

// A function that parses a text, and was found in the source, gets texts that it accepts. One that
// accepts any text gets any text, and so does one that the user declares.
func TestFoundParser(t *testing.T) {
	seen, refused := map[string]bool{}, 0
	values(t, found(t, parseVersion), 500, func(v *parsedVersion, ok bool) {
		if !ok {
			refused++
		}
		seen[v.text] = true
	})
	if len(seen) < 100 || refused > 0 {
		t.Errorf("%d different versions, %d refused", len(seen), refused)
	}
	for _, ds := range [][]schema.Decl{found(t, newNamed), {builderOf(t, parseVersion)}} {
		w, err := schema.Derive(ds[0].Type, ds)
		if err != nil || len(w.Root.Ctors) != 1 || w.Root.Ctors[0].Fields[0].S.Kind != schema.String {
			t.Errorf("%v: %v", ds[0], err)
		}
	}
}
