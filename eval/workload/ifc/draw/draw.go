// Package draw generates pairs of states for the machine in package ifc, with the three
// generators of the papers.
//
//	r := rand.New(rand.NewPCG(seed, 0))
//	draw.Smart(r)            // handwritten: three of four pairs are not discarded
//	draw.Copy(r, draw.Size)  // one random state twice: one in 14 is not discarded
//	draw.Naive(r, draw.Size) // two random states: hardly one in a million is not discarded
//
// Smart and Naive are the best and the worst case for comparison. A search over derived
// terms should come close to Smart with no more knowledge than Copy and Naive have.
package draw

import (
	"math/rand/v2"

	"github.com/allele-go/allele/eval/workload/ifc"
)

// The sizes in the papers: Size is the largest size in the experiments with MUTAGEN, and
// SizeFuzz is the size in those with FuzzChick.
const (
	Size     = 10
	SizeFuzz = 3
)

// Naive returns two independent states.
func Naive(r *rand.Rand, size int) ifc.Pair {
	return ifc.Pair{A: state(r, size), B: state(r, size)}
}

// Copy returns the same state twice. Such a pair is always indistinguishable, so it meets
// the precondition; only later mutations give the states different secrets.
func Copy(r *rand.Rand, size int) ifc.Pair {
	s := state(r, size)
	return ifc.Pair{A: s, B: s}
}

// state returns a random state. It chooses every constructor with equal odds. Numbers are
// from -size to size, and lists have up to size elements.
func state(r *rand.Rand, size int) ifc.State {
	var s ifc.State
	for range r.IntN(size + 1) {
		s.Imem = append(s.Imem, instr(r, size))
	}
	for range r.IntN(size + 1) {
		s.Mem = append(s.Mem, atom(r, size))
	}
	s.Stack, s.PC = stack(r, size, size), atom(r, size)
	return s
}

func number(r *rand.Rand, size int) int { return r.IntN(2*size+1) - size }

func label(r *rand.Rand) ifc.Label { return r.IntN(2) == 1 }

func atom(r *rand.Rand, size int) ifc.Atom { return ifc.Atom{Value: number(r, size), Label: label(r)} }

func instr(r *rand.Rand, size int) ifc.Instr {
	all := [...]ifc.Instr{
		ifc.Nop{}, ifc.Push{N: number(r, size)}, ifc.Call{N: number(r, size)}, ifc.Ret{},
		ifc.Add{}, ifc.Load{}, ifc.Store{}, ifc.Halt{},
	}
	return all[r.IntN(len(all))]
}

func stack(r *rand.Rand, depthLeft, size int) ifc.Stack {
	if depthLeft == 0 {
		return ifc.Empty{}
	}
	switch r.IntN(3) {
	case 0:
		return ifc.Empty{}
	case 1:
		return ifc.Data{Top: atom(r, size), Rest: stack(r, depthLeft-1, size)}
	}
	return ifc.Frame{Back: atom(r, size), Rest: stack(r, depthLeft-1, size)}
}
