//go:build go1.25

package mutate

import (
	"encoding/json"
	"net/url"
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

// Mutants of valid values of standard library types are valid and can be built.
func TestReadyMutantsAreValid(t *testing.T) {
	const perParent = 300
	w := derive(t, reflect.TypeFor[zoo.Library](), nil)
	g, b := gen.New(w), schema.NewBuilder(w)
	m := New(w, Config{Kinds: ^Kind(0), Samples: 2, Size: 5, NeighboursMax: 2})
	for seed := range uint64(60) {
		batch := m.Batch(g.Term(rng.At(seed, 1), 10).Clone(), seed)
		for range perParent {
			u, ok := m.Next(&batch)
			if !ok {
				break
			}
			x := new(zoo.Library)
			if !b.Build(u.Term, reflect.ValueOf(x).UnsafePointer()) {
				t.Fatalf("refused: %v", u)
			}
			home, err := url.Parse(x.Home.String())
			if err != nil || !reflect.DeepEqual(home, x.Home) || !json.Valid(x.Raw) || !x.Net.IsValid() || !x.Peer.IsValid() || x.Name == nil {
				t.Fatalf("not valid: %+v", x)
			}
		}
	}
}
