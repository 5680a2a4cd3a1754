//go:build go1.25

package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/allele-go/allele/internal/value/steps"
	"github.com/allele-go/allele/internal/value/term"
)

// A list of calls of the methods of a machine is three schemas. The value itself, a func(*T, M), is Made from a
// list: a Slice whose elements are Made by an operation each. So generation, mutation and shrinking treat it like any
// other list. Only building and printing are different.
//
// There are two constructors of the value. The second one is generated: Check is called after every call, and
// references count back. The first one is a program as people read it: calls of Check are elements, and references
// name calls. A run shows which program a list stands for; see Builder.Programs.
const (
	programCtor = 0
	listedCtor  = 1
	checkCtor   = 0 // of an element; it is not generated either
)

// Calls makes a func(*T, M) from a list of calls.
type Calls struct {
	Machine *steps.Machine
	Program bool
}

// Operation is a call of a method of a machine. Op is nil for a call of Check.
type Operation struct{ Op *steps.Op }

// callsDefault is how many calls a list has at most, unless the user has set a size. Lists of 20 calls, the default size
// of other inputs, find bugs that need a certain state with up to 70 % more calls in all.
const callsDefault = 50

// stepsPkg is the package of allele.Steps.
const stepsPkg = "github.com/allele-go/allele"

// isSteps reports whether t is a list of calls: an instance of allele.Steps.
func isSteps(t reflect.Type) bool {
	return t.Kind() == reflect.Func && t.PkgPath() == stepsPkg && strings.HasPrefix(t.Name(), "Steps[") && t.NumIn() == 2
}

// Machine returns the machine of a list of calls, or of its value, and nil for all other schemas.
func (s *Schema) Machine() *steps.Machine { return s.machine }

// IsCalls reports whether s is the Slice of a list of calls.
func (s *Schema) IsCalls() bool { return s.machine != nil && s.Kind == Slice }

// deriveSteps derives a list of calls.
func deriveSteps(d *deriver, s *Schema, e entry, sc *scope, path string) {
	m := steps.Of(s.Type.In(1), s.Type.In(0))
	calls := reflect.TypeFor[[]steps.Call]()
	list, call := d.add(calls), d.add(calls.Elem())
	args := reflect.StructOf([]reflect.StructField{{Name: "A0", Type: calls}})
	s.Kind, s.first, s.machine = Made, listedCtor, m
	for _, program := range []bool{true, false} {
		f := &Func{Name: "Steps", Template: "Steps", Form: Calls{m, program}, Result: s.Type, args: args, Args: []Arg{{Type: calls}}}
		s.Ctors = append(s.Ctors, Ctor{Name: "Steps", Func: f, box: d.cell(args), Fields: []Field{{"", list, 0}}})
	}
	list.Kind, list.NonNil, list.Elem, list.elemOf, list.machine = Slice, true, call, d.cell(calls.Elem()), m
	call.Kind, call.first = Made, checkCtor+1
	call.Ctors = []Ctor{operation(d, &steps.Op{Name: "Check"}, nil, nil)}
	call.Ctors[checkCtor].Func.Form = Operation{}
	o := &operations{d: d, of: s.Type, machine: m, mixes: e.mixes, refs: map[reflect.Type]*Schema{}}
	for _, op := range m.Ops {
		call.Ctors = append(call.Ctors, o.derive(op, sc, path+"."+op.Name))
	}
	if m.Keep(); len(m.Ops) == 0 {
		d.refuse(path, s.Type, fmt.Sprintf("%v has no exported methods besides Check, so there is nothing to call", m.Type))
		return
	}
	if mixed := (entry{mixes: e.mixes, from: e.from}); len(e.mixes) > 0 {
		call.Type = s.Type // messages name it
		d.mix(call, mixed)
		call.Type = calls.Elem()
	}
	o.reachable(call, path)
	o.promotedNote(call, path)
}

// promotedNote adds a message about methods that the machine has from an embedded type: they are operations too, which
// surprises people who embed the system under test.
func (o *operations) promotedNote(call *Schema, path string) {
	var own []string
	from, all := map[string][]string{}, []string(nil)
	for _, op := range ops(call) {
		if op.Promoted == "" {
			own = append(own, op.Name)
			continue
		}
		if from[op.Promoted] == nil {
			all = append(all, op.Promoted)
		}
		from[op.Promoted] = append(from[op.Promoted], op.Name)
	}
	if len(all) == 0 {
		return
	}
	text := path + ": the operations are " + strings.Join(own, ", ")
	for _, t := range all {
		text += fmt.Sprintf(", and %s of the embedded %s", strings.Join(from[t], ", "), t)
	}
	o.d.world.Notes = append(o.d.world.Notes, strings.Replace(text, "are , and", "are", 1))
}

