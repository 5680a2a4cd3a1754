//go:build go1.25

package allele

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// tape is a machine with many kinds of methods. It does nothing but write down calls.
type tape struct {
	lines []string
	bad   string // the operation that fails
	how   func(t *T)
}

type cell struct{ n int }

func (m *tape) say(t *T, op string, args ...any) {
	m.lines = append(m.lines, op+fmt.Sprint(args...))
	if op == m.bad {
		m.how(t)
	}
}

func (m *tape) None(t *T)                           { m.say(t, "None") }
func (m *tape) Word(t *T, s string, n int8)         { m.say(t, "Word", s, n) }
func (m *tape) Many(t *T, xs ...uint8)              { m.say(t, "Many", xs) }
func (m *tape) Pair(t *T) (*cell, fmt.Stringer)     { return &cell{len(m.lines)}, tag("w") }
func (m *tape) Use(t *T, c *cell, s fmt.Stringer)   { m.say(t, "Use", c.n, s) }
func (m *tape) Put(t *T, in struct{ Key, Val int }) { m.say(t, "Put", in.Key, in.Val) }
func (m *tape) Open(t *T, ok bool) (*cell, error) {
	if !ok {
		return &cell{-1}, os.ErrNotExist
	}
	return nil, nil
}

type tag string

func (w tag) String() string { return string(w) }

// failing is a Check of a machine of which one operation fails.
func failing(bad string, how func(t *T), opts ...Option) func(t testing.TB) {
	return func(t testing.TB) {
		Check(t, func(t *T, steps Steps[*tape]) { steps(t, &tape{bad: bad, how: how}) }, append(opts, Seed(1))...)
	}
}

// A failure in an operation, however it fails, is shrunk to that call, and what it needs.
func TestStepsEndings(t *testing.T) {
	for _, test := range []struct {
		bad  string
		how  func(t *T)
		want string
	}{
		{"None", func(t *T) { t.Fatal("no") }, "m.None(t)\n"},
		{"Word", func(t *T) { t.Error("no") }, "m.Word(t, \"\", 0)\n"},
		{"Many", func(t *T) { panic("no") }, "m.Many(t)\n"},
		{"Put", func(t *T) { var p *cell; p.n++ }, "m.Put(\n"},
		{"Use", func(t *T) { t.FailNow() }, "c1, s1 := m.Pair(t)\n            \tm.Use(t, c1, s1)\n"},
	} {
		r := record(t, "TestX", failing(test.bad, test.how))
		text := strings.ReplaceAll(r.text(), "\t\t", "\t")
		if !r.failed || !strings.Contains(text, "m *tape) {") || strings.Count(text, "m.") < 1 {
			t.Errorf("%s:\n%s", test.bad, text)
		}
		for _, line := range strings.Split(strings.TrimSpace(test.want), "\n") {
			if !strings.Contains(text, strings.TrimSpace(line)) {
				t.Errorf("%s: want %s in\n%s", test.bad, line, text)
			}
		}
		calls := strings.Count(text, " m.") + strings.Count(text, "\tm.")
		if want := strings.Count(test.want, "m."); calls != want {
			t.Errorf("%s: %d calls, want %d:\n%s", test.bad, calls, want, text)
		}
	}
}

// Assume and Skip in an operation discard the run, as elsewhere.
func TestStepsDiscard(t *testing.T) {
	t.Setenv("ALLELE_V", "1")
	r := record(t, "TestX", failing("None", func(t *T) { t.Assume(false) }))
	if r.failed || !strings.Contains(r.text(), "t.Assume(false)   discarded") {
		t.Error(r.text())
	}
	r = record(t, "TestX", failing("None", func(t *T) { t.Skip("no") }, AllowVacuous()))
	if r.failed {
		t.Error(r.text())
	}
}

// The stored case is the program. It is read again, and fails in the same way.
func TestStepsCase(t *testing.T) {
	inEmptyPackage(t)
	check := failing("Use", func(t *T) { t.Fatal("no") })
	recordHere(t, "TestX", check)
	files, _ := filepath.Glob("testdata/allele/TestX/*.case")
	if len(files) != 1 {
		t.Fatal(files)
	}
	r := recordHere(t, "TestX", check)
	if text := r.text(); !strings.Contains(text, "from     "+filepath.ToSlash(files[0])) || !strings.Contains(text, "m.Use(t, c1, s1)") {
		t.Error(text)
	}
}

