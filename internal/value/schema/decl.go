//go:build go1.25

package schema

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"unsafe"
)

// Decl is one declaration about a type (Type), or a group of declarations for the
// part of the input at a path (Path, Sub). Each Decl declares one thing, and only
// the fields for it are set.
type Decl struct {
	Type reflect.Type // the type that the declaration is about; nil if Path is set

	Variants []reflect.Type
	Values   []reflect.Value
	Consts   []reflect.Value // constants of the type, which has other values as well
	Only     bool            // no other values are generated
	Loose    bool            // Consts are only operands of comparisons, so values that are not in Consts are as common
	Lo, Hi   reflect.Value
	Narrow   bool // values outside of Lo and Hi are valid but are not generated
	Make     *Func
	Whole    bool // Make is an encoder: it makes whole inputs, and no parts of them
	Match    *Match
	UTF8     bool // texts of the type are generated as valid UTF-8
	NonNil   bool // slices or maps of the type are not nil
	Finite   bool // floats of the type are neither NaN nor infinite
	Shape    *ShapeDecl
	Mix      *Mix
	Ignore   *Ignore

	Path  string
	Owner reflect.Type // the struct that the Path starts from, wherever it occurs
	Sub   []Decl

	Tier Tier
	Site Site // of Values and Consts: the call that declares them
}

// Tier is where a declaration was made. If builders of a type are declared in
// several tiers, only those of the highest tier are used.
type Tier uint8

// Declarations of the tiers below Local are made for many properties. So it is no
// error if one does not apply to a property.
const (
	Ready  Tier = iota // comes with allele
	Found              // found in the source
	Global             // for the whole test binary
	Local              // for one property
)

// String returns the declaration as the user wrote it.
func (d Decl) String() string {
	switch {
	case d.Owner != nil:
		return fmt.Sprintf("Field[%v](%q)", d.Owner, d.Path)
	case d.Path != "":
		return fmt.Sprintf("At(%q)", d.Path)
	case d.Shape != nil:
		return fmt.Sprintf("Pattern[%v](%q)", d.Type, d.Shape.Name)
	case d.Mix != nil:
		return fmt.Sprintf("%s[%v]", d.Mix.word(), d.Type)
	case d.Ignore != nil:
		return "Ignore"
	case d.Variants != nil:
		return fmt.Sprintf("Variants[%v]", d.Type)
	case d.Values != nil:
		return fmt.Sprintf("Values[%v]", d.Type)
	case d.Consts != nil:
		return fmt.Sprintf("Likely[%v]", d.Type)
	case d.Whole:
		return fmt.Sprintf("Through(%s)", d.Make.Name)
	case d.Make != nil:
		return fmt.Sprintf("Builder(%s)", d.Make.Name)
	case d.Match != nil:
		return fmt.Sprintf("Match[%v]", d.Type)
	case d.UTF8:
		return fmt.Sprintf("UTF-8 in %v", d.Type)
	case d.Finite:
		return fmt.Sprintf("finite %v", d.Type)
	case d.NonNil:
		return fmt.Sprintf("non-nil %v", d.Type)
	}
	return fmt.Sprintf("Range[%v]", d.Type)
}

