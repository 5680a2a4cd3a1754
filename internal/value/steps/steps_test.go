//go:build go1.25

package steps

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// T stands for the T of a run. Failing it ends the list.
type T struct{ failed bool }

func (t *T) Failed() bool { return t.failed }

// box is a machine that writes down what is done with it.
type box struct {
	log  []string
	made int
}

type item struct {
	n    int
	shut bool
}

func (b *box) say(format string, args ...any) { b.log = append(b.log, fmt.Sprintf(format, args...)) }

func (b *box) New() *item {
	b.made++
	b.say("new %d", b.made)
	return &item{n: b.made}
}

func (b *box) Lookup(ok bool) (*item, error) {
	b.made++
	if !ok {
		return &item{n: b.made}, errors.New("there is none")
	}
	return nil, nil
}

func (b *box) CanUse(i *item) bool      { return !i.shut }
func (b *box) Use(t *T, i *item, x int) { b.say("use %d %d", i.n, x) }
func (b *box) CanShut(i *item) bool     { return !i.shut }
func (b *box) Shut(i *item)             { i.shut = true; b.say("shut %d", i.n) }
func (b *box) CanJoin(x, y *item) bool  { return x.n < y.n }
func (b *box) Join(x, y *item)          { b.say("join %d %d", x.n, y.n) }
func (b *box) Fail(t *T)                { t.failed = true; b.say("fail") }
func (b *box) Sum(xs ...int)            { b.say("sum %v", xs) }
func (b *box) Cancel()                  { b.say("cancel") }
func (b *box) Check()                   { b.say(";") }

// machine returns the machine of a type, with its references set.
func machine(v any) *Machine {
	m := Of(reflect.TypeOf(v), reflect.TypeFor[*T]())
	for _, op := range m.Ops {
		isRef := make([]bool, len(op.Params))
		for i, t := range op.Params {
			isRef[i] = MayRefer(t) && m.Returns(t, func(*Op) bool { return true })
		}
		m.Use(op, isRef, argsOf(op, isRef))
	}
	m.Keep()
	return m
}

func argsOf(op *Op, isRef []bool) reflect.Type {
	var fields []reflect.StructField
	for i, t := range op.Params {
		if isRef[i] {
			t = reflect.TypeFor[Ref]()
		}
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("A%d", i), Type: t})
	}
	return reflect.StructOf(fields)
}

// call makes a call with these arguments. Those of references have the type Ref.
func call(m *Machine, name string, args ...any) Call {
	i := slices.IndexFunc(m.Ops, func(op *Op) bool { return op.Name == name })
	if i < 0 {
		return Call{}
	}
	op := m.Ops[i]
	isRef := make([]bool, len(op.Params))
	for i := range isRef {
		isRef[i] = op.IsRef(i)
	}
	v := reflect.New(argsOf(op, isRef))
	for i, a := range args {
		v.Elem().Field(i).Set(reflect.ValueOf(a))
	}
	return Call{op, v.UnsafePointer()}
}

// does returns what a list does with a box, in one line.
func does(l *List) string {
	b := &box{}
	l.Run(reflect.ValueOf(&T{}), reflect.ValueOf(b))
	return strings.Join(b.log, " ")
}