// Cases that people have written or changed, or whose methods are gone, are run or reported. They never crash.
func TestStepsCasesByHand(t *testing.T) {
	const program = "allele.Steps[*tape](func(t *allele.T, m *tape) {\n%s\n})"
	for _, test := range []struct{ text, want string }{
		{"allele.Steps[*tape]{Word(\"a\", 1), Pair(), Use(back(0), back(7)), None()}", "no"},
		{fmt.Sprintf(program, "m.None(t)"), "no"},
		{fmt.Sprintf(program, "m.None()"), "no"},
		{fmt.Sprintf(program, "c1, _ := m.Pair(t)\nm.Many(t, 1, 2)\nm.None(t)"), "no"},
		{"func(t *allele.T, m *tape) { m.Many(t); m.None(t) }", "no"},
		{fmt.Sprintf(program, "m.Gone(t)"), "*allele.tape has no operation Gone"},
		{fmt.Sprintf(program, "m.Use(t, c1, s1)"), "c1 is not the result of an earlier call"},
		{fmt.Sprintf(program, "m.Word(t)"), "Word has 2 parameters, not 0"},
		{fmt.Sprintf(program, "m.Word(t, 1, 2)"), "cannot use 1 as a string"},
		{fmt.Sprintf(program, "x := 5"), "is not a call of a method"},
		{fmt.Sprintf(program, "for { }"), "a case has only calls of methods"},
		{"allele.Steps[*tape]{Use(back(99999999999), result(5, 5)), None()}", "is not the result of an earlier call"},
		{"allele.Steps[*tape]{Use(result(77, 3), back(1)), None()}", "no"},
		{"allele.Steps[*tape]{None}", "is not a call of a method"},
		{"nil", "nil is not a list of calls"},
		{"5", "is not a list of calls"},
	} {
		inEmptyPackage(t)
		file := "testdata/allele/TestX/a.case"
		os.MkdirAll(filepath.Dir(file), 0o777)
		os.WriteFile(file, []byte("// allele case 1\n// test TestX\n\n"+test.text+"\n"), 0o666)
		r := recordHere(t, "TestX", failing("None", func(t *T) { t.Fatal("no") }, Tests(0), AllowVacuous()))
		if !strings.Contains(r.text(), test.want) {
			t.Errorf("%s: want %q in\n%s", test.text, test.want, r.text())
		}
	}
}

type orphan struct{}

func (orphan) CanFly() bool { return true }
func (orphan) Walk()        {}

type needy struct{}

func (needy) Recv(c chan int) {}
func (needy) Walk()           {}

type circle struct{}

func (circle) Next(c *cell) *cell { return c }
func (circle) Walk()              {}

type merging struct{ n int }

func (*merging) Merge(o *merging) {}
func (*merging) Walk()            {}

type empty struct{}

func (empty) Check() {}

func refused[M any](opts ...Option) func(t testing.TB) {
	return func(t testing.TB) {
		Check(t, func(t *T, steps Steps[M]) { var m M; steps(t, m) }, opts...)
	}
}

// What is wrong with a machine is reported before the first run, with the way out.
func TestStepsRefused(t *testing.T) {
	for _, test := range []struct {
		check func(t testing.TB)
		want  []string
	}{
		{refused[orphan](), []string{"there is no method Fly", `allele.Without[Steps[orphan]]("CanFly")`}},
		{refused[needy](), []string{"Recv needs a chan int, but no method returns one", `Without[Steps[needy]]("Recv")`}},
		{refused[circle](), []string{"Next needs a result of an earlier call", `Without[Steps[circle]]("Next")`}},
		{refused[*merging](), []string{"Merge takes another machine", `("Merge")`}},
		{refused[empty](), []string{"no exported methods besides Check"}},
		{refused[*tape](Without[Steps[*tape]]("Nine")), []string{"no constructor is named Nine", "Many, None, Open"}},
		{refused[*tape](Only[Steps[*tape]]("Use")), []string{"Use needs a result of an earlier call"}},
		{refused[*tape](At("Nine", Range(0, 3))), []string{`At("Nine")`, "Many, None, Open"}},
		{refused[*tape](Example(Steps[*tape](func(t *T, m *tape) {}))), []string{"it cannot be seen which calls it makes"}},
	} {
		r := record(t, "TestX", test.check)
		if !r.failed {
			t.Errorf("want %q", test.want)
		}
		for _, want := range test.want {
			if !strings.Contains(r.text(), want) {
				t.Errorf("want %q in\n%s", want, r.text())
			}
		}
	}
	for _, fine := range []func(t testing.TB){
		refused[orphan](Without[Steps[orphan]]("CanFly")), refused[needy](Without[Steps[needy]]("Recv")),
		refused[circle](Only[Steps[circle]]("Walk")), refused[needy](Values(make(chan int))),
	} {
		if r := record(t, "TestX", fine); r.failed {
			t.Error(r.text())
		}
	}
}