// Func is a builder: a function that makes values of a type.
type Func struct {
	Name string // the name in Go code of the package under test, if it has one
	// Template is the call as a Go expression, with _0, _1, ... for the arguments.
	Template string
	Named    bool     // Template compiles at package level; false for example for a function literal
	Pkg      string   // import path of the package that declares it
	Imports  []string // other packages that Template names
	Args     []Arg
	Result   reflect.Type

	// call calls the function with the arguments in the struct that args points to,
	// and writes the result to dst. It returns false if the function rejected the
	// arguments.
	call func(dst, args unsafe.Pointer) bool
	// invert finds arguments with which the function returns the given value, if it can.
	invert   func(reflect.Value) ([]reflect.Value, bool)
	args     reflect.Type // the struct of the arguments
	fallible bool
	found    bool // it may reject or panic: it was found in the source, or declared as Partial
	asked    bool // declared as Partial for this property

	Mutates bool     // it changes what its first argument points to, and this argument is the result
	Deref   bool     // it returns a pointer, and the value is what the pointer points to
	Ref     bool     // it returns a value, and the pointer points to a new variable with this value
	Zero    bool     // it is not a function but the expression &T{}, with some fields
	Listed  Listed   // of a Var: where it is declared
	Var     bool     // it is not a function but the name of a variable or, of a declared value, of a function
	Filters bool     // it is not a function but a regular expression that some derivations do not match
	refuses bool     // it may reject its arguments, but the printed call has only one result
	shape   bool     // its argument is the value itself, made from its fields, see asGiven
	Literal bool     // it is not a function but a composite literal, see literal
	Fields  []string // of a Literal or a Zero: the fields that its arguments set
	Reads   string   // the method that sets the value from its argument, which is a text; see reading
	Learned bool     // its argument is a text of a form that it accepts, see learned
	Fixed   string   // of a Literal: a field that it sets to true

	// origin is the builder from which this one was made, for another type; see Same.
	origin *Func

	// hidden marks a builder that is never generated. It exists only because
	// examples and stored cases may contain its values. Hidden builders of a type
	// come before the others.
	hidden bool

	samples []string                         // of a builder that Reads: texts that it accepts; of the zero value: its text
	spell   func(args unsafe.Pointer) string // see spelling
	unspell func(text string) (args []reflect.Value, ok bool)
}

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
	m.Result, m.fallible = v.Type().Out(0), fallible
	m.call = reflectCall(v, m, fallible)
	if name := m.instance(runtime.FuncForPC(v.Pointer()).Name()); name != "" {
		m.rename(name)
	}
	return m, nil
}

