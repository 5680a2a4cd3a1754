package ifc

import "slices"

// Alike reports whether two states look the same to an observer who sees only low values.
// While the pc is high, the computation is secret and will return to the first low frame
// of the stack. Then Alike also ignores the stack above that frame.
func Alike(a, b State) bool {
	if !alikeMem(a.Mem, b.Mem) || !slices.Equal(a.Imem, b.Imem) || !alikeAtoms(a.PC, b.PC) {
		return false
	}
	if a.PC.Label == High {
		return alikeStacks(cropTop(a.Stack), cropTop(b.Stack))
	}
	return alikeStacks(a.Stack, b.Stack)
}

func alikeAtoms(a, b Atom) bool {
	if a.Label != b.Label {
		return false
	}
	return a.Label == High || a.Value == b.Value
}

func alikeMem(a, b []Atom) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !alikeAtoms(a[i], b[i]) {
			return false
		}
	}
	return true
}

func alikeStacks(a, b Stack) bool {
	for {
		switch x := a.(type) {
		case Data:
			y, ok := b.(Data)
			if !ok || !alikeAtoms(x.Top, y.Top) {
				return false
			}
			a, b = x.Rest, y.Rest
		case Frame:
			y, ok := b.(Frame)
			if !ok || !alikeAtoms(x.Back, y.Back) {
				return false
			}
			a, b = x.Rest, y.Rest
		default:
			return isEmpty(b)
		}
	}
}

// isEmpty reports whether a stack is empty. It also accepts the nil stack of a zero
// State.
func isEmpty(s Stack) bool {
	switch s.(type) {
	case Data, Frame:
		return false
	}
	return true
}

// cropTop drops the cells above the first low frame.
func cropTop(s Stack) Stack {
	for {
		switch cell := s.(type) {
		case Data:
			s = cell.Rest
		case Frame:
			if cell.Back.Label == Low {
				return cell
			}
			s = cell.Rest
		default:
			return Empty{}
		}
	}
}