func TestRun(t *testing.T) {
	m := machine(&box{})
	c := func(name string, args ...any) Call { return call(m, name, args...) }
	first := func() Ref { r, _ := Named(0, 0); return r }()
	for _, test := range []struct {
		name  string
		calls []Call
		want  string
	}{
		{"Check is called after every call", []Call{c("New"), c("New")}, "new 1 ; new 2 ;"},
		{"0 is the newest result, 1 the one before it", []Call{c("New"), c("New"), c("Use", Ref(0), 5), c("Use", Ref(1), 6)},
			"new 1 ; new 2 ; use 2 5 ; use 1 6 ;"},
		{"results with which a call is not allowed do not count", []Call{c("New"), c("New"), c("Shut", Ref(0)), c("Use", Ref(0), 5)},
			"new 1 ; new 2 ; shut 2 ; use 1 5 ;"},
		{"a number that is too large begins again with the newest", []Call{c("New"), c("New"), c("Use", Ref(4), 5)}, "new 1 ; new 2 ; use 2 5 ;"},
		{"without a result the call is skipped", []Call{c("Use", Ref(0), 5), c("New")}, "new 1 ;"},
		{"and so is one that is not allowed", []Call{c("New"), c("Shut", Ref(0)), c("Use", Ref(0), 5)}, "new 1 ; shut 1 ;"},
		{"nil results are not used", []Call{c("Lookup", true), c("Use", Ref(0), 5)}, ";"},
		{"nor are those beside an error", []Call{c("Lookup", false), c("Use", Ref(0), 5)}, ";"},
		{"two references that fit together", []Call{c("New"), c("New"), c("Join", Ref(0), Ref(0))}, "new 1 ; new 2 ; join 1 2 ;"},
		{"a reference may name a call", []Call{c("New"), c("New"), c("Use", first, 5)}, "new 1 ; new 2 ; use 1 5 ;"},
		{"one that made no result is skipped", []Call{c("Sum", []int{1}), c("Use", first, 5)}, "sum [1] ;"},
		{"the list ends when the run has failed", []Call{c("Fail"), c("New")}, "fail"},
		{"Cancel is no precondition", []Call{c("Cancel")}, "cancel ;"},
	} {
		if got := does(&List{Machine: m, Calls: test.calls}); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
		var before []quick
		for _, op := range m.Ops { // and all preconditions by reflection
			before = append(before, op.quick)
			op.quick = nil
		}
		got := does(&List{Machine: m, Calls: test.calls})
		for i, op := range m.Ops {
			op.quick = before[i]
		}
		if got != test.want {
			t.Errorf("%s: got %s by reflection, want %s", test.name, got, test.want)
		}
	}
}

// In a program, calls of Check are elements.
func TestExplicit(t *testing.T) {
	m := machine(&box{})
	l := &List{Machine: m, Calls: []Call{call(m, "New"), call(m, "New"), {}}, Explicit: true}
	if got := does(l); got != "new 1 new 2 ;" {
		t.Error(got)
	}
}

// Notes say which calls were made, and which results references meant.
func TestNotes(t *testing.T) {
	m := machine(&box{})
	l := &List{Machine: m, Record: true, Calls: []Call{call(m, "Use", Ref(0), 1), call(m, "New"), call(m, "New"), call(m, "Use", Ref(1), 2)}}
	does(l)
	var got []string
	for _, c := range l.Made().Made {
		got = append(got, fmt.Sprint(c.Call, refs(c.Refs)))
	}
	if want := "1 [] 2 [] 3 [1.0]"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if does(l); l.Made().Unclear {
		t.Error("the second run made the same calls")
	}
}

func refs(all []Ref) (text []string) {
	for _, r := range all {
		c, i, _ := r.Call()
		text = append(text, fmt.Sprintf("%d.%d", c, i))
	}
	return text
}

// A reference is resolved as by the slow way: list all allowed results, the newest first, and count.
func TestRefsLikeNaive(t *testing.T) {
	m := machine(&box{})
	for bits := range 1 << 6 { // which of six items are shut
		for number := range Ref(BackMax + 1) {
			var calls []Call
			for range 6 {
				calls = append(calls, call(m, "New"))
			}
			var open []int
			for i := range 6 {
				if bits>>i&1 == 1 {
					named, _ := Named(i, 0)
					calls = append(calls, call(m, "Shut", named))
				} else {
					open = append(open, i+1)
				}
			}
			slices.Reverse(open)
			want := ""
			if len(open) > 0 {
				want = fmt.Sprintf("use %d 7", open[int(number)%len(open)])
			}
			got := does(&List{Machine: m, Calls: append(calls, call(m, "Use", number, 7))})
			if want == "" && strings.Contains(got, "use") || !strings.Contains(got, want) {
				t.Fatalf("shut %06b, reference %d: got %s, want %s", bits, number, got, want)
			}
		}
	}
}

type wrong struct{}