// wrap records the name and the arguments of a function.
func wrap(v reflect.Value) *Func {
	t := v.Type()
	m := &Func{}
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
func (f *Func) Fallible() bool { return f.fallible }

// entry is everything that is declared about one type in one scope, that is, in one
// part of the input.
type entry struct {
	variants []reflect.Type
	values   []Listed
	consts   []Listed
	loose    bool // consts are only operands of comparisons, see Decl.Loose
	only     bool // no other values are generated
	limit    *Decl
	match    *Match
	utf8     bool
	finite   bool
	nonNil   bool
	makers   []*Func
	tier     Tier    // the tier that declared the makers
	found    []*Func // makers that were found in the source
	shapes   []*ShapeDecl
	mixes    []*Mix
	from     []*use
}

// use records whether a declaration applies to anything in the input.
type use struct {
	decl   Decl
	met    bool
	region *scope
	twice  bool // an earlier declaration declares the same thing for the same part of the input
}

// rule is what remains of a declared path after some of its fields were followed.
// The first field of the rest belongs to a type: that of the first struct (or
// interface variant) that has such a field. The rule applies to every value of this
// type in its scope: At("Tree.K") means the K of every node of Tree.
type rule struct {
	owner reflect.Type
	// everywhere marks a rule that starts from its owner, not from the input.
	everywhere bool

	path []string
	use  *use
}

// scope is a part of the input in which the same declarations apply.
type scope struct {
	types   map[reflect.Type]*entry
	rules   []*rule
	ignore  Ignore
	schemas map[reflect.Type]*Schema
	uses    *[]*use // all declarations of the derivation
	places  []place // the places in the scope, in the order in which they were derived

	message  bool   // it is the scope of a protobuf message
	messages *scope // of the messages in this scope
	filled   map[reflect.Type]*Schema
	pointees map[reflect.Type]*Schema
	kin      kin

	ready    bool                  // types of other packages get builders, see entry
	equipped map[reflect.Type]bool // the types that entry has seen
}

func newScope(uses *[]*use, decls []Decl) *scope {
	sc := &scope{types: map[reflect.Type]*entry{}, schemas: map[reflect.Type]*Schema{}, uses: uses, equipped: map[reflect.Type]bool{}}
	sc.add(decls)
	return sc
}

func (sc *scope) add(decls []Decl) {
	for _, d := range decls {
		if i := d.Ignore; i != nil {
			old := sc.ignore
			sc.ignore = Ignore{old.Builders || i.Builders, old.Patterns || i.Patterns, old.Constants || i.Constants, old.Tags || i.Tags}
			continue
		}
		if d.Whole { // see input
			continue
		}
		u := &use{decl: d, region: sc}
		*sc.uses = append(*sc.uses, u)
		if d.Path != "" {
			sc.rules = append(sc.rules, &rule{owner: d.Owner, everywhere: d.Owner != nil, path: splitPath(d.Path), use: u})
			continue
		}
		e := sc.types[d.Type]
		if e == nil {
			e = &entry{}
			sc.types[d.Type] = e
		}
		e.add(u)
	}
}

// add adds a declaration to what is declared about a type. It replaces an earlier
// declaration of the same kind, except that builders of one tier are collected.
func (e *entry) add(u *use) {
	d := u.decl
	for _, old := range e.from {
		if old.decl.Tier == d.Tier && d.Tier == Local && d.Make == nil && d.Mix == nil && !d.Loose &&
			old.decl.String() == d.String() && old.region == u.region {
			u.twice = true
		}
	}
	switch {
	case d.Variants != nil:
		e.variants = d.Variants
	case d.Values != nil:
		e.values = d.listed(d.Values)
	case d.Consts != nil && d.Type == errorType: // each package declares its own
		e.consts = append(slices.Clip(e.consts), d.listed(d.Consts)...)
	case d.Consts != nil && d.Loose && e.consts != nil:
		if e.loose { // otherwise consts has the constants of the type, which matter more
			e.consts = append(slices.Clip(e.consts), d.listed(d.Consts)...)
		}
	case d.Consts != nil:
		e.consts, e.loose, e.only = d.listed(d.Consts), d.Loose, d.Only
	case d.Shape != nil:
		shape := *d.Shape
		shape.tier = d.Tier
		e.shapes = append(e.shapesBeside(d), &shape)
	case d.Mix != nil:
		e.mixes = append(slices.Clip(e.mixes), d.Mix)
	case d.Make != nil && d.Tier == Found:
		same := func(m *Func) bool { return m.Name == d.Make.Name && m.Pkg == d.Make.Pkg }
		if i := slices.IndexFunc(e.found, same); i < 0 {
			e.found = append(slices.Clip(e.found), d.Make)
		} else if d.Make.asked {
			e.found = slices.Clone(e.found)
			e.found[i] = d.Make
		}
	case d.Make != nil:
		if d.Tier > e.tier {
			e.makers = nil
		}
		e.tier = d.Tier
		e.makers = append(slices.Clip(e.makers), d.Make)
	case d.Match != nil:
		e.match = d.Match
	case d.UTF8:
		e.utf8 = true
	case d.NonNil:
		e.nonNil = true
	case d.Finite:
		e.finite = true
	default:
		e.limit = &u.decl
	}
	e.from = append(slices.Clip(e.from), u)
}

// shapesBeside returns the patterns that remain when d declares another one. If a
// pattern is declared under the name of one that was found in the source, it
// replaces that one.
func (e *entry) shapesBeside(d Decl) (stay []*ShapeDecl) {
	for _, s := range e.shapes {
		if d.Tier == Found || s.tier != Found || s.Name != d.Shape.Name {
			stay = append(stay, s)
		}
	}
	return stay
}

// lookup returns what is declared about t, and marks these declarations as used.
func (sc *scope) lookup(t reflect.Type) entry {
	e := sc.types[t]
	if e == nil {
		return entry{}
	}
	for _, u := range e.from {
		u.met = true
	}
	return *e
}

// into returns the scope of a field or variant of owner. It is sc itself, unless a
// declared path leads into this field or variant.
func (sc *scope) into(owner reflect.Type, name string) *scope {
	sub := sc
	for _, r := range sc.rules {
		if r.path[0] != name || r.owner != nil && r.owner != owner || r.use.decl.Tier == Found && sc.ignore.Constants {
			continue
		}
		r.owner = owner
		if sub == sc {
			sub = sc.copy()
			for _, always := range sc.rules {
				if always.everywhere {
					sub.rules = append(sub.rules, always)
				}
			}
		}
		sub.follow(r)
	}
	return sub
}

// follow goes one field along a rule whose first field leads to this scope. At the
// end of the path, it adds the declarations of the rule to the scope; otherwise, a
// rule for the rest of the path.
func (sc *scope) follow(r *rule) {
	r.use.met = true
	if len(r.path) == 1 {
		sc.add(r.use.decl.Sub)
		return
	}
	u := &use{decl: r.use.decl}
	*sc.uses = append(*sc.uses, u)
	sc.rules = append(sc.rules, &rule{path: r.path[1:], use: u})
}

// Call calls the function with Go values as arguments. It is slow. ok is false if
// the function rejected the arguments.
func (f *Func) Call(args []reflect.Value) (v reflect.Value, ok bool) {
	in := reflect.New(f.args).Elem()
	for i, a := range args {
		in.Field(i).Set(a)
	}
	out := reflect.New(f.Result)
	ok = f.call(out.UnsafePointer(), in.Addr().UnsafePointer())
	return out.Elem(), ok
}