// Options are about a list of calls as about an interface, and paths name operations.
func TestStepsOptions(t *testing.T) {
	seen := map[string]bool{}
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in struct{ Steps Steps[*tape] }) {
			m := &tape{}
			in.Steps(t, m)
			if len(m.lines) > 7 {
				t.Errorf("%d calls", len(m.lines))
			}
			for _, l := range m.lines {
				seen[l] = true
			}
		}, Only[Steps[*tape]]("Word", "Put"), Weight[Steps[*tape]]("Word", 3), Size(7),
			At("Steps.Word", Values("a")), At("Steps.Word", Range[int8](1, 1)), At("Steps.Put.Key", Range(1, 2)), At("Steps.Put.Val", Range(0, 0)))
	})
	if r.failed {
		t.Fatal(r.text())
	}
	if len(seen) != 3 || !seen["Worda1"] || !seen["Put1 0"] || !seen["Put2 0"] {
		t.Error(seen)
	}
}

// Lists may be anywhere in the input, and be used in any way.
func TestStepsAnywhere(t *testing.T) {
	calls := 0
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in struct {
			One  Steps[*tape]
			All  []Steps[*tape]
			Ptr  *Steps[*tape]
			Map  map[int8]Steps[*tape]
			None Steps[tape2]
			Any  Steps[interface{ None(*T) }]
			Gen  Steps[generic[int]]
		}) {
			m := &tape{}
			in.One(t, m)
			in.One(t, &tape{})
			for _, s := range in.All {
				s(t, m)
			}
			if in.Ptr != nil {
				(*in.Ptr)(t, m)
			}
			for _, s := range in.Map {
				s(t, m)
			}
			in.Any(t, m)
			in.Gen(t, generic[int]{})
			var w sync.WaitGroup
			for range 2 {
				w.Go(func() { in.One(t, &tape{}) })
			}
			w.Wait()
			calls += len(m.lines)
			if len(m.lines) > 300 {
				t.Fatal("many")
			}
		}, Seed(1))
	})
	if calls < 1000 {
		t.Errorf("%d calls\n%s", calls, r.text())
	}
}

type tape2 struct{}

func (tape2) Go() {}

type generic[V any] struct{ v V }

func (generic[V]) Set(v V) {}

// With -v the test prints how often each operation was called.
func TestStepsVerbose(t *testing.T) {
	t.Setenv("ALLELE_V", "1")
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, steps Steps[*tape]) { steps(t, &tape{}) }, Only[Steps[*tape]]("None", "Pair", "Use"))
	})
	if r.failed {
		t.Fatal(r.text())
	}
	r.has(t, "    calls\n", "  None\n", "  Use, and ", " not allowed")
}

// The same seed gives the same lists.
func TestStepsRepeat(t *testing.T) {
	lists := func() (all []string) {
		record(t, "TestX", func(t testing.TB) {
			Check(t, func(t *T, steps Steps[*tape]) {
				m := &tape{}
				steps(t, m)
				all = append(all, strings.Join(m.lines, ";"))
			}, Seed(7), Tests(50))
		})
		return all
	}
	if a, b := lists(), lists(); strings.Join(a, "\n") != strings.Join(b, "\n") || len(a) != 50 {
		t.Errorf("%d and %d lists", len(a), len(b))
	}
}

// counter opens a limited number of cells.
type counter struct{ limit, n, used int }

func (c *counter) CanOpen() bool       { return c.n < c.limit }
func (c *counter) Open(x int) *cell    { c.n++; return &cell{x} }
func (c *counter) CanUse(x *cell) bool { return x.n%2 == c.limit%2 }
func (c *counter) Use(x *cell)         { c.used++ }

// On two machines, one list may make different calls. No program does that, so the list is printed.
func TestStepsOnTwoMachines(t *testing.T) {
	inEmptyPackage(t)
	r := recordHere(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, steps Steps[*counter]) {
			x, y := &counter{limit: 3}, &counter{limit: 5}
			steps(t, x)
			steps(t, y)
			if x.n+1 == y.n {
				t.Fatal("they differ")
			}
		}, Seed(1))
	})
	if text := r.text(); !r.failed || strings.Contains(text, "m *counter) {") || !strings.Contains(text, "{Open(0), Open(0)") {
		t.Error(text)
	}
}
