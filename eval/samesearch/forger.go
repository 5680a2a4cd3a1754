package samesearch

import (
	"reflect"

	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// forger makes bytes with faults: each byte of an encoded picture, in turn, has a bit changed,
// and then the checksum is correct again.
type forger struct {
	world  *schema.World
	encode any
	kept   []term.Term
	made   int
}

func (f *forger) bytes(x term.Term) []byte {
	v, _ := f.world.Value(x)
	return v.Bytes()
}

func (f *forger) raw(b []byte) term.Term {
	x, err := f.world.Read(reflect.ValueOf(b))
	if err != nil {
		panic("samesearch: " + err.Error())
	}
	return x
}

// Freeze implements engine.Forger.
func (f *forger) Freeze(x term.Term) term.Term { return f.raw(f.bytes(x)) }

// Keep implements engine.Forger.
func (f *forger) Keep(x term.Term) { f.kept = append(f.kept, x.Clone()) }

// faultsMax is how many faults are made of each kept value.
const faultsMax = 64

// Forge implements engine.Forger.
func (f *forger) Forge() (t term.Term, from *engine.Source, steps int, more bool) {
	if f.made/faultsMax >= len(f.kept) {
		return nil, nil, 3, false
	}
	value := f.kept[f.made/faultsMax]
	at := f.made % faultsMax
	if f.made++; at%5 == 4 {
		return nil, nil, 20, true
	}
	b := f.bytes(value)
	b[at/8%len(b)] ^= 1 << (at % 8)
	b[len(b)-1] = checksum(b[:len(b)-1])
	return f.raw(b), &engine.Source{Value: value, Fault: at}, 40, true
}
