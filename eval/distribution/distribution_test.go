package distribution

import "testing"

// simplify takes the clauses that the thesis describes.
func TestClauses(t *testing.T) {
	for _, c := range []struct {
		name string
		in   html
		root int
		want html
		took clauses
	}{
		{"two texts", join{text{"a"}, text{"b"}}, 0, text{"ab"}, clauses{1, 0, 0, 0, 0}},
		{"texts nested to the left", join{join{text{"a"}, text{"b"}}, text{"c"}}, 1, text{"abc"}, clauses{2, 1, 0, 0, 0}},
		{"any other pair", join{single{"hr"}, text{"a"}}, 2, join{single{"hr"}, text{"a"}}, clauses{0, 0, 1, 0, 2}},
		{"a tag", tag{"b", join{text{"a"}, text{"b"}}}, 3, tag{"b", text{"ab"}}, clauses{1, 0, 0, 1, 0}},
		{"a leaf", single{"hr"}, 4, single{"hr"}, clauses{0, 0, 0, 0, 1}},
	} {
		var took clauses
		if got := took.simplify(c.in); got != c.want || took != c.took || first(c.in) != c.root {
			t.Errorf("%s: %v by clauses %v, the first is %d", c.name, got, took, first(c.in))
		}
	}
}
