//go:build go1.25

package schema

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"unsafe"
)

// Func is a builder: a function, or another piece of Go code, that makes values of a type.
type Func struct {
	Name string // the name in Go code of the package under test, if it has one
	// Template is the call as a Go expression, with _0, _1, ... for the arguments.
	Template string
	Named    bool     // Template compiles at package level; false for example for a function literal
	Pkg      string   // import path of the package that declares it
	Imports  []string // other packages that Template names
	Form     Form     // what the code is
	Args     []Arg
	Result   reflect.Type
	Via      Via // how Result is taken from what the code returns

	args reflect.Type // the struct of the arguments
	// call calls the function with the arguments in the struct that args points to,
	// and writes the result to dst. It returns false if the function rejected the
	// arguments.
	call func(dst, args unsafe.Pointer) bool
	// invert finds arguments with which the function returns the given value, if it can.
	invert  func(reflect.Value) ([]reflect.Value, bool)
	rejects rejection
	// hidden marks a builder that is never generated. It exists only because
	// examples and stored cases may contain its values. Hidden builders of a type
	// come before the others.
	hidden bool
	origin origin
}

// Via is how the value of a builder is taken from what its code returns.
type Via uint8

const (
	AsIs  Via = iota
	Deref     // the code returns a pointer, and the value is what the pointer points to
	Ref       // the code returns a value, and the pointer points to a new variable with this value
)

// rejection is how a builder rejects arguments.
type rejection uint8

const (
	neverRejects    rejection = iota
	rejectsSilently           // the printed call has only one result: it panics, for example
	rejectsByResult           // the call has a second result, an error or a bool
)

// origin is where a builder comes from.
type origin struct {
	source source
	// first is the builder from which this one was made, for another type. It is nil if this one
	// is the first. See Same.
	first *Func
}

// source is who has declared a builder. A builder that is found or asked for may panic, which rejects its arguments.
type source uint8

const (
	declaredSource source = iota // the user, without Partial, or allele
	foundSource                  // it was found in the source, or declared as Partial for all properties
	askedSource                  // it was declared as Partial for this property
)

// Arg is an argument of a Func.
type Arg struct {
	Type  reflect.Type
	Decls []Decl
}

// NewFunc wraps f for use as a constructor. The function f may return a value, or a
// value and an error or bool that reports whether it accepted its arguments. If it
// changes what its first argument points to, it may return nothing or only an error.
func NewFunc(f any) (*Func, error) {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.IsNil() {
		return nil, fmt.Errorf("Builder: want a function, got %T", f)
	}
	if changes(v.Type(), false) {
		return newMutator(v), nil
	}
	fallible, err := results(v.Type())
	if err != nil {
		return nil, err
	}
	m := wrap(v)
	m.Result = v.Type().Out(0)
	if fallible {
		m.rejects = rejectsByResult
	}
	m.call = reflectCall(v, m, fallible)
	if name := m.instance(runtime.FuncForPC(v.Pointer()).Name()); name != "" {
		m.rename(name)
	}
	return m, nil
}

// wrap records the name and the arguments of a function.
func wrap(v reflect.Value) *Func {
	t := v.Type()
	m := &Func{Form: Call{}}
	m.Name, m.Named = funcName(v)
	m.Pkg = funcPkg(v)
	fields := make([]reflect.StructField, t.NumIn())
	holes := make([]string, t.NumIn())
	for i := range fields {
		m.Args = append(m.Args, Arg{Type: t.In(i)})
		fields[i] = reflect.StructField{Name: fmt.Sprintf("A%d", i), Type: t.In(i)}
		holes[i] = fmt.Sprintf("_%d", i)
	}
	if t.IsVariadic() && len(holes) > 0 {
		holes[len(holes)-1] += "..."
	}
	m.Template = m.Name + "(" + strings.Join(holes, ", ") + ")"
	m.args = reflect.StructOf(fields)
	return m
}

// arguments returns the fields of the struct of arguments that args points to.
func (m *Func) arguments(args unsafe.Pointer) []reflect.Value {
	a := reflect.NewAt(m.args, args).Elem()
	in := make([]reflect.Value, a.NumField())
	for i := range in {
		in[i] = a.Field(i)
	}
	return in
}

// results checks the result types of a function.
func results(t reflect.Type) (fallible bool, err error) {
	switch {
	case t.NumOut() == 1:
		return false, nil
	case t.NumOut() == 2 && (t.Out(1) == reflect.TypeFor[error]() || t.Out(1).Kind() == reflect.Bool):
		return true, nil
	}
	return false, fmt.Errorf("Builder(%v): want one result, or a result and an error or bool, "+
		"or a method that changes its receiver and returns nothing", t)
}

// reflectCall returns Func.call for a function whose type is only known at run time.
// Such a call takes about 0.5 us, compared with 0.1 us for a function of a known
// type.
func reflectCall(f reflect.Value, m *Func, fallible bool) func(dst, args unsafe.Pointer) bool {
	call := f.Call
	if f.Type().IsVariadic() {
		call = f.CallSlice
	}
	return func(dst, args unsafe.Pointer) bool {
		out := call(m.arguments(args))
		if fallible && !succeeded(out[1]) {
			return false
		}
		reflect.NewAt(m.Result, dst).Elem().Set(out[0])
		return true
	}
}

func succeeded(v reflect.Value) bool {
	if v.Kind() == reflect.Bool {
		return v.Bool()
	}
	return v.IsNil()
}

// funcName returns the name of f in source. named is false for a function literal,
// which has no name that can be used elsewhere, and for a generic function, whose
// type arguments are not known at run time.
func funcName(f reflect.Value) (name string, named bool) {
	full := runtime.FuncForPC(f.Pointer()).Name()
	name = full[strings.LastIndexByte(full, '/')+1:] // pkg.F, pkg.T.M, pkg.(*T).M-fm, pkg.Test.func1
	name, generic := strings.CutSuffix(name, "[...]")
	_, inPkg, _ := strings.Cut(name, ".")
	inPkg, bound := strings.CutSuffix(inPkg, "-fm")
	named = !generic && !bound &&
		!strings.Contains(inPkg, "[") && !strings.Contains(inPkg, "func") && !strings.Contains(inPkg, "glob.")
	return strings.TrimSuffix(name, "-fm"), named
}

// funcPkg returns the import path of the package that declares f. The linker
// writes the dots in the last element of a path as %2e, to distinguish them from
// the dot before the name.
func funcPkg(f reflect.Value) string { return packageIn(runtime.FuncForPC(f.Pointer()).Name()) }

// packageIn returns the import path in the linker's name of a function.
func packageIn(full string) string {
	last := strings.LastIndexByte(full, '/') + 1
	name, _, _ := strings.Cut(full[last:], ".")
	return strings.ReplaceAll(full[:last]+name, "%2e", ".")
}

// Fallible reports whether the function has a second result, which reports whether
// it accepted its arguments. A call of such a function has two results, so it cannot
// be printed as a value.
func (m *Func) Fallible() bool { return m.rejects == rejectsByResult }

// Call calls the function with Go values as arguments. It is slow. ok is false if
// the function rejected the arguments.
func (m *Func) Call(args []reflect.Value) (v reflect.Value, ok bool) {
	in := reflect.New(m.args).Elem()
	for i, a := range args {
		in.Field(i).Set(a)
	}
	out := reflect.New(m.Result)
	ok = m.call(out.UnsafePointer(), in.Addr().UnsafePointer())
	return out.Elem(), ok
}
