//go:build go1.25

package same

import (
	"reflect"
	"testing"
	"time"
)

func TestApart(t *testing.T) {
	type node struct {
		next  *node
		items []int
		by    map[string]*node
		any   any
	}
	cycle := &node{}
	cycle.next = cycle
	shared := &node{}
	array := make([]int, 4)
	deep := &node{}
	for range 60 { // 2^60 nodes if it were copied as a tree
		deep = &node{next: deep, any: deep}
	}
	inner := &struct {
		n int
		p *int
	}{}
	inner.p = &inner.n
	for _, c := range []struct {
		name string
		v    any
		want bool
	}{
		{"a scalar", 1, true},
		{"a tree", &node{next: &node{}, items: []int{1}, by: map[string]*node{"a": {}}, any: &node{}}, true},
		{"a cycle", cycle, false},
		{"two pointers to one variable", []*node{shared, shared}, false},
		{"one of them in a map", map[string]any{"a": shared, "b": &node{next: shared}}, false},
		{"a pointer to a field", inner, false},
		{"two slices of one array", [2][]int{array[:2:2], array[1:]}, false},
		{"two parts of one array", [2][]int{array[:2:2], array[2:]}, true},
		{"a part that can grow into the next", [2][]int{array[:2], array[2:]}, false},
		{"a chain that is shared everywhere", deep, false},
		{"empty structs", []*struct{}{{}, {}}, true},
		{"a nil func", struct{ f func() }{}, true},
		{"a func", struct{ f func() }{func() {}}, false},
		{"a type that is skipped", []time.Time{time.Now(), time.Now()}, true},
	} {
		skip := func(t reflect.Type) bool { return t == reflect.TypeFor[time.Time]() }
		if got := Apart(skip, reflect.ValueOf(&c.v).Elem()); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if v := reflect.ValueOf(shared); Apart(func(reflect.Type) bool { return false }, v, v) {
		t.Error("two values share a variable")
	}
}
