//go:build go1.25

// Package steps makes the calls of a list of operations on a machine.
//
// A machine is a value of any type. Its operations are its exported methods, and an input is a list
// of calls of them. A call may need a result of an earlier call, such as an open file, and it may be
// forbidden at times. Both are decided when the call is made and not when the list is generated:
// a reference is a number that counts back from the newest result, and a call that is not allowed is
// skipped. So every list is a valid input, also one from which shrinking has removed calls.
//
//	m := steps.Of(reflect.TypeFor[*store](), reflect.TypeFor[*T]())
//	m.Ops[0].Use(refs, results)                // schema: which parameters are references
//	l := &steps.List{Machine: m, Calls: calls} // schema: the value of a term
//	l.Run(t, store)                            // the property
//	l.Made()                                   // which calls were made, and what references meant
package steps

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
	"unsafe"
)

// Machine describes a type whose methods are operations.
type Machine struct {
	Type reflect.Type
	Ops  []*Op // by name; some may be wrong, see Op.Wrong

	check *method // called after every call; nil if there is none
	pools []reflect.Type
}

// method is a method of a machine, as the interpreter calls it.
type method struct {
	index  int
	takesT bool // the first parameter is the *T of the run
	spread bool // it is variadic
	params int  // without the *T
}

// Op is an operation: an exported method of a machine.
type Op struct {
	Name     string
	Params   []reflect.Type // without the *T
	Results  []reflect.Type
	Variadic bool
	TakesT   bool
	Promoted string // the embedded type that the method comes from, if the machine got it by embedding
	// Wrong says why the method cannot be an operation, or is empty. It matters unless the user excludes the method.
	Wrong string

	call  method
	can   *method   // its precondition; nil if it is always allowed
	quick quick     // the same without reflection; nil if its parameters are not of the usual kinds
	refs  []ref     // its parameters that are references
	keeps []keeping // its results that later calls may use
	cells []cell    // where its other parameters are in the struct of arguments

	called, skipped atomic.Int64
}

// ref is a parameter that is a reference, and the pool that its values are taken from.
type ref struct{ param, pool int }

// keeping is a result that is added to a pool.
type keeping struct{ result, pool int }

// cell is a parameter in the struct of arguments.
type cell struct {
	param int
	typ   reflect.Type
	off   uintptr
}

// Of returns the operations of a machine. t is the type of the first parameter that
// methods may have in addition.
func Of(machine, t reflect.Type) *Machine {
	m := &Machine{Type: machine}
	methods := map[string]reflect.Method{}
	for i := range machine.NumMethod() {
		if f := machine.Method(i); f.IsExported() {
			methods[f.Name] = f
		}
	}
	for i := range machine.NumMethod() {
		f := machine.Method(i)
		if !f.IsExported() {
			continue
		}
		op := m.op(f, t)
		of, guards := guarded(f.Name)
		_, exists := methods[of]
		switch {
		case f.Name == "Check" && op.isCheck():
			m.check = &op.call
			continue
		case f.Name == "Check":
			op.Wrong = fmt.Sprintf("Check is called after every call, so it must be func(%v) or func(); rename it", t)
		case guards && exists:
			continue // read together with the method that it guards
		case guards:
			op.Wrong = fmt.Sprintf("%s decides whether %s is allowed, but there is no method %[2]s; rename it", f.Name, of)
		}
		if can, ok := methods["Can"+f.Name]; ok && op.Wrong == "" {
			op.guard(can, m.op(can, t))
		}
		m.Ops = append(m.Ops, op)
	}
	return m
}

// guarded returns the method that a method named CanX decides about.
func guarded(name string) (of string, ok bool) {
	of, ok = strings.CutPrefix(name, "Can")
	first, _ := utf8.DecodeRuneInString(of)
	return of, ok && unicode.IsUpper(first)
}

// op reads the parameters and results of a method.
func (m *Machine) op(f reflect.Method, t reflect.Type) *Op {
	op := &Op{Name: f.Name, Variadic: f.Type.IsVariadic(), Promoted: promoted(m.Type, f)}
	first := 1
	if m.Type.Kind() == reflect.Interface {
		first = 0 // the type of such a method has no receiver
	}
	if f.Type.NumIn() > first && f.Type.In(first) == t {
		op.TakesT = true
		first++
	}
	for i := first; i < f.Type.NumIn(); i++ {
		in := f.Type.In(i)
		if op.Params = append(op.Params, in); in == t {
			op.Wrong = fmt.Sprintf("%v must be the first parameter of %s", t, f.Name)
		}
	}
	for i := range f.Type.NumOut() {
		op.Results = append(op.Results, f.Type.Out(i))
	}
	op.call = method{index: f.Index, takesT: op.TakesT, spread: op.Variadic, params: len(op.Params)}
	return op
}

func (op *Op) isCheck() bool { return len(op.Params) == 0 && len(op.Results) == 0 && op.Wrong == "" }

// guard sets the precondition of an operation.
func (op *Op) guard(f reflect.Method, can *Op) {
	fits := len(can.Params) <= len(op.Params) && !can.TakesT
	for i := 0; fits && i < len(can.Params); i++ {
		fits = can.Params[i] == op.Params[i]
	}
	if !fits || len(can.Results) != 1 || can.Results[0].Kind() != reflect.Bool {
		op.Wrong = fmt.Sprintf("%s is %s, but must be %s, or take only the first of these parameters", f.Name,
			signature(can.Params, can.Results, can.TakesT), signature(op.Params, []reflect.Type{reflect.TypeFor[bool]()}, false))
		return
	}
	op.can, op.quick = &can.call, quickly(f, can)
}

