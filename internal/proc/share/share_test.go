//go:build go1.25

package share

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// Decode returns the case that Encode got, and does not panic on a damaged message.
func TestCase(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []Case{
		{Trace: 1<<63 + 5, Term: []byte("sixteen bytes of")},
		{Trace: 7, Verdict: 1, Path: []uint32{1, 1 << 31, 7}, Term: []byte{0}},
		{Trace: 9, Verdict: Unrun, Text: "[]int{1}", Term: []byte{}},
		{Trace: 8, Set: true, Path: []uint32{2, 3}, Term: []byte{}},
	} {
		sent := c.Encode()
		opened, ok := Open(sent.Data)
		got, whole := opened.Decode()
		if !ok || !whole || opened.Trace != c.Trace || !reflect.DeepEqual(got, c) {
			t.Errorf("%+v came back as %+v", c, got)
		}
		for range 2000 {
			damaged := slices.Clone(sent.Data)
			for range 1 + r.IntN(3) {
				damaged[r.IntN(len(damaged))] ^= 1 << r.IntN(8)
			}
			if m, ok := Open(damaged[:r.IntN(len(damaged)+1)]); ok {
				m.Decode()
			}
		}
	}
}
