package rbt

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

// show returns the shape of a tree. A red key is followed by a star.
func show(t *Tree) string {
	if t == nil {
		return "."
	}
	mark := ""
	if t.Color == Red {
		mark = "*"
	}
	if t.L == nil && t.R == nil {
		return fmt.Sprint(t.K, mark)
	}
	return fmt.Sprintf("(%s %d%s %s)", show(t.L), t.K, mark, show(t.R))
}

// TestOperations tests the result of each operation, and of the faults that a single
// operation reveals.
func TestOperations(t *testing.T) {
	deleted := func(f Fault, tree *Tree, k int) *Tree {
		next, ok := f.Delete(tree, k)
		if !ok {
			t.Errorf("%v: Delete of %d from %s reports false", f, k, show(tree))
		}
		return next
	}
	for _, c := range []struct {
		what string
		got  *Tree
		want string
	}{
		{"insert", Correct.Insert(of(2), 1, true), "(1* 2 .)"},
		{"balance after an insertion", Correct.Insert(of(3, 1), 2, true), "(1 2 3)"},
		{"balance of a larger tree", of(1, 2, 3, 4), "(1 2 (. 3 4*))"},
		{"miscolor_insert", MiscolorInsert.Insert(of(2), 1, true), "(1 2 .)"},
		{"insert_1", Insert1.Insert(of(2), 1, true), "1"},
		{"no_balance_insert_1", NoBalanceInsert1.Insert(of(3, 2), 1, true), "((1* 2* .) 3 .)"},
		{"no_balance_insert_2", NoBalanceInsert2.Insert(of(2), 3, true), "(. 2 3)"},
		{"swap_cd", SwapCD.Insert(of(3, 2), 1, true), "(1 2 3)"}, // both subtrees are empty here
		{"delete", deleted(Correct, of(1, 2, 3), 1), "(. 2 3*)"},
		{"delete the root", deleted(Correct, of(1, 2, 3, 4), 2), "(1 3 4)"},
		{"delete a missing key", deleted(Correct, of(1, 2, 3), 7), "(1 2 3)"},
		{"delete_4", deleted(Delete4, of(1, 2, 3), 1), "."},
		{"delete_5", deleted(Delete5, of(1, 2, 3), 1), "(1 2 3)"},
		{"miscolor_delete", deleted(MiscolorDelete, of(2, 1), 2), "1*"},
		{"miscolor_join_2", deleted(MiscolorJoin2, of(1, 2, 3, 4), 2), "(1 3 4)"}, // nothing to split
	} {
		if got := show(c.got); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

func TestDeleteReportsInvalidTrees(t *testing.T) {
	if got, ok := Correct.Delete(&Tree{K: 2, L: &Tree{K: 1}}, 1); ok {
		t.Errorf("Delete accepted a tree with a black node too few: %s", show(got))
	}
}

func TestValid(t *testing.T) {
	red := func(l *Tree, k int, r *Tree) *Tree { return &Tree{Color: Red, L: l, K: k, R: r} }
	black := func(l *Tree, k int, r *Tree) *Tree { return &Tree{L: l, K: k, R: r} }
	for _, c := range []struct {
		why  string
		tree *Tree
		want bool
	}{
		{"empty", nil, true},
		{"made by insertions", of(5, 2, 8, 1, 9, 3), true},
		{"a red root", red(nil, 1, nil), false},
		{"keys in no order", black(red(nil, 3, nil), 2, nil), false},
		{"red below red", black(red(red(nil, 1, nil), 2, nil), 3, nil), false},
		{"more blacks on one side", black(black(nil, 1, nil), 2, nil), false},
	} {
		if c.tree.Valid() != c.want {
			t.Errorf("%s: %v", c.why, !c.want)
		}
	}
}
