//go:build go1.25

package mutate

import (
	"bytes"
	"reflect"
	"sync"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// draw determines the random part of a batch.
type draw struct {
	samples, size int
	streams       rng.Source
}

// sampler makes the random parts of candidates.
type sampler struct {
	gen   *gen.Gen
	texts *gen.Gen // generates strings that do not depend on earlier strings
	draw  draw
}

func newSampler(w *schema.World) sampler { return sampler{gen: gen.New(w), texts: gen.New(texts())} }

// texts is the world of the type string. It is derived only once, because that takes
// longer than everything else that a mutator needs.
var texts = sync.OnceValue(func() *schema.World {
	w, err := schema.Derive(reflect.TypeFor[string](), nil)
	if err != nil {
		panic("mutate: " + err.Error())
	}
	return w
})

// random returns a stream of random numbers for one purpose at a position. It returns
// the same stream whenever the position is visited.
func (s *sampler) random(pos int, purpose uint64) rng.Rand {
	return s.draw.streams.Run(uint64(pos)<<20 | purpose)
}

// append appends a scalar or text from the generator. The result must not
// depend on earlier samples, because otherwise a batch could not continue where it
// stopped. The usual generator may repeat an earlier text, so texts come from a
// generator that starts over each time.
func (s *sampler) append(out term.Term, r *rng.Rand, sc *schema.Schema) term.Term {
	if sc.Kind != schema.String {
		return append(out, s.gen.Part(r.Split(), sc, s.draw.size)...)
	}
	if len(sc.Words) > 0 && !r.OneIn(16) {
		return term.AppendRaw(out, sc.ID, sc.Words[r.Below(len(sc.Words))])
	}
	from := len(out)
	out = append(out, s.texts.Term(r.Split(), s.draw.size)...)
	out[from].S = sc.ID
	if !sc.Fits(out.Bytes(from)) {
		valid := bytes.ToValidUTF8(out.Bytes(from), []byte("\ufffd"))
		out = term.AppendRaw(out[:from], sc.ID, valid)
	}
	return out
}