// operation returns the constructor of a call.
func operation(d *deriver, op *steps.Op, types []reflect.Type, kids []*Schema) Ctor {
	fields := make([]reflect.StructField, len(types))
	f := &Func{Name: op.Name, Template: op.Name, Form: Operation{op}, Result: reflect.TypeFor[steps.Call]()}
	for i, t := range types {
		fields[i] = reflect.StructField{Name: fmt.Sprintf("A%d", i), Type: t}
		f.Args = append(f.Args, Arg{Type: t})
	}
	f.args = reflect.StructOf(fields)
	c := Ctor{Name: op.Name, Func: f, box: d.cell(f.args)}
	for i, s := range kids {
		c.Fields = append(c.Fields, Field{"", s, f.args.Field(i).Offset})
	}
	f.call = func(dst, args unsafe.Pointer) bool {
		*(*steps.Call)(dst) = steps.Call{Op: f.Form.(Operation).Op, Args: args}
		return true
	}
	return c
}

// operations derives the operations of a machine.
type operations struct {
	d       *deriver
	of      reflect.Type // the list of calls
	machine *steps.Machine
	mixes   []*Mix
	refs    map[reflect.Type]*Schema // by the type of the results
}

// wanted reports whether the property does not exclude an operation.
func (o *operations) wanted(op *steps.Op) bool { return wanted(o.mixes, op.Name) }

// derive returns the constructor of an operation. One that is excluded gets no fields, because its parameters may be
// impossible to generate, which is why the user excludes it.
func (o *operations) derive(op *steps.Op, sc *scope, path string) Ctor {
	if !o.wanted(op) {
		return operation(o.d, op, nil, nil)
	}
	if op.Wrong != "" {
		o.d.refuse(path, o.machine.Type, op.Wrong+", or leave it out: "+o.without(op))
		return operation(o.d, op, nil, nil)
	}
	sc = sc.into(o.of, op.Name)
	types, isRef := make([]reflect.Type, len(op.Params)), make([]bool, len(op.Params))
	var kids []*Schema
	for i, t := range op.Params {
		types[i] = t
		switch {
		case o.isRef(t, sc):
			types[i], isRef[i] = reflect.TypeFor[steps.Ref](), true
			kids = append(kids, o.ref(t))
		case t == o.machine.Type:
			o.d.refuse(path, t, fmt.Sprintf("%s takes another machine, but no method returns one; leave it out: %s",
				op.Name, o.without(op)))
			return operation(o.d, op, nil, nil)
		case sc.unmakeable(t):
			o.d.refuse(path, t, fmt.Sprintf("%s needs a %v, but no method returns one, and it cannot be generated; declare "+
				"allele.Values for it, or leave the method out: %s", op.Name, t, o.without(op)))
			return operation(o.d, op, nil, nil)
		default:
			kids = append(kids, o.d.schema(t, sc, path))
		}
	}
	c := operation(o.d, op, types, kids)
	o.machine.Use(op, isRef, c.Func.args)
	return c
}

// without returns the option that excludes an operation.
func (o *operations) without(op *steps.Op) string {
	name := o.d.named(o.of)
	if name == "" {
		name = "allele.Steps[M]"
	}
	return fmt.Sprintf("allele.Without[%s](%q)", name, op.Name)
}

// isRef reports whether the values of a parameter are results of earlier calls: some operation returns its type, and
// the user has not declared how such values are made otherwise.
func (o *operations) isRef(t reflect.Type, sc *scope) bool {
	return steps.MayRefer(t) && !isDeclared(sc, t) && o.machine.Returns(t, func(*steps.Op) bool { return true })
}

// isDeclared reports whether the user has declared how values of t are made. What was found in the source does not
// count: in most programs some function makes a *File.
func isDeclared(sc *scope, t reflect.Type) bool {
	e := sc.types[t]
	return e != nil && slices.ContainsFunc(e.from, func(u *use) bool {
		switch u.decl.What.(type) {
		case Values, *Func:
			return u.decl.Tier >= Global
		case Variants:
			return u.decl.Tier >= Local // a file of facts declares variants for all properties
		default:
			return false
		}
	})
}

// ref returns the schema of references to results of a type.
func (o *operations) ref(t reflect.Type) *Schema {
	s := o.refs[t]
	if s == nil {
		s = o.d.add(reflect.TypeFor[steps.Ref]())
		s.number()
		s.Hi, s.Limited, s.capped = steps.BackMax, true, true
		o.refs[t] = s
	}
	return s
}

// reachable refuses operations that can never be called, because nothing returns a result that they need.
func (o *operations) reachable(call *Schema, path string) {
	if len(o.d.problems) > 0 {
		return
	}
	can := map[*steps.Op]bool{}
	for changed := true; changed; {
		changed = false
		for _, op := range ops(call) {
			if !can[op] && !slices.ContainsFunc(o.machine.Needs(op), func(t reflect.Type) bool {
				return !o.machine.Returns(t, func(op *steps.Op) bool { return can[op] })
			}) {
				can[op], changed = true, true
			}
		}
	}
	for _, op := range ops(call) {
		for _, t := range o.machine.Needs(op) {
			if !can[op] && !o.machine.Returns(t, func(op *steps.Op) bool { return can[op] }) {
				o.d.refuse(path+"."+op.Name, t, fmt.Sprintf("%s needs a result of an earlier call, but no method that can be "+
					"called before it returns one; leave it out: %s", op.Name, o.without(op)))
			}
		}
	}
}

