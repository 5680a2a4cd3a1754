//go:build go1.25

package allele

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"testing"
)

// A marked value was made by a function, because 77 is hardly ever generated.
const mark77 = 77

type (
	openSpan   struct{ From, To, Mark int }
	hiddenSpan struct{ from, to, mark int }
	mixedSpan  struct {
		From, Mark int
		to         int
	}
	textSpan struct { // is made by texts, if nothing is declared
		n, twice int
		Mark     int
	}
	refusingSpan struct{ From, Mark int }
	jsonSpan     struct{ N, Twice, Mark int } // is made by texts too
)

func (s *textSpan) UnmarshalText(text []byte) error {
	n, err := strconv.ParseInt(string(text), 10, 32)
	*s = textSpan{n: int(n), twice: 2 * int(n)}
	return err
}

func (s textSpan) MarshalText() ([]byte, error) {
	if s.twice != 2*s.n {
		return nil, errors.New("not twice as much")
	}
	return strconv.AppendInt(nil, int64(s.n), 10), nil
}

func (*refusingSpan) UnmarshalText([]byte) error { return errors.New("never") }

func (s *jsonSpan) UnmarshalJSON(text []byte) error {
	n, err := strconv.ParseInt(string(text), 10, 32)
	*s = jsonSpan{N: int(n), Twice: 2 * int(n)}
	return err
}

func (s jsonSpan) MarshalJSON() ([]byte, error) {
	if s.Twice != 2*s.N {
		return nil, errors.New("not twice as much")
	}
	return strconv.AppendInt(nil, int64(s.N), 10), nil
}

func (s *openSpan) Set(n int)     { *s = openSpan{n, n, mark77} }
func (s *hiddenSpan) Set(n int)   { *s = hiddenSpan{n, n, mark77} }
func (s *mixedSpan) Set(n int)    { *s = mixedSpan{n, mark77, n} }
func (s *textSpan) Set(n int)     { *s = textSpan{n, 2 * n, mark77} }
func (s *refusingSpan) Set(n int) { *s = refusingSpan{n, mark77} }
func (s *jsonSpan) Set(n int)     { *s = jsonSpan{n, 2 * n, mark77} }

// A builder that a property declares makes the values, whatever fields the type has.
func TestDeclaredBuilders(t *testing.T) {
	testDeclared(t, (*openSpan).Set, func(s openSpan) int { return s.Mark })
	testDeclared(t, (*hiddenSpan).Set, func(s hiddenSpan) int { return s.mark })
	testDeclared(t, (*mixedSpan).Set, func(s mixedSpan) int { return s.Mark })
	testDeclared(t, (*textSpan).Set, func(s textSpan) int { return s.Mark })
	testDeclared(t, (*jsonSpan).Set, func(s jsonSpan) int { return s.Mark })
	testDeclared(t, (*refusingSpan).Set, func(s refusingSpan) int { return s.Mark })
}

func testDeclared[S any](t *testing.T, set func(*S, int), mark func(S) int) {
	made := func(n int) *S {
		s := new(S)
		set(s, n)
		return s
	}
	for what, f := range map[string]any{
		"a method":           set,
		"a function of *T":   made,
		"a function of T":    func(n int) S { return *made(n) },
		"one with an error":  func(n int) (S, error) { return *made(n), nil },
		"one with a bool":    func(n int) (*S, bool) { return made(n), true },
		"a method, an error": func(s *S, n int) error { set(s, n); return nil },
	} {
		for _, partial := range []bool{true, false} {
			t.Run(fmt.Sprintf("%v/%s/partial=%v", reflect.TypeFor[S](), what, partial), func(t *testing.T) {
				opts := []Option{Tests(200), Builder(f)}
				if partial {
					opts[1] = Builder(f, Partial{})
				}
				for _, in := range []string{"T", "*T"} {
					runs, marked := 0, 0
					count := func(s *S) {
						if runs++; s == nil || mark(*s) == mark77 {
							marked++
						}
					}
					r := record(t, "TestX", func(t testing.TB) {
						if in == "T" {
							Check(t, func(t *T, in struct{ S S }) { count(&in.S) }, opts...)
						} else {
							Check(t, func(t *T, in struct{ S *S }) { count(in.S) }, opts...)
						}
					})
					if r.Failed() || marked < runs/2 {
						t.Errorf("%s: %d of %d values are made by the builder\n%s", in, marked, runs, r.text())
					}
				}
			})
		}
	}
}

type calledSpan struct{ n, Mark int }

func (s *calledSpan) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	*s = calledSpan{n, mark77}
	return err
}

func (s calledSpan) MarshalText() ([]byte, error) {
	if s.Mark != mark77 {
		return nil, errors.New("not marked")
	}
	return strconv.AppendInt(nil, int64(s.n), 10), nil
}

// A declared method that reads a text is called with any text.
func TestDeclaredReader(t *testing.T) {
	read, texts := 0, 0
	Check(t, func(t *T, in *calledSpan) {
		if in != nil && in.Mark == mark77 {
			if read++; in.n == 0 { // the text was refused
				texts++
			}
		}
	}, Builder((*calledSpan).UnmarshalText, Partial{}))
	if read < 100 || texts < read*9/10 {
		t.Errorf("%d calls, %d texts refused", read, texts)
	}
}
