// Package draw makes pairs of states for the machine in package ifc, in the
// three ways the papers do.
//
//	r := rand.New(rand.NewPCG(seed, 0))
//	draw.Smart(r)            // written by hand: three of four are a test
//	draw.Copy(r, draw.Size)  // one random state twice: one in 14 is
//	draw.Naive(r, draw.Size) // two random states: hardly one in a million is
//
// They are the yardsticks at both ends. A search over derived terms should come
// near the first with no more knowledge than the others.
package draw

import (
	"math/rand/v2"

	"github.com/allele-go/allele/eval/workload/ifc"
)

// Sizes of the papers' experiments: the largest of MUTAGEN's runs, and that of
// FuzzChick's.
const (
	Size     = 10
	SizeFuzz = 3
)

// Naive is two states that know nothing of each other.
func Naive(r *rand.Rand, size int) ifc.Pair {
	return ifc.Pair{A: state(r, size), B: state(r, size)}
}

// Copy is the same state twice. Such a pair always looks alike, so it gets past
// the precondition; only changes made afterwards give it secrets that differ.
func Copy(r *rand.Rand, size int) ifc.Pair {
	s := state(r, size)
	return ifc.Pair{A: s, B: s}
}

// state chooses every constructor with equal odds. Numbers are from -size to
// size, lists have up to size elements.
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