// quick calls a precondition that has no parameter, or one pointer. A list calls it for all results that a reference
// may mean, and a call by reflection takes 100 times as long.
type quick func(machine, param unsafe.Pointer) bool

// quickly returns the quick form of a method of a pointer, or nil. All pointers are passed in the same way, so a func(*A, *B) bool
// may be called as a func(unsafe.Pointer, unsafe.Pointer) bool. TestRun compares the results with those of reflection.
func quickly(f reflect.Method, can *Op) quick {
	t := f.Type
	if !f.Func.IsValid() || t.In(0).Kind() != reflect.Pointer || can.Variadic {
		return nil
	}
	p := reflect.New(t)
	p.Elem().Set(f.Func)
	switch {
	case len(can.Params) == 0:
		g := *(*func(unsafe.Pointer) bool)(p.UnsafePointer())
		return func(machine, _ unsafe.Pointer) bool { return g(machine) }
	case len(can.Params) == 1 && can.Params[0].Kind() == reflect.Pointer:
		return *(*func(unsafe.Pointer, unsafe.Pointer) bool)(p.UnsafePointer())
	}
	return nil
}

func signature(params, results []reflect.Type, takesT bool) string {
	var in []string
	if takesT {
		in = append(in, "*allele.T")
	}
	for _, p := range params {
		in = append(in, p.String())
	}
	out := ""
	for i, r := range results {
		if i > 0 {
			out += ","
		}
		out += " " + r.String()
	}
	if len(results) > 1 {
		out = " (" + out[1:] + ")"
	}
	return "func(" + strings.Join(in, ", ") + ")" + out
}

// promoted returns the embedded type that a machine has a method from, or "". A compiled method does not say that
// it was promoted, except by the file that it is in; a method of the same name in an embedded type is the other sign.
func promoted(machine reflect.Type, f reflect.Method) string {
	own := machine
	if own.Kind() == reflect.Pointer {
		own = own.Elem()
	}
	if own.Kind() != reflect.Struct {
		return ""
	}
	for _, t := range []reflect.Type{machine, own} {
		if g, ok := t.MethodByName(f.Name); ok && !generated(g) {
			return ""
		}
	}
	for i := range own.NumField() {
		e := own.Field(i)
		if !e.Anonymous {
			continue
		}
		t := e.Type
		if t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
			t = reflect.PointerTo(t)
		}
		if _, ok := t.MethodByName(f.Name); ok {
			return e.Type.String()
		}
	}
	return ""
}

// generated reports whether the compiler wrote a method. It writes wrappers of all methods of generic types, too.
func generated(f reflect.Method) bool {
	pc := runtime.FuncForPC(f.Func.Pointer())
	file, _ := pc.FileLine(pc.Entry())
	return file == "<autogenerated>"
}

// MayRefer reports whether values of a type can be results that later calls use. An error cannot: it reports
// that the other results are not to be used.
func MayRefer(t reflect.Type) bool {
	k := t.Kind()
	return (k == reflect.Pointer || k == reflect.Interface || k == reflect.Chan) && t != reflect.TypeFor[error]()
}

// Returns reports whether some operation returns a value of this type.
func (m *Machine) Returns(t reflect.Type, wanted func(*Op) bool) bool {
	for _, op := range m.Ops {
		for _, r := range op.Results {
			if r == t && wanted(op) {
				return true
			}
		}
	}
	return false
}

// Use tells an operation which of its parameters are references, and where the other ones are in the struct of
// arguments, args. The field of a reference has the type Ref.
func (m *Machine) Use(op *Op, isRef []bool, args reflect.Type) {
	op.refs, op.cells = nil, nil
	for i, t := range op.Params {
		off := args.Field(i).Offset
		if isRef[i] {
			op.refs = append(op.refs, ref{i, m.pool(t)})
			op.cells = append(op.cells, cell{param: i, off: off})
		} else {
			op.cells = append(op.cells, cell{i, t, off})
		}
	}
}

// Keep tells the operations which results later calls may use. It is called after Use of all operations.
func (m *Machine) Keep() {
	for _, op := range m.Ops {
		op.keeps = nil
		for i, t := range op.Results {
			for p, of := range m.pools {
				if of == t {
					op.keeps = append(op.keeps, keeping{i, p})
				}
			}
		}
	}
}

func (m *Machine) pool(t reflect.Type) int {
	for i, of := range m.pools {
		if of == t {
			return i
		}
	}
	m.pools = append(m.pools, t)
	return len(m.pools) - 1
}

// IsRef reports whether parameter i is a reference.
func (op *Op) IsRef(i int) bool {
	for _, r := range op.refs {
		if r.param == i {
			return true
		}
	}
	return false
}

// Needs returns the types of the results that a call needs.
func (m *Machine) Needs(op *Op) (types []reflect.Type) {
	for _, r := range op.refs {
		types = append(types, m.pools[r.pool])
	}
	return types
}

// HasCheck reports whether the machine has a method Check, and whether it takes the *T of the run.
func (m *Machine) HasCheck() (has, takesT bool) {
	return m.check != nil, m.check != nil && m.check.takesT
}

// Counts returns how many calls of an operation were made, and how many were skipped.
func (op *Op) Counts() (called, skipped int64) { return op.called.Load(), op.skipped.Load() }

// IsGuarded reports whether the machine has a method that decides whether the operation is allowed.
func (op *Op) IsGuarded() bool { return op.can != nil }
