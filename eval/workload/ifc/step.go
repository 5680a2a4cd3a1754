package ifc

// Step runs one instruction. It reports false if the machine is stuck: there is no
// instruction at the pc, its operands are missing, or its rule forbids it. Step does not
// change its argument.
func (t *Table) Step(s State) (next State, ok bool) {
	in, ok := s.fetch()
	if !ok {
		return State{}, false
	}
	switch in := in.(type) {
	case Nop:
		return t.nop(s)
	case Push:
		return t.push(s, in.N)
	case Call:
		return t.call(s, in.N)
	case Ret:
		return t.ret(s)
	case Add:
		return t.add(s)
	case Load:
		return t.load(s)
	case Store:
		return t.store(s)
	}
	return State{}, false // Halt
}

// fetch returns the instruction at the pc. It reports false if there is none.
func (s *State) fetch() (Instr, bool) {
	if s.PC.Value < 0 || s.PC.Value >= len(s.Imem) {
		return nil, false
	}
	return s.Imem[s.PC.Value], true
}

// after returns s with the given stack, at the next instruction. pc is the new label of
// the pc.
func (s State) after(stack Stack, pc Label) State {
	s.Stack, s.PC = stack, Atom{s.PC.Value + 1, pc}
	return s
}

func (t *Table) nop(s State) (State, bool) {
	_, pc, ok := t[OpNop].apply(labels{PC: s.PC.Label})
	if !ok {
		return State{}, false
	}
	return s.after(s.Stack, pc), true
}

func (t *Table) push(s State, n int) (State, bool) {
	result, pc, ok := t[OpPush].apply(labels{PC: s.PC.Label})
	if !ok {
		return State{}, false
	}
	return s.after(Data{Atom{n, result}, s.Stack}, pc), true
}

func (t *Table) call(s State, args int) (State, bool) {
	target, ok := s.Stack.(Data)
	if !ok || args < 0 {
		return State{}, false
	}
	result, pc, ok := t[OpCall].apply(labels{PC: s.PC.Label, First: target.Top.Label})
	if !ok {
		return State{}, false
	}
	stack, ok := framed(target.Rest, args, Atom{s.PC.Value + 1, result})
	if !ok {
		return State{}, false
	}
	s.Stack, s.PC = stack, Atom{target.Top.Value, pc}
	return s, true
}

// framed inserts a frame below the arguments of a call.
func framed(s Stack, args int, back Atom) (Stack, bool) {
	if args == 0 {
		return Frame{back, s}, true
	}
	arg, ok := s.(Data)
	if !ok {
		return nil, false
	}
	rest, ok := framed(arg.Rest, args-1, back)
	if !ok {
		return nil, false
	}
	return Data{arg.Top, rest}, true
}

func (t *Table) ret(s State) (State, bool) {
	value, ok := s.Stack.(Data)
	if !ok {
		return State{}, false
	}
	frame, ok := nearest(value.Rest)
	if !ok {
		return State{}, false
	}
	result, pc, ok := t[OpRet].apply(labels{PC: s.PC.Label, First: frame.Back.Label, Second: value.Top.Label})
	if !ok {
		return State{}, false
	}
	s.Stack, s.PC = Data{Atom{value.Top.Value, result}, frame.Rest}, Atom{frame.Back.Value, pc}
	return s, true
}

// nearest returns the frame closest to the top.
func nearest(s Stack) (Frame, bool) {
	for {
		switch cell := s.(type) {
		case Data:
			s = cell.Rest
		case Frame:
			return cell, true
		default:
			return Frame{}, false
		}
	}
}

func (t *Table) add(s State) (State, bool) {
	x, y, rest, ok := operands(s.Stack)
	if !ok {
		return State{}, false
	}
	result, pc, ok := t[OpAdd].apply(labels{PC: s.PC.Label, First: x.Label, Second: y.Label})
	if !ok {
		return State{}, false
	}
	return s.after(Data{Atom{x.Value + y.Value, result}, rest}, pc), true
}

// operands returns the two topmost values and the rest of the stack.
func operands(s Stack) (x, y Atom, rest Stack, ok bool) {
	top, ok := s.(Data)
	if !ok {
		return x, y, nil, false
	}
	second, ok := top.Rest.(Data)
	if !ok {
		return x, y, nil, false
	}
	return top.Top, second.Top, second.Rest, true
}

func (t *Table) load(s State) (State, bool) {
	pointer, ok := s.Stack.(Data)
	if !ok || pointer.Top.Value < 0 || pointer.Top.Value >= len(s.Mem) {
		return State{}, false
	}
	cell := s.Mem[pointer.Top.Value]
	result, pc, ok := t[OpLoad].apply(labels{PC: s.PC.Label, First: cell.Label, Second: pointer.Top.Label})
	if !ok {
		return State{}, false
	}
	return s.after(Data{Atom{cell.Value, result}, pointer.Rest}, pc), true
}

func (t *Table) store(s State) (State, bool) {
	pointer, value, rest, ok := operands(s.Stack)
	if !ok || pointer.Value < 0 || pointer.Value >= len(s.Mem) {
		return State{}, false
	}
	old := s.Mem[pointer.Value]
	result, pc, ok := t[OpStore].apply(labels{PC: s.PC.Label, First: pointer.Label, Second: value.Label, Third: old.Label})
	if !ok {
		return State{}, false
	}
	s.Mem = append([]Atom{}, s.Mem...)
	s.Mem[pointer.Value] = Atom{value.Value, result}
	return s.after(rest, pc), true
}
