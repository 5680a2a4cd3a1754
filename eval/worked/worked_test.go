package worked

import (
	"strings"
	"testing"
)

// An input of the log is shown as a tree on one line.
func TestRead(t *testing.T) {
	for _, c := range []struct{ input, want string }{
		{"struct {\n\tTree *Tree\n\tKey  int\n}{Tree: &Tree{L: &Tree{K: -1}, K: 2}, Key: 2}", "(2 (-1)) 2"},
		{"struct {\n\tTree *Tree\n\tKey  int\n}{Tree: nil, Key: 2}", "· 2"},
		{"struct{}{Tree: &Tree{R: &Tree{}, K: -5}}", "(-5 · (0)) 0"},
		{"// allele case 1\n// found    run 3\n\nin{\n\tTree: &Tree{},\n\tKey: -1,\n}\n", "(0) -1"},
		{"in{3}", "a field has no name"},
		{"in{Tree: 7}", "7 is not a composite literal"},
	} {
		tree, key, err := read(c.input)
		got := tree.String() + " " + key
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.input, got, c.want)
		}
	}
}

// The ancestry leads from a fresh input to the one that failed. Otherwise there is an
// error.
func TestAncestry(t *testing.T) {
	fresh := entry{Run: 1, ID: 1, How: "fresh", Verdict: "passed"}
	havoc := entry{Run: 5, ID: 2, Parent: 1, How: "havoc", Verdict: "discarded"}
	other := entry{Run: 6, ID: 3, How: "fresh", Verdict: "passed"}
	failed := entry{Run: 9, Parent: 2, How: "mutant", Kind: "pure", Verdict: "failed"}
	for _, c := range []struct {
		name string
		log  []entry
		want string
	}{
		{"other inputs are left out", []entry{fresh, havoc, other, failed}, "fresh, havoc, pure change"},
		{"nothing failed", []entry{fresh, havoc}, "the log does not end with an input that failed"},
		{"empty log", nil, "the log does not end with an input that failed"},
		{"a parent is missing", []entry{fresh, failed}, "the parent of the input of run 9 is input 2, which is not in the log before it"},
		{"starts with a seed", []entry{{Run: 1, ID: 2, How: "seed"}, failed}, "the first input, of run 1, must be fresh, but is seed"},
	} {
		chain, err := ancestry(c.log)
		var made []string
		for _, e := range chain {
			made = append(made, e.made())
		}
		got := strings.Join(made, ", ")
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestKinds(t *testing.T) {
	r := run{out: "    inputs          tried    passed       new    failed\n" +
		"    fresh             243        49        12         0\n    havoc           1,364        86        50         0\n    pure  1 2 3 4\n=== RUN\n"}
	rows, err := r.kinds()
	if err != nil || len(rows) != 3 || rows[1].Get("tried") != 1364 || rows[2].Get("failed") != 4 {
		t.Errorf("%v: %v", err, rows)
	}
	if _, err := (run{out: "ok"}).kinds(); err == nil {
		t.Error("no error without a table")
	}
}
