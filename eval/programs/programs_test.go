package programs

import (
	"math"
	"slices"
	"testing"
)

// Every generator makes as many files as the others, also if some values cannot be encoded.
func TestEqualFiles(t *testing.T) {
	const n = 100
	for _, s := range pathsSubjects() {
		for _, g := range s.generators {
			make := g.files
			if make == nil {
				make = g.sized(20)
			}
			if files, err := make(1, n); err != nil || len(files) != n {
				t.Errorf("%s, %s: %d files, want %d: %v", s.program, g.name, len(files), n, err)
			}
		}
	}
}

// A generator whose files are to be as long as those of another one makes such files with other
// seeds too. A few files are much longer than the rest, so one corpus does not tell.
func TestMatch(t *testing.T) {
	s := pathsSubjects()[1] // the one that takes the least time
	if err := s.match(matchCorpora.Full); err != nil {
		t.Fatal(err)
	}
	mean := func(g generator) float64 {
		sum, n := 0, 0
		for seed := range uint64(10) {
			files, err := g.files(seed+1, 1000)
			if err != nil {
				t.Fatal(err)
			}
			sum, n = sum+total(files), n+len(files)
		}
		return float64(sum) / float64(n)
	}
	for _, g := range s.generators {
		if g.sized == nil {
			continue
		}
		like := slices.IndexFunc(s.generators, func(o generator) bool { return o.name == g.like })
		if got, want := mean(g), mean(s.generators[like]); math.Abs(got/want-1) > 0.05 {
			t.Errorf("%s: %.1f bytes, but those of %s have %.1f", g.name, got, g.like, want)
		}
	}
}
