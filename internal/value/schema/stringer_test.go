//go:build go1.25

package schema

import (
	"fmt"
	"go/token"
	"io/fs"
	"log/slog"
	"reflect"
	"strconv"
	"testing"
	"time"
)

// Types as stringer generates them, and other ways to write a String method.
type (
	named   int8
	panics  uint
	unknown int
	plain   int
	number  int
	wide    int64
	deadly  int
)

func (x named) String() string {
	return map[bool]string{true: "Int8", false: "named(" + strconv.Itoa(int(x)) + ")"}[x >= 6 && x <= 8]
}
func (x panics) String() string  { return [...]string{"zero", "one", "two"}[x] }
func (x unknown) String() string { return map[unknown]string{1: "a", 2: "b", 5: "c"}[x] }
func (x number) String() string  { return "#" + strconv.Itoa(int(x)) }
func (x wide) String() string    { return fmt.Sprintf("%x", int64(x)*int64(x)) }
func (x deadly) String() string  { panic("no") }

// The values of an integer type that has names for them, found by calling its String method.
func TestEnumerated(t *testing.T) {
	for _, c := range []struct {
		of   any
		want string
	}{
		{time.Month(0), "[1 2 3 4 5 6 7 8 9 10 11 12]"},
		{time.Weekday(0), "[0 1 2 3 4 5 6]"},
		{reflect.Kind(0), "[0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26]"},
		{panics(0), "[0 1 2]"},
		{unknown(0), "[1 2 5]"},
		{time.Duration(0), "[]"},
		{fs.FileMode(0), "[]"},
		{slog.Level(0), "[]"},
		{token.Pos(0), "[]"},
		{plain(0), "[]"},
		{number(0), "[]"},
		{wide(0), "[]"},
		{deadly(0), "[]"},
		{named(0), "[]"}, // all three have the same name
	} {
		s := &Schema{Type: reflect.TypeOf(c.of)}
		s.number()
		var got []int64
		for _, x := range enumerated(s) {
			got = append(got, int64(x))
		}
		if text := fmt.Sprint(got); text != c.want {
			t.Errorf("%T: %s, want %s", c.of, text, c.want)
		}
	}
}
