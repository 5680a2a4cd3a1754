//go:build go1.25

package allele

import (
	"errors"
	"strconv"
	"strings"
	"testing"
)

// A fickleSpan is made by texts, which are refused when its store is closed.
type fickleSpan struct{ n, twice int }

var fickleClosed bool

func (s *fickleSpan) UnmarshalText(text []byte) error {
	if fickleClosed {
		return errors.New("the store is closed")
	}
	n, err := strconv.ParseInt(string(text), 10, 32)
	*s = fickleSpan{int(n), 2 * int(n)}
	return err
}

func (s fickleSpan) MarshalText() ([]byte, error) {
	if s.twice != 2*s.n {
		return nil, errors.New("not twice as much")
	}
	return strconv.AppendInt(nil, int64(s.n), 10), nil
}

// If a method refuses texts that it accepted at first, one note says so. Texts that it never accepted
// give none.
func TestFickle(t *testing.T) {
	const note = "UnmarshalText of allele.fickleSpan refuses the text"
	run := func(closeAt int) string {
		defer func() { fickleClosed = false }()
		n := 0
		return record(t, "TestX", func(t testing.TB) {
			Check(t, func(t *T, in struct {
				S *fickleSpan
				N int
			}) {
				n++
				fickleClosed = n >= closeAt
			}, Tests(200))
		}).text()
	}
	if text := run(100); strings.Count(text, note) != 1 || !strings.Contains(text, "which it accepted before the first run") {
		t.Errorf("no note, or two:\n%s", text)
	}
	if text := run(1000); strings.Contains(text, note) {
		t.Error(text)
	}
}

// A stored case whose text is refused now is reported with the error of the method.
func TestRefusedCase(t *testing.T) {
	defer func() { fickleClosed = false }()
	check := func(t testing.TB) {
		Check(t, func(t *T, in fickleSpan) {
			if fickleClosed = true; in.n == 7 {
				t.Error("seven")
			}
		}, Tests(1))
	}
	const made = `func() fickleSpan { var v fickleSpan; v.UnmarshalText([]byte("%s")); return v }()`
	write(t, map[string]string{
		"a.case": "// verdict failed\n\n" + strings.Replace(made, "%s", "6", 1),
		"b.case": "// verdict failed\n\n" + strings.Replace(made, "%s", "8", 1),
	})
	recordHere(t, "TestX", check).has(t, `b.case checks nothing: it was discarded by UnmarshalText of allele.fickleSpan, `+
		`which refuses the text "8" now: the store is closed; if its input is not valid any more, delete the file`)
}
