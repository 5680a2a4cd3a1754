//go:build go1.25

package zoo

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Ratio has values that its fields hardly ever have: its text is the way to make one.
type Ratio struct{ num, den int64 }

// Valid reports whether r can be written and read.
func (r Ratio) Valid() bool { return r.den > 0 && r.den < 100 && r.num >= 0 && (r.num+r.den)%2 == 1 }

// MarshalText writes r as in 1/2.
func (r Ratio) MarshalText() ([]byte, error) {
	if !r.Valid() {
		return nil, errors.New("not a ratio")
	}
	return fmt.Appendf(nil, "%d/%d", r.num, r.den), nil
}

// UnmarshalText reads a ratio, or a whole number.
func (r *Ratio) UnmarshalText(b []byte) error {
	var v Ratio
	if n, err := fmt.Sscanf(string(b), "%d", &v.num); n != 1 || err != nil {
		return fmt.Errorf("%s is not a ratio", b)
	}
	_, den, found := strings.Cut(string(b), "/")
	v.den = 1 + v.num&1 // so that whole numbers are valid
	if n, err := fmt.Sscanf(den, "%d", &v.den); found && (n != 1 || err != nil) {
		return fmt.Errorf("%s is not a ratio", b)
	}
	if text := string(b); !v.Valid() || text != fmt.Sprint(v.num) && text != fmt.Sprintf("%d/%d", v.num, v.den) {
		return fmt.Errorf("%s is not a ratio", b)
	}
	*r = v
	return nil
}

// Amount can be read from JSON only: a quoted number with a unit.
type Amount struct {
	Note  string
	value string
}

// MarshalJSON writes a, which must have been read.
func (a Amount) MarshalJSON() ([]byte, error) {
	if a.value == "" || a.Note != "" {
		return nil, errors.New("no value")
	}
	return json.Marshal(a.value)
}

// UnmarshalJSON reads texts such as "12Mi".
func (a *Amount) UnmarshalJSON(b []byte) error {
	text, quoted := strings.CutPrefix(string(b), `"`)
	number := strings.TrimRight(text, `KMGi"`)
	var n int
	_, err := fmt.Sscanf(number, "%d", &n)
	if err != nil || !quoted || !strings.HasSuffix(text, `i"`) || fmt.Sprint(n) != number {
		return fmt.Errorf("%s is not an amount", b)
	}
	a.Note, a.value = "", strings.TrimSuffix(text, `"`)
	return nil
}

// Textual has fields of types that are made from texts.
type Textual struct {
	R  Ratio
	Rs []*Ratio
	A  map[string]Amount
}
