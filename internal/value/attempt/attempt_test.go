//go:build go1.25

package attempt

import (
	"reflect"
	"testing"
	"time"
)

// A call gives its result, or zero if it panics or does not return. In the last case the type is
// not tried again.
func TestCall(t *testing.T) {
	defer func(max time.Duration) { Max = max }(Max)
	Max = 20 * time.Millisecond
	type good struct{}
	type stuck struct{}
	for _, c := range []struct {
		what string
		typ  reflect.Type
		call func() int
		want int
		end  string
	}{
		{"it returns", reflect.TypeFor[good](), func() int { return 7 }, 7, ""},
		{"it panics", reflect.TypeFor[good](), func() int { panic("no") }, 0, ""},
		{"a type whose method panics is tried again", reflect.TypeFor[good](), func() int { return 8 }, 8, ""},
		{"it does not return", reflect.TypeFor[stuck](), func() int { select {} }, 0, "Scan"},
		{"a type whose method does not return is not tried again", reflect.TypeFor[stuck](), func() int { return 7 }, 0, "Scan"},
	} {
		if got := Call(c.typ, "Scan", c.call); got != c.want || Endless(c.typ) != c.end {
			t.Errorf("%s: %d, %q; want %d, %q", c.what, got, Endless(c.typ), c.want, c.end)
		}
	}
}
