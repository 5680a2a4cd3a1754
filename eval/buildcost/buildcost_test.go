package buildcost

import "testing"

func TestImportable(t *testing.T) {
	s := &subject{path: "a.b/m"}
	for path, want := range map[string]bool{
		"a.b/m":                       true,
		"a.b/m/x":                     true,
		"a.b/m/internal/x":            true,
		"a.b/m/x/internal":            false,
		"a.b/m/x/internal/y":          false,
		"a.b/m/internal/x/internal/y": false,
	} {
		if got := s.importable(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func TestBest(t *testing.T) {
	var b best
	b.add(cost{build: 3}, cost{build: 1})
	b.add(cost{list: 1, build: 1}, cost{build: 2})
	if b.cold.all() != 2 || b.noop.all() != 1 {
		t.Errorf("cold %v, no-op %v: want the cheapest of each", b.cold, b.noop)
	}
}

func TestSpent(t *testing.T) {
	if s := spent(func() {}); s < 0 {
		t.Errorf("an empty function cost %v s", s)
	}
}
