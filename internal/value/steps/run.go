//go:build go1.25

package steps

import (
	"reflect"
	"sync"
	"unsafe"
)

// Call is a call in a list. A Call without an operation is a call of Check.
type Call struct {
	Op   *Op
	Args unsafe.Pointer // the struct of its arguments
}

// Ref is the value of a reference. There are two forms: a number that counts back from the newest result among
// those that are allowed, and a result of a given call. Lists that are generated have the first form; in a list that
// people read, each reference names a call.
type Ref uint32

const (
	// BackMax is the largest number that is generated for a reference. A larger one means the oldest result in nearly
	// all lists.
	BackMax = 15

	named      = 1 << 31 // marks the second form
	resultBits = 4       // of the number of the result
)

// Named returns a reference to a result of a call, and whether there can be such a reference. Calls and results are
// counted from 0.
func Named(call, result int) (Ref, bool) {
	ok := result < 1<<resultBits && call < 1<<(31-resultBits)
	return named | Ref(call)<<resultBits | Ref(result), ok
}

// Call returns the call and the result that a reference names. ok is false if it counts back.
func (r Ref) Call() (call, result int, ok bool) {
	return int(r &^ named >> resultBits), int(r & (1<<resultBits - 1)), r&named != 0
}

// List is a list of calls.
type List struct {
	Machine  *Machine
	Calls    []Call
	Explicit bool // calls of Check are in the list; otherwise Check is called after every call
	Record   bool // note which calls are made

	mu    sync.Mutex
	notes Notes
	runs  int
}

// Notes is what the calls of a list turned out to be.
type Notes struct {
	Made     []Made
	Checking bool // the list ended during a call of Check
	// Unclear is set if the list was run several times and its references did not mean the same calls.
	Unclear bool
}

// Made is a call that was made.
type Made struct {
	Call int   // index in the list
	Refs []Ref // what its references meant: the calls are indexes in the list
}

// Made returns what the calls turned out to be.
func (l *List) Made() Notes {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.notes
	n.Made = append([]Made(nil), n.Made...)
	return n
}

// kept is a result that later calls may use.
type kept struct {
	call, result int
	value        reflect.Value
}

// run is one run of a list.
type run struct {
	list    *List
	t       reflect.Value
	machine reflect.Value
	failed  func() bool
	checks  func()          // calls Check; nil if that needs reflection
	pools   [][]kept        // oldest first
	in      []reflect.Value // the parameters of the current call
	chosen  []kept          // the values of its references
	buffer  []reflect.Value // of arguments
	nth     int             // how many runs the list had before this one
}

// CheckWith returns the function that calls Check(t) of a machine, or nil. Only the package that declares the type of t
// can call it without reflection, which takes 30 times as long, and Check is called after every call.
var CheckWith func(machine, t any) func()

// Run makes the calls on a machine, until one of them has failed the run that t belongs to. Goroutines may run the
// same list.
func (l *List) Run(t, machine reflect.Value) {
	if machine.Kind() == reflect.Interface && machine.IsNil() {
		panic("allele: Steps was called with a nil " + machine.Type().String())
	}
	r := run{list: l, t: t, machine: machine, failed: func() bool { return false }}
	if f, ok := t.Interface().(interface{ Failed() bool }); ok && !t.IsNil() {
		r.failed = f.Failed
	}
	if c := l.Machine.check; c != nil {
		switch v, plain := machine.Interface().(interface{ Check() }); {
		case plain:
			r.checks = v.Check
		case CheckWith != nil:
			r.checks = CheckWith(machine.Interface(), t.Interface())
		}
	}
	if n := len(l.Machine.pools); n > 0 {
		r.pools = make([][]kept, n)
	}
	if l.Record {
		l.mu.Lock()
		r.nth = l.runs
		l.runs++
		l.mu.Unlock()
	}
	for i := range l.Calls {
		if !r.step(i, &l.Calls[i]) {
			return
		}
	}
}

// step makes a call, unless it is not allowed. It reports whether to go on.
func (r *run) step(i int, c *Call) bool {
	op := c.Op
	if op == nil {
		return r.check(i, true)
	}
	if !r.prepare(op, c) {
		if r.list.Record && r.nth > 0 {
			r.skip(i)
		}
		op.skipped.Add(1)
		return true
	}
	op.called.Add(1)
	if r.list.Record {
		r.note(i)
	}
	out := r.call(&op.call, r.in)
	r.keep(op, i, out)
	return !r.failed() && (r.list.Explicit || r.check(i, false))
}

// check calls Check, after a call or in its place.
func (r *run) check(i int, listed bool) bool {
	m := r.list.Machine.check
	if m == nil {
		return true
	}
	if r.list.Record {
		if r.chosen = r.chosen[:0]; listed {
			r.note(i)
		}
		r.checking(true)
	}
	if r.checks == nil {
		r.call(m, nil)
	} else {
		r.checks()
	}
	if r.failed() {
		return false
	}
	if r.list.Record {
		r.checking(false)
	}
	return true
}

