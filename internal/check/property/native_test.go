//go:build go1.25

package property

import (
	"fmt"
	"reflect"
	"testing"
)

type pairOf[A, B any] struct {
	X A
	y B
}

type text string

// Arguments of a fuzz target are an input if their types are those of its fields, in order,
// or that of the whole input.
func TestFromArgs(t *testing.T) {
	for _, c := range []struct {
		in   reflect.Type
		args []any
		want string
	}{
		{reflect.TypeFor[string](), []any{"a"}, "a"},
		{reflect.TypeFor[[]byte](), []any{[]byte("a")}, "[97]"},
		{reflect.TypeFor[pairOf[string, int]](), []any{"a", 3}, "{a 3}"},
		{reflect.TypeFor[pairOf[[]byte, rune]](), []any{[]byte("a"), 'b'}, "{[97] 98}"},
		{reflect.TypeFor[struct{ S string }](), []any{"a"}, "{a}"},
		{reflect.TypeFor[pairOf[string, int]](), []any{3, "a"}, "no"},
		{reflect.TypeFor[pairOf[string, int]](), []any{"a", int64(3)}, "no"},
		{reflect.TypeFor[pairOf[string, int]](), []any{"a"}, "no"},
		{reflect.TypeFor[pairOf[text, int]](), []any{"a", 3}, "no"},
		{reflect.TypeFor[text](), []any{"a"}, "no"},
		{reflect.TypeFor[string](), []any{"a", "b"}, "no"},
		{reflect.TypeFor[[]string](), []any{"a"}, "no"},
	} {
		v, ok := fromArgs(c.in, c.args)
		got := fmt.Sprint(v)
		if !ok {
			got = "no"
		}
		if got != c.want {
			t.Errorf("%v %v: got %s, want %s", c.in, c.args, got, c.want)
		}
	}
}

func TestSkippedText(t *testing.T) {
	var all []string
	for i := range 7 {
		all = append(all, fmt.Sprint("file ", i))
	}
	const want = "skipped file 0\nskipped file 1\nskipped file 2\nskipped file 3\nskipped file 4\nskipped 2 files more"
	if got := skippedText(all); got != want {
		t.Error(got)
	}
}
