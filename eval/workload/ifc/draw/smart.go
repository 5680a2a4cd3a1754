package draw

import (
	"math/rand/v2"

	"github.com/allele-go/allele/eval/workload/ifc"
)

// Smart is the generator that an expert wrote for this property. It returns a small state
// with an instruction that can run in it, and the same state with other secrets.
func Smart(r *rand.Rand) ifc.Pair {
	a := ifc.State{Mem: []ifc.Atom{bit(r), bit(r)}, Stack: cells(r, 4), PC: bit(r)}
	in := runnable(r, a.Stack)
	a.Imem = []ifc.Instr{in, in} // the pc is 0 or 1, and both addresses need an instruction
	b := ifc.State{Imem: a.Imem, PC: vary(r, a.PC)}
	for _, m := range a.Mem {
		b.Mem = append(b.Mem, vary(r, m))
	}
	b.Stack = varyStack(r, a.Stack, a.PC.Label == ifc.Low)
	if a.PC.Label == ifc.High && r.IntN(2) == 0 {
		b.Stack = ifc.Data{Top: bit(r), Rest: b.Stack}
	}
	return ifc.Pair{A: a, B: b}
}

// bit returns an atom whose value is a valid address.
func bit(r *rand.Rand) ifc.Atom { return ifc.Atom{Value: r.IntN(2), Label: label(r)} }

func cells(r *rand.Rand, n int) ifc.Stack {
	if n == 0 {
		return ifc.Empty{}
	}
	top := bit(r)
	if r.IntN(14) < 10 {
		return ifc.Data{Top: top, Rest: cells(r, n-1)}
	}
	return ifc.Frame{Back: top, Rest: cells(r, n-1)}
}

// runnable chooses an instruction that finds its operands on the stack.
func runnable(r *rand.Rand, s ifc.Stack) ifc.Instr {
	data, framed := above(s)
	args := 0
	if data > 0 {
		args = r.IntN(data)
	}
	choices := []ifc.Instr{ifc.Push{N: r.IntN(2)}, ifc.Call{N: args}}
	if framed {
		choices = append(choices, ifc.Ret{})
	}
	if data >= 1 {
		choices = append(choices, ifc.Load{})
	}
	if data >= 2 {
		choices = append(choices, ifc.Add{}, ifc.Store{})
	}
	const weight = 10 // weight of each choice; Nop has weight 1
	n := r.IntN(1 + weight*len(choices))
	if n == 0 {
		return ifc.Nop{}
	}
	return choices[(n-1)/weight]
}

// above counts the values above the first frame, and reports whether there is a frame.
func above(s ifc.Stack) (data int, framed bool) {
	for {
		switch cell := s.(type) {
		case ifc.Data:
			data++
			s = cell.Rest
		case ifc.Frame:
			return data, true
		default:
			return data, false
		}
	}
}

// vary returns an atom that looks the same to a low observer: if a is high, the value may
// change.
func vary(r *rand.Rand, a ifc.Atom) ifc.Atom {
	if a.Label == ifc.High {
		a.Value = r.IntN(2)
	}
	return a
}

// varyStack returns a stack that looks the same to a low observer. seen is false in the
// part of the stack that the observer does not see: with a high pc, this is the part above
// the first low frame. In this part all values are replaced, and only the shape stays.
func varyStack(r *rand.Rand, s ifc.Stack, seen bool) ifc.Stack {
	switch cell := s.(type) {
	case ifc.Data:
		top := bit(r)
		if seen {
			top = vary(r, cell.Top)
		}
		return ifc.Data{Top: top, Rest: varyStack(r, cell.Rest, seen)}
	case ifc.Frame:
		seen = seen || cell.Back.Label == ifc.Low
		return ifc.Frame{Back: vary(r, cell.Back), Rest: varyStack(r, cell.Rest, seen)}
	}
	return ifc.Empty{}
}