// call calls a method of the machine.
func (r *run) call(m *method, params []reflect.Value) []reflect.Value {
	args := r.buffer[:0]
	if m.takesT {
		args = append(args, r.t)
	}
	args = append(args, params[:m.params]...)
	r.buffer = args
	f := r.machine.Method(m.index)
	if m.spread {
		return f.CallSlice(args)
	}
	return f.Call(args)
}

// prepare sets the parameters of a call. It reports whether the call is allowed.
func (r *run) prepare(op *Op, c *Call) bool {
	r.in, r.chosen = r.in[:0], r.chosen[:0]
	for _, a := range op.cells {
		var v reflect.Value
		if a.typ != nil {
			v = reflect.NewAt(a.typ, unsafe.Add(c.Args, a.off)).Elem()
		}
		r.in = append(r.in, v)
	}
	for range op.refs {
		r.chosen = append(r.chosen, kept{})
	}
	return r.choose(op, c, 0)
}

// choose sets the references of a call from number k on, and reports whether the call is allowed then. A reference
// counts only results with which the call is allowed: otherwise most references to files would be to closed ones.
func (r *run) choose(op *Op, c *Call, k int) bool {
	if k == len(op.refs) {
		return r.allows(op)
	}
	p := op.refs[k]
	pool := r.pools[p.pool]
	number := *(*Ref)(unsafe.Add(c.Args, op.cells[p.param].off))
	set := func(i int) bool {
		r.chosen[k], r.in[p.param] = pool[i], pool[i].value
		return r.choose(op, c, k+1)
	}
	if call, result, ok := number.Call(); ok {
		for i := range pool {
			if pool[i].call == call && pool[i].result == result {
				return set(i)
			}
		}
		return false
	}
	var room [BackMax + 1]int
	found := room[:0] // the newest results that are allowed
	for i := len(pool) - 1; i >= 0; i-- {
		if !set(i) {
			continue
		}
		if found = append(found, i); len(found) > int(number) {
			return true
		}
	}
	return len(found) > 0 && set(found[int(number)%len(found)])
}

// allows reports whether the precondition of a call holds.
func (r *run) allows(op *Op) bool {
	switch {
	case op.can == nil:
		return true
	case op.quick != nil && op.can.params == 0:
		return op.quick(r.machine.UnsafePointer(), nil)
	case op.quick != nil:
		return op.quick(r.machine.UnsafePointer(), r.in[0].UnsafePointer())
	}
	return r.call(op.can, r.in)[0].Bool()
}

// keep adds the results of a call to the pools. Results beside an error are not used.
func (r *run) keep(op *Op, call int, out []reflect.Value) {
	if len(op.keeps) == 0 {
		return
	}
	last := out[len(out)-1]
	if last.Type() == reflect.TypeFor[error]() && !last.IsNil() {
		return
	}
	for _, k := range op.keeps {
		if v := out[k.result]; !v.IsNil() {
			r.pools[k.pool] = append(r.pools[k.pool], kept{call, k.result, v})
		}
	}
}

// note records that call i is made, before it is made.
func (r *run) note(i int) {
	m := Made{Call: i}
	for _, k := range r.chosen {
		named, ok := Named(k.call, k.result)
		if m.Refs = append(m.Refs, named); !ok {
			r.unclear()
		}
	}
	l := r.list
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.nth == 0 {
		l.notes.Made = append(l.notes.Made, m)
		return
	}
	l.notes.add(m)
}

// add records a call that a later run of the list makes.
func (n *Notes) add(m Made) {
	at := 0
	for at < len(n.Made) && n.Made[at].Call < m.Call {
		at++
	}
	if at < len(n.Made) && n.Made[at].Call == m.Call {
		for i, r := range n.Made[at].Refs {
			n.Unclear = n.Unclear || i < len(m.Refs) && m.Refs[i] != r
		}
		return
	}
	n.Unclear = true // the first run skipped it, and a program skips nothing
	n.Made = append(n.Made[:at], append([]Made{m}, n.Made[at:]...)...)
}

// skip records that a later run of the list does not make call i, which the first one may have made.
func (r *run) skip(i int) {
	l := r.list
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.notes.Made {
		l.notes.Unclear = l.notes.Unclear || m.Call == i
	}
}

func (r *run) unclear() {
	r.list.mu.Lock()
	r.list.notes.Unclear = true
	r.list.mu.Unlock()
}

func (r *run) checking(is bool) {
	r.list.mu.Lock()
	r.list.notes.Checking = is
	r.list.mu.Unlock()
}
