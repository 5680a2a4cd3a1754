//go:build go1.25

package novelty

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The shape of a trace is the set of its symbols, and nothing else.
func TestShape(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var s Shaper
	shapes := map[uint64]string{}
	for range 20_000 {
		path := make([]uint32, r.IntN(40))
		for i := range path {
			path[i] = uint32(r.IntN(8))
		}
		shape := s.Of(path)
		set := slices.Clone(path)
		slices.Sort(set)
		set = slices.Compact(set)
		if s.Of(set) != shape {
			t.Fatalf("%v and its set differ", path)
		}
		var key []byte
		for _, id := range set {
			key = append(key, byte(id))
		}
		if old, ok := shapes[shape]; ok && old != string(key) {
			t.Fatalf("sets %v and %v have one shape", []byte(old), key)
		}
		shapes[shape] = string(key)
	}
	if len(shapes) != 256 {
		t.Errorf("%d shapes of 256 sets", len(shapes))
	}
}
