package ifc

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele/eval/workload/task"
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

// The faults are derived from the table by dropping one thing at a time, in the order of
// the papers' numbers.
func TestFaultsAreThoseOfThePapers(t *testing.T) {
	want := strings.TrimSpace(`
1 Call result without pc: low
2 Call pc without 1: pc
3 Call pc without pc: 1
4 Ret result without 2: pc
5 Ret result without pc: 2
6 Ret pc without 1: low
7 Nop pc without pc: low
8 Push pc without pc: low
9 Add result without 1: 2
10 Add result without 2: 1
11 Add pc without pc: low
12 Load result without 1: 2
13 Load result without 2: 1
14 Load pc without pc: low
15 Store check without 1 <= 3: pc <= 3
16 Store check without pc <= 3: 1 <= 3
17 Store result without pc: 1+2
18 Store result without 1: pc+2
19 Store result without 2: pc+1
20 Store pc without pc: low
21 Halt pc without pc: low`)
	var got []string
	for i, f := range Faults() {
		rule := f.Table[f.Op]
		left := map[string]any{"check": rule.Check, "result": rule.Result, "pc": rule.PC}[f.Column]
		got = append(got, fmt.Sprintf("%d %v: %v", i+1, f, left))
		f.Table[f.Op] = Rules()[f.Op]
		if f.Table != *Rules() {
			t.Errorf("%v: another rule changed as well", f)
		}
	}
	if got := strings.Join(got, "\n"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if n := len(Faults()); n != Killable+1 {
		t.Errorf("%d faults", n)
	}
}

func low(n int) Atom  { return Atom{n, Low} }
func high(n int) Atom { return Atom{n, High} }

// stack makes a stack, top first: an Atom is a value, a Frame a frame.
func stack(cells ...any) Stack {
	if len(cells) == 0 {
		return Empty{}
	}
	rest := stack(cells[1:]...)
	if f, ok := cells[0].(Frame); ok {
		return Frame{f.Back, rest}
	}
	return Data{cells[0].(Atom), rest}
}

func show(s Stack) string {
	switch s := s.(type) {
	case Data:
		return s.Top.String() + " " + show(s.Rest)
	case Frame:
		return "[" + s.Back.String() + "] " + show(s.Rest)
	}
	return ""
}

// String is used only in these tests: 3 is low, 3! is high.
func (a Atom) String() string {
	if a.Label == High {
		return fmt.Sprintf("%d!", a.Value)
	}
	return fmt.Sprint(a.Value)
}

// TestStep tests the effect of each instruction on stack, memory and pc, with the correct
// rules.
func TestStep(t *testing.T) {
	frame := func(back Atom) Frame { return Frame{Back: back} }
	for _, c := range []struct {
		name  string
		in    Instr
		pc    Atom
		stack Stack
		want  string // stack | memory | pc
	}{
		{"nop advances the pc", Nop{}, low(0), stack(), "| 5 6! | 1"},
		{"a secret pc stays secret", Nop{}, high(0), stack(), "| 5 6! | 1!"},
		{"a pushed value is public even with a secret pc", Push{7}, high(0), stack(), "7 | 5 6! | 1!"},
		{"the arguments of a call stay above the frame", Call{1}, low(0), stack(high(9), low(1), low(2)), "1 [1] 2 | 5 6! | 9!"},
		{"a call with a secret pc saves a secret pc", Call{0}, high(0), stack(low(4)), "[1!] | 5 6! | 4!"},
		{"a call without enough arguments is stuck", Call{2}, low(0), stack(low(4), low(1)), "stuck"},
		{"a frame cannot be an argument", Call{1}, low(0), stack(low(4), frame(low(1))), "stuck"},
		{"a call with a negative number of arguments is stuck", Call{-1}, low(0), stack(low(4)), "stuck"},
		{"return drops down to the frame", Ret{}, high(0), stack(low(3), low(8), frame(low(6)), low(2)), "3! 2 | 5 6! | 6"},
		{"a frame cannot be returned", Ret{}, low(0), stack(frame(low(6)), frame(low(6))), "stuck"},
		{"return without a frame is stuck", Ret{}, low(0), stack(low(3), low(8)), "stuck"},
		{"a sum is as secret as its parts", Add{}, low(0), stack(low(3), high(4), low(1)), "7! 1 | 5 6! | 1"},
		{"adding to a frame is stuck", Add{}, low(0), stack(low(3), frame(low(4))), "stuck"},
		{"a loaded value is as secret as the cell", Load{}, low(0), stack(low(1)), "6! | 5 6! | 1"},
		{"a loaded value is as secret as the pointer", Load{}, low(0), stack(high(0)), "5! | 5 6! | 1"},
		{"a load beyond memory is stuck", Load{}, low(0), stack(low(2)), "stuck"},
		{"a load at a negative address is stuck", Load{}, low(0), stack(low(-1)), "stuck"},
		{"a value is stored with its label", Store{}, low(0), stack(low(0), high(7)), "| 7! 6! | 1"},
		{"a secret pointer may not write to a public cell", Store{}, low(0), stack(high(0), low(7)), "stuck"},
		{"a secret pc may not write to a public cell", Store{}, high(0), stack(low(0), low(7)), "stuck"},
		{"a secret pc may write to a secret cell, which stays secret", Store{}, high(0), stack(low(1), low(7)), "| 5 7! | 1!"},
		{"halt stops", Halt{}, low(0), stack(), "stuck"},
		{"a pc at the end of the program is stuck", Nop{}, low(1), stack(), "stuck"},
		{"a negative pc is stuck", Nop{}, low(-1), stack(), "stuck"},
	} {
		before := State{Imem: []Instr{c.in}, Mem: []Atom{low(5), high(6)}, Stack: c.stack, PC: c.pc}
		got := "stuck"
		if s, ok := Rules().Step(before); ok {
			got = strings.TrimSpace(fmt.Sprintf("%s| %v %v | %v", show(s.Stack), s.Mem[0], s.Mem[1], s.PC))
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if before.Mem[0] != low(5) || before.Mem[1] != high(6) {
			t.Errorf("%s: Step changed its argument: %v", c.name, before.Mem)
		}
	}
}

func TestAlike(t *testing.T) {
	frame := func(back Atom) Frame { return Frame{Back: back} }
	for _, c := range []struct {
		name string
		pc   Atom
		a, b Stack
		want bool
	}{
		{"secrets may differ", low(0), stack(high(1)), stack(high(2)), true},
		{"public values may not differ", low(0), stack(low(1)), stack(low(2)), false},
		{"labels may not differ", low(0), stack(low(1)), stack(high(1)), false},
		{"kinds of cells may not differ", low(0), stack(high(1)), stack(frame(high(1))), false},
		{"lengths may not differ", low(0), stack(high(1)), stack(), false},
		{"the stack of a secret computation may differ", high(0), stack(low(1)), stack(), true},
		{"it may differ above the first low frame", high(0), stack(low(1), frame(low(3))), stack(frame(high(2)), frame(low(3))), true},
		{"the first low frame may not differ", high(0), stack(frame(low(3))), stack(frame(low(4))), false},
		{"cells below the first low frame may not differ", high(0), stack(frame(low(3)), low(1)), stack(frame(low(3)), low(2)), false},
	} {
		if got := Alike(State{Stack: c.a, PC: c.pc}, State{Stack: c.b, PC: c.pc}); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	s := State{Imem: []Instr{Push{1}}, Mem: []Atom{low(1)}, PC: low(0)}
	for name, change := range map[string]func(*State){
		"programs":         func(s *State) { s.Imem = []Instr{Push{2}} },
		"memories":         func(s *State) { s.Mem = []Atom{low(2)} },
		"sizes of memory":  func(s *State) { s.Mem = nil },
		"program counters": func(s *State) { s.PC.Value++ },
		"labels of the pc": func(s *State) { s.PC.Label = High },
	} {
		other := s
		change(&other)
		if Alike(s, other) {
			t.Errorf("different %s are alike", name)
		}
	}
}

// TestProperties runs all properties on a pair that becomes distinguishable if Store does
// not check its pointer.
func TestProperties(t *testing.T) {
	state := func(secret int) State {
		return State{Imem: []Instr{Store{}, Halt{}}, Mem: []Atom{low(0), low(0)}, Stack: stack(high(secret), low(7)), PC: low(0)}
	}
	pair := Pair{state(0), state(1)}
	for name, p := range map[string]Property{"SSNI": SSNI, "MSNI": MSNI, "EENI": EENI} {
		if v := p(&Faults()[14].Table, pair); v != task.Failed {
			t.Errorf("%s without the check: %v", name, v)
		}
		if v := p(Rules(), pair); v == task.Failed {
			t.Errorf("%s with the correct rules: %v", name, v)
		}
		if v := p(Rules(), Pair{pair.A, State{}}); v != task.Discarded {
			t.Errorf("%s of states that differ: %v", name, v)
		}
	}
}

// The derived input type corresponds to the papers: stacks have three forms, of which the
// empty one is minimal, and there are eight instructions and two labels.
func TestDerived(t *testing.T) {
	tasks := Tasks(SSNI)
	if len(tasks) != Killable || tasks[0].Name != "ifc1" || tasks[19].Name != "ifc20" {
		t.Fatalf("%d tasks from %s", len(tasks), tasks[0].Name)
	}
	w, err := schema.Derive(tasks[0].In, tasks[0].Decls())
	if err != nil {
		t.Fatal(err)
	}
	b := schema.NewBuilder(w)
	least := reflect.New(w.Root.Type)
	b.Build(w.Root.Least, least.UnsafePointer())
	if s := least.Interface().(*Pair).A; s.Stack != Stack(Empty{}) || len(s.Imem)+len(s.Mem) > 0 || s.PC != low(0) {
		t.Errorf("the minimal state is %+v", s)
	}
	count := map[task.Verdict]int{}
	g := gen.New(w)
	for run := range uint64(20_000) {
		count[tasks[0].Call(b, g.Term(rng.At(1, run), 20))]++
	}
	t.Logf("derived pairs: %v", count)
	if count[task.Discarded] < 19_000 {
		t.Errorf("too easy: %v", count)
	}
}
