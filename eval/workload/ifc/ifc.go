// Package ifc is a small machine that must not leak secrets (information flow control),
// with twenty faults in its rules.
//
// Every value carries a label, low or high. For each instruction a rule determines the
// label of the result, and when the machine must stop. If the rules are right, an
// observer who sees only low values cannot distinguish two runs that differ only in high
// values. The property runs one step from each of two such states and compares the
// results:
//
//	verdict := ifc.SSNI(ifc.Rules(), ifc.Pair{A: a, B: b})
//	for _, f := range ifc.Faults() { ... ifc.SSNI(&f.Table, pair) ... }
//
// Hardly any two random states are indistinguishable, and most states cannot step, so
// nearly all random inputs are discarded. This is the stack machine of the papers on
// FuzzChick and MUTAGEN; their numbers are comparable with ours, fault by fault.
package ifc

// Label is the secrecy of a value. True is secret.
type Label bool

// The two labels. A Low value may flow anywhere, a High value only to High.
const (
	Low  Label = false
	High Label = true
)

// Join returns the lowest label that both labels may flow to: High if one of them is
// High.
func (l Label) Join(m Label) Label { return l || m }

// FlowsTo reports whether a value with label l may be written to a place with label m.
func (l Label) FlowsTo(m Label) bool { return bool(!l || m) }

// Atom is a value with its label.
type Atom struct {
	Value int
	Label Label
}

// Instr is an instruction.
type Instr interface{ isInstr() }

// The instructions. Their operands are on the stack. Call finds the target address on the
// stack, and its N arguments in the cells below.
type (
	Nop   struct{}
	Push  struct{ N int }
	Call  struct{ N int }
	Ret   struct{}
	Add   struct{}
	Load  struct{}
	Store struct{}
	Halt  struct{}
)

func (Nop) isInstr()   {}
func (Push) isInstr()  {}
func (Call) isInstr()  {}
func (Ret) isInstr()   {}
func (Add) isInstr()   {}
func (Load) isInstr()  {}
func (Store) isInstr() {}
func (Halt) isInstr()  {}

// Stack is a list with two kinds of cells. It is a type of its own rather than a slice
// of tagged cells, so that turning one kind of cell into the other, or dropping the
// cells above a cell, is one mutation of a term.
type Stack interface{ isStack() }

// The forms of a stack. A Frame marks the end of the caller's stack, and stores the
// return address.
type (
	Empty struct{}
	Data  struct {
		Top  Atom
		Rest Stack
	}
	Frame struct {
		Back Atom
		Rest Stack
	}
)

func (Empty) isStack() {}
func (Data) isStack()  {}
func (Frame) isStack() {}

// State is the whole machine between two steps.
type State struct {
	Imem  []Instr
	Mem   []Atom
	Stack Stack
	PC    Atom
}

// Pair is the input of the properties.
type Pair struct{ A, B State }