// ops returns the operations that are generated.
func ops(call *Schema) (all []*steps.Op) {
	for _, c := range call.Ctors[checkCtor+1:] {
		all = append(all, c.Func.Form.(Operation).Op)
	}
	return all
}

// Op returns the operation of constructor c of the elements of a list of calls. It is nil for a call of Check.
func (s *Schema) Op(c int) *steps.Op {
	o, _ := s.Ctors[c].Func.Form.(Operation)
	return o.Op
}

// Operations returns the operations of all lists of calls in the input that are generated.
func Operations(w *World) (all []*steps.Op) {
	for _, s := range w.Schemas {
		if s.IsCalls() {
			all = append(all, ops(s.Elem)...)
		}
	}
	return all
}

// steps builds the function of a list of calls.
func (b *Builder) steps(c *cursor, s *Schema, f *Ctor, q unsafe.Pointer) {
	form := f.Func.Form.(Calls)
	list := &steps.List{Machine: s.machine, Explicit: form.Program, Record: b.Record}
	if b.Record {
		b.lists = append(b.lists, list) // before the lists inside of it, as in the term
	}
	args := b.alloc(f.box)
	b.exec(c, f.ops, args)
	list.Calls = *(*[]steps.Call)(args)
	reflect.NewAt(s.Type, q).Elem().Set(reflect.MakeFunc(s.Type, func(in []reflect.Value) []reflect.Value {
		list.Run(in[0], in[1])
		return nil
	}))
}

// Programs returns t, the term that was built last, with the programs that its lists of calls turned out to be, if the
// Builder has made a record of its run. Check is called only at the end of the first program, if the run ended there,
// and after each call of the second one: Check may have an effect.
func (b *Builder) Programs(t term.Term) (all []term.Term) {
	for _, throughout := range []bool{false, true} {
		p := programs{world: b.world, lists: b.lists, throughout: throughout}
		if len(b.lists) > 0 {
			p.term(t, 0)
		}
		if len(p.out) > 0 && !p.bad && !term.Equal(p.out, t) {
			all = append(all, p.out)
		}
	}
	return all
}

// programs replaces the lists of calls in a term.
type programs struct {
	world      *World
	lists      []*steps.List // in the order in which they were built, which is that of the term
	throughout bool
	out        term.Term
	bad        bool
}

// term appends the subterm at a position.
func (p *programs) term(t term.Term, at int) {
	s, n := p.world.Of(t[at]), t[at]
	if s.IsScalar() || s.Kind == Rule {
		p.out = append(p.out, t.Sub(at)...)
		return
	}
	start := len(p.out)
	p.out = append(p.out, n)
	if s.machine != nil && s.Kind == Made {
		p.out[start].C = programCtor
		p.calls(t, at+1)
	} else {
		for k := range t.Kids(at) {
			p.term(t, k)
		}
	}
	p.out[start].N = uint32(len(p.out) - start)
}

// calls appends the calls of a list that were made.
func (p *programs) calls(t term.Term, at int) {
	if len(p.lists) == 0 {
		p.bad = true
		return
	}
	list := p.lists[0]
	p.lists = p.lists[1:]
	notes := list.Made()
	p.bad = p.bad || notes.Unclear
	call := p.world.Of(t[at]).Elem
	start, kids := len(p.out), slices.Collect(t.Kids(at))
	p.out = append(p.out, t[at])
	length, moved := 0, map[int]int{}
	checks, _ := list.Machine.HasCheck()
	for i, m := range notes.Made {
		p.call(t, kids[m.Call], m.Refs, moved)
		moved[m.Call] = length
		if length++; checks && !list.Explicit && (p.throughout || notes.Checking && i == len(notes.Made)-1) {
			p.out = append(p.out, term.Node{S: call.ID, C: checkCtor, N: 1})
			length++
		}
	}
	p.out[start].X, p.out[start].N = uint64(length), uint32(len(p.out)-start)
}

// call appends a call. moved has the new indexes of earlier calls.
func (p *programs) call(t term.Term, at int, refs []steps.Ref, moved map[int]int) {
	start, op := len(p.out), p.world.Of(t[at]).Op(int(t[at].C))
	p.out = append(p.out, t[at])
	i := 0
	for k := range t.Kids(at) {
		if op.IsRef(i) && len(refs) > 0 {
			call, result, _ := refs[0].Call()
			named, ok := steps.Named(moved[call], result)
			node := t[k]
			node.X, refs, p.bad = uint64(named), refs[1:], p.bad || !ok
			p.out = append(p.out, node)
		} else {
			p.out = append(p.out, t.Sub(k)...)
		}
		i++
	}
	p.out[start].N = uint32(len(p.out) - start)
}

// methodNames lists the operations of a list of calls.
func methodNames(t reflect.Type) string {
	var names []string
	for _, op := range steps.Of(t.In(1), t.In(0)).Ops {
		names = append(names, op.Name)
	}
	return strings.Join(names, ", ")
}