func (wrong) CanFly() bool            { return true }
func (wrong) Go(x int)                {}
func (wrong) CanGo(x string) bool     { return true }
func (wrong) Run(x int)               {}
func (wrong) CanRun() int             { return 0 }
func (wrong) After(x int, t *T)       {}
func (wrong) Check(x int)             {}
func (wrong) CanStop(t *T) bool       { return true }
func (wrong) Stop()                   {}
func (wrong) CanDo(x int, y int) bool { return true }
func (wrong) Do(x int)                {}

func TestWrongMethods(t *testing.T) {
	var got []string
	for _, op := range Of(reflect.TypeFor[wrong](), reflect.TypeFor[*T]()).Ops {
		got = append(got, op.Name+": "+op.Wrong)
	}
	want := []string{
		"After: *steps.T must be the first parameter of After",
		"CanFly: CanFly decides whether Fly is allowed, but there is no method Fly; rename it",
		"Check: Check is called after every call, so it must be func(*steps.T) or func(); rename it",
		"Do: CanDo is func(int, int) bool, but must be func(int) bool, or take only the first of these parameters",
		"Go: CanGo is func(string) bool, but must be func(int) bool, or take only the first of these parameters",
		"Run: CanRun is func() int, but must be func(int) bool, or take only the first of these parameters",
		"Stop: CanStop is func(*allele.T) bool, but must be func() bool, or take only the first of these parameters",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

type inner struct{}

func (inner) Len() int { return 0 }
func (*inner) Put()    {}
func (inner) Own()     {}

type outer struct{ *inner }

func (outer) Own()   {}
func (*outer) Also() {}

type holder struct{ in *inner }

func (n *holder) Put() { n.in.Put() }

// Methods of embedded types are marked, but not those that the machine declares itself.
func TestPromoted(t *testing.T) {
	promotedOf := func(typ reflect.Type) (text string) {
		for _, op := range Of(typ, reflect.TypeFor[*T]()).Ops {
			text += fmt.Sprintf("%s:%s ", op.Name, op.Promoted)
		}
		return text
	}
	if got, want := promotedOf(reflect.TypeFor[*outer]()), "Also: Len:*steps.inner Own: Put:*steps.inner "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := promotedOf(reflect.TypeFor[*holder]()), "Put: "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

type adder interface{ Add(x int) }

type sum struct{ n int }

func (s *sum) Add(x int) { s.n += x }

// The machine may be an interface: its methods are the operations of all types that implement it.
func TestInterfaceMachine(t *testing.T) {
	m := Of(reflect.TypeFor[adder](), reflect.TypeFor[*T]())
	args := reflect.TypeFor[struct{ A0 int }]()
	m.Use(m.Ops[0], []bool{false}, args)
	x := 3
	var s adder = &sum{}
	l := &List{Machine: m, Calls: []Call{{m.Ops[0], unsafe.Pointer(&x)}, {m.Ops[0], unsafe.Pointer(&x)}}}
	l.Run(reflect.ValueOf(&T{}), reflect.ValueOf(&s).Elem())
	if s.(*sum).n != 6 {
		t.Errorf("%+v", s)
	}
	defer func() {
		if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "nil steps.adder") {
			t.Errorf("a nil machine: %v", r)
		}
	}()
	s = nil
	l.Run(reflect.ValueOf(&T{}), reflect.ValueOf(&s).Elem())
}

// BenchmarkCall is a call with a precondition, a reference and a Check.
func BenchmarkCall(b *testing.B) {
	m := machine(&counter{})
	calls := []Call{call(m, "New")}
	for range 50 {
		calls = append(calls, call(m, "Use", Ref(0), 1))
	}
	l := &List{Machine: m, Calls: calls}
	for range b.N {
		l.Run(reflect.ValueOf(&T{}), reflect.ValueOf(&counter{}))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/51, "ns/call")
}

type counter struct{ n int }

func (c *counter) New() *item               { return &item{} }
func (c *counter) CanUse(i *item) bool      { return !i.shut }
func (c *counter) Use(t *T, i *item, x int) { c.n += x }
func (c *counter) Check(t *T)               {}
