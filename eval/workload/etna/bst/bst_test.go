package bst

import (
	"fmt"
	"testing"
)

func of(keys ...int) (t *Tree) {
	for _, k := range keys {
		t = Correct.Insert(t, k, true)
	}
	return t
}

// show returns the shape of a tree. A key whose value is false is followed by a minus.
func show(t *Tree) string {
	if t == nil {
		return "."
	}
	mark := ""
	if !t.V {
		mark = "-"
	}
	if t.L == nil && t.R == nil {
		return fmt.Sprint(t.K, mark)
	}
	return fmt.Sprintf("(%s %d%s %s)", show(t.L), t.K, mark, show(t.R))
}

// TestOperations tests the result of each operation, correct and with each fault.
func TestOperations(t *testing.T) {
	for _, c := range []struct {
		what string
		got  *Tree
		want string
	}{
		{"insert", Correct.Insert(of(2, 1), 3, true), "(1 2 3)"},
		{"an equal key gets the new value", Correct.Insert(of(2, 1), 2, false), "(1 2- .)"},
		{"insert_1", Insert1.Insert(of(2, 1), 3, true), "3"},
		{"insert_2", Insert2.Insert(of(2, 1), 3, false), "(1 2- .)"},
		{"insert_3", Insert3.Insert(of(2, 1), 2, false), "(1 2 .)"},
		{"delete", Correct.Delete(of(2, 1, 3), 2), "(. 1 3)"},
		{"delete below", Correct.Delete(of(2, 1, 3), 3), "(1 2 .)"},
		{"delete_4", Delete4.Delete(of(2, 1, 3), 3), "."},
		{"delete_5", Delete5.Delete(of(2, 1, 3), 3), "(1 2 3)"},
		{"union", Correct.Union(of(2), of(3, 1)), "(1 2 3)"},
		{"in a union the left value counts", Correct.Union(of(2), Correct.Insert(nil, 2, false)), "2"},
		{"union_6", Union6.Union(of(2), of(1)), "(. 2 1)"},
		{"union_7", Union7.Union(of(2), of(3, 1)), "(. 2 (1 3 .))"},
		{"union_8", Union8.Union(of(3, 2), Correct.Insert(of(1), 2, false)), "(. 1 (. 2- 3))"},
	} {
		if got := show(c.got); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

func TestValid(t *testing.T) {
	for _, c := range []struct {
		tree *Tree
		want bool
	}{
		{nil, true},
		{of(2, 1, 3), true},
		{&Tree{L: of(2), K: 2}, false},
		{&Tree{L: &Tree{K: 1, R: of(4)}, K: 3}, false},
	} {
		if c.tree.Valid() != c.want {
			t.Errorf("%s: %v", show(c.tree), !c.want)
		}
	}
}
