package ifc

import "github.com/allele-go/allele/eval/workload/task"

// Property returns the verdict on a pair of states under a table.
type Property func(*Table, Pair) task.Verdict

// SSNI is single-step noninterference, the property of the published tables:
// indistinguishable states stay indistinguishable after a step. While the pc is high the
// two machines may do different things. Then the state of a machine is compared with its
// own state before the step.
func SSNI(t *Table, in Pair) task.Verdict {
	a, b := in.A, in.B
	if _, ok := a.fetch(); !ok {
		return task.Discarded
	}
	if !Alike(a, b) {
		return task.Discarded
	}
	nextA, ok := t.Step(a)
	if !ok {
		return task.Discarded
	}
	nextB, ok := t.Step(b)
	if !ok {
		return task.Discarded
	}
	switch {
	case a.PC.Label == Low:
		return task.Holds(Alike(nextA, nextB))
	case nextA.PC.Label == Low && nextB.PC.Label == Low:
		return task.Holds(Alike(nextA, nextB))
	case nextA.PC.Label == Low:
		return task.Holds(Alike(b, nextB))
	}
	return task.Holds(Alike(a, nextA))
}

// stepsMax is the number of steps that MSNI and EENI run a machine, as in the paper on
// FuzzChick. The bound is needed for endless loops, which are not leaks.
const stepsMax = 42

// MSNI is multi-step noninterference: SSNI along a whole run. If the first machine has no
// instruction at its pc, the pair passes, whatever the second state is. This is how the
// property was published.
func MSNI(t *Table, in Pair) task.Verdict {
	a, b := in.A, in.B
	if _, ok := a.fetch(); !ok {
		return task.Passed
	}
	if !Alike(a, b) {
		return task.Discarded
	}
	for range stepsMax {
		nextA, ok := t.Step(a)
		if !ok {
			return task.Passed
		}
		nextB, ok := t.Step(b)
		if !ok {
			return task.Passed
		}
		switch lowA, lowB := nextA.PC.Label == Low, nextB.PC.Label == Low; {
		case a.PC.Label == Low || lowA && lowB:
			if !Alike(nextA, nextB) {
				return task.Failed
			}
			a, b = nextA, nextB
		case lowA: // a waits until the pc of b is low too
			if !Alike(b, nextB) {
				return task.Failed
			}
			b = nextB
		case lowB:
			if !Alike(a, nextA) {
				return task.Failed
			}
			a = nextA
		default:
			if !Alike(a, nextA) || !Alike(b, nextB) {
				return task.Failed
			}
			a, b = nextA, nextB
		}
	}
	return task.Passed
}

// EENI is end-to-end noninterference: if two machines start in indistinguishable states
// and both halt with a low pc, the states in which they halt are indistinguishable.
func EENI(t *Table, in Pair) task.Verdict {
	if !Alike(in.A, in.B) {
		return task.Discarded
	}
	a, b := t.run(in.A), t.run(in.B)
	if !a.halted() || !b.halted() {
		return task.Discarded
	}
	return task.Holds(Alike(a, b))
}

func (t *Table) run(s State) State {
	for range stepsMax {
		next, ok := t.Step(s)
		if !ok {
			break
		}
		s = next
	}
	return s
}

// halted reports whether s is at a Halt instruction with a low pc.
func (s *State) halted() bool {
	in, ok := s.fetch()
	return ok && in == Halt{} && s.PC.Label == Low
}
