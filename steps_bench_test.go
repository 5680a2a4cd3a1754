//go:build go1.25 && unix

package allele

import (
	"reflect"
	"syscall"
	"testing"

	"github.com/allele-go/allele/internal/value/steps"
)

// tank is a machine as people write it: an operation with a precondition, a reference and a *T, and a Check.
type tank struct{ sum int }

type tap struct{ shut bool }

func (m *tank) Open() *tap                   { return &tap{} }
func (m *tank) CanFill(x *tap) bool          { return !x.shut }
func (m *tank) Fill(t *T, x *tap, liter int) { m.sum += liter }
func (m *tank) Check(t *T) {
	if m.sum < 0 {
		t.Fatal("less than nothing")
	}
}

// The same calls by hand, as a loop over values of an interface type.
type tankOp interface {
	allowed(m *tank, all []*tap) bool
	run(t *T, m *tank, all *[]*tap)
}

type (
	openTap struct{}
	fillTap struct{ back, liter int }
)

func (openTap) allowed(*tank, []*tap) bool     { return true }
func (openTap) run(t *T, m *tank, all *[]*tap) { *all = append(*all, m.Open()) }
func (o fillTap) allowed(m *tank, a []*tap) bool {
	return len(a) > 0 && m.CanFill(a[len(a)-1-o.back%len(a)])
}
func (o fillTap) run(t *T, m *tank, a *[]*tap) { m.Fill(t, (*a)[len(*a)-1-o.back%len(*a)], o.liter) }

const benchCalls = 50

// cpu returns the CPU time of the process in nanoseconds: on a machine that others use too, the time of a clock means
// nothing.
func cpu() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano() + u.Stime.Nano())
}

func perCall(b *testing.B, run func()) {
	begin := cpu()
	for range b.N {
		run()
	}
	b.ReportMetric((cpu()-begin)/float64(b.N)/benchCalls, "cpu-ns/call")
}

// A call of Steps may take at most a microsecond more than one by hand.
func BenchmarkSteps(b *testing.B) {
	b.Run("steps", func(b *testing.B) {
		m := steps.Of(reflect.TypeFor[*tank](), reflect.TypeFor[*T]())
		none, args := struct{}{}, struct {
			Tap   steps.Ref
			Liter int
		}{1, 2}
		open, fill := m.Ops[1], m.Ops[0]
		m.Use(open, nil, reflect.TypeOf(none))
		m.Use(fill, []bool{true, false}, reflect.TypeOf(args))
		m.Keep()
		l := &steps.List{Machine: m}
		for i := range benchCalls {
			if i%10 == 0 {
				l.Calls = append(l.Calls, steps.Call{Op: open, Args: reflect.ValueOf(&none).UnsafePointer()})
			} else {
				l.Calls = append(l.Calls, steps.Call{Op: fill, Args: reflect.ValueOf(&args).UnsafePointer()})
			}
		}
		perCall(b, func() { l.Run(reflect.ValueOf(&T{}), reflect.ValueOf(&tank{})) })
	})
	b.Run("hand", func(b *testing.B) {
		var ops []tankOp
		for i := range benchCalls {
			if i%10 == 0 {
				ops = append(ops, openTap{})
			} else {
				ops = append(ops, fillTap{1, 2})
			}
		}
		perCall(b, func() {
			t, m, all := &T{}, &tank{}, []*tap(nil)
			for _, op := range ops {
				if op.allowed(m, all) {
					op.run(t, m, &all)
					m.Check(t)
				}
			}
		})
	})
}
