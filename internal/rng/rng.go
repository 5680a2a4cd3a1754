//go:build go1.25

// Package rng is allele's only source of randomness. It is seeded, splittable and
// replayable.
//
// Every run of a property has its own generator, made from the seed and the number of the
// run. Earlier runs do not affect this generator, so any run can be repeated from these
// two numbers:
//
//	r := rng.At(seed, run) // always the same stream for this seed and run
//	if r.OneIn(16) { ... }
//
// The generator is SplitMix64: one addition and two multiplications per draw, eight bytes
// of state, and a stream for every 64-bit start value.
package rng

import "math/bits"

// Rand is a stream of random numbers. The zero value is the stream of seed 0.
type Rand struct{ state uint64 }

const (
	golden = 0x9e3779b97f4a7c15
	mixA   = 0xbf58476d1ce4e5b9
	mixB   = 0x94d049bb133111eb
)

// New returns the stream of a seed.
func New(seed uint64) Rand { return Rand{seed} }

// At returns the stream for a seed and the number of a run.
func At(seed, run uint64) Rand { return From(seed).Run(run) }

// Source is a seed that has already been through mix. The streams of many runs can be
// made from it.
type Source uint64

// From returns the Source of a seed. For many runs with one seed, call From once and then
// Source.Run for each run: that costs half as much as calling At.
func From(seed uint64) Source { return Source(mix(seed + golden)) }

// Run returns the stream of one run. The run number goes through mix, because start
// values that are neighbours in the SplitMix64 sequence would make streams that overlap.
func (s Source) Run(run uint64) Rand { return Rand{uint64(s) ^ mix(run*mixA+golden)} }

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * mixA
	z = (z ^ z>>27) * mixB
	return z ^ z>>31
}

// Uint64 draws 64 random bits.
func (r *Rand) Uint64() uint64 {
	r.state += golden
	return mix(r.state)
}

// Below draws a number in [0, n); n must be positive. It multiplies instead of
// dividing; the bias is below n/2^64.
func (r *Rand) Below(n int) int {
	hi, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(hi)
}

// Below64 draws a number in [0, n). n = 0 stands for 2^64: any number is drawn.
func (r *Rand) Below64(n uint64) uint64 {
	if n == 0 {
		return r.Uint64()
	}
	hi, _ := bits.Mul64(r.Uint64(), n)
	return hi
}

// OneIn returns true with probability 1/n.
func (r *Rand) OneIn(n int) bool { return r.Below(n) == 0 }

// Split returns an independent stream and advances this one.
func (r *Rand) Split() Rand { return Rand{mix(r.Uint64() ^ golden)} }
