//go:build go1.25

package worker_test

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele"
	"github.com/allele-go/allele/internal/check/worker"
	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/schema"
)

// secret is the input of the property in TestServes, which compares both fields.
type secret struct {
	N    int
	Name string
}

// TestServes is not a test of its own: the tests below start it as the process that
// serves. This binary was not built to record its comparisons, so the property records
// some itself.
func TestServes(t *testing.T) {
	how := os.Getenv("SERVES")
	if how == "" {
		t.Skip("it is started by other tests")
	}
	switch how {
	case "dies at once":
		os.Exit(3)
	case "does not record":
		hook.Try(func(int) bool { return false })
	default:
		hook.Try(func(x int) bool { hook.Numbers(hook.Tried, uint64(x), 8, 1); return false })
	}
	if how == "other types" {
		allele.Check(t, func(t *allele.T, in struct{ N int }) {})
		return
	}
	fmt.Println("what a test prints does not disturb the answers")
	allele.Check(t, func(t *allele.T, in secret) {
		hook.Numbers(uint64(in.N), 1000, 8, 2)
		hook.Texts(in.Name, "rosebud", 3)
		switch {
		case in.N == 5:
			t.Fatal("a failure is an answer too")
		case in.N == 6:
			panic("and so is a panic")
		case in.N == 7:
			os.Exit(0)
		case in.N == 8:
			for n := 0; ; n++ {
				sink = n
			}
		case in.N == 9:
			to := os.NewFile(4, "answers")
			to.Write([]byte{2, 0, 0, 0, 0xff, 0xff, 2, 0, 0, 0, 0xff, 0xff})
		}
	})
}

var sink int

// ask returns a client of a process that runs TestServes; how is the process's variable SERVES.
// The function about asks that process about an input with the number n.
func ask(t *testing.T, how string) (o *worker.OperandClient, about func(n int) string) {
	t.Helper()
	t.Setenv("SERVES", how)
	t.Setenv("GOMAXPROCS", "1") // as the command sets it
	t.Setenv("GODEBUG", "asyncpreemptoff=1")
	t.Setenv("GORACE", "atexit_sleep_ms=0") // by default the exit takes a second, which is the whole timeout
	world, err := schema.Derive(reflect.TypeFor[secret](), nil)
	if err != nil {
		t.Fatal(err)
	}
	o = worker.NewOperandClient(os.Args[0], []string{"-test.run=^TestServes$"}, "TestServes", world, time.Second)
	t.Cleanup(o.Close)
	return o, func(n int) string {
		x, err := world.Read(reflect.ValueOf(secret{n, "gamma"}))
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(o.Of(x))
	}
}

func answer(n int) string {
	return fmt.Sprint([]operand.Compared{{A: uint64(n), B: 1000, Width: 8}, {Text: true, X: "gamma", Y: "rosebud"}})
}

// The process answers about one input after the other, however a run ends, and gives the
// same answer for the same input.
func TestOperandProcess(t *testing.T) {
	o, about := ask(t, "well")
	for _, n := range []int{1, 2, 1, 5, 6, 1} {
		if got := about(n); got != answer(n) {
			t.Errorf("%d: got %s, want %s", n, got, answer(n))
		}
	}
	if d := o.Take().Close(); *o.Summary() != (event.Operands{Asked: 6}) || d.Kind != proc.Ended || d.Code != 0 {
		t.Errorf("%+v, it ended with %+v", *o.Summary(), d)
	}
}

// A process that dies, hangs or sends garbage costs one answer. After a few times it is
// not asked again.
func TestOperandProcessDies(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int
		off  string
	}{
		{"it exits", 7, "exit code 0"},
		{"it hangs", 8, "it did not end"},
		{"it sends garbage", 9, "the message is truncated"},
	} {
		o, about := ask(t, "well")
		if c.n != 8 {
			o.SetWait(5 * time.Second)
		}
		for i := range worker.DiedMax {
			if got := about(c.n); got != "[]" {
				t.Errorf("%s: %s", c.name, got)
			}
			if got := about(1); got != answer(1) || o.Summary().Died != i+1 {
				t.Errorf("%s: after %d deaths: %s", c.name, o.Summary().Died, got)
			}
		}
		about(c.n)
		if got := about(1); got != "[]" || !strings.HasPrefix(o.Summary().Off, "the operand process died 4 times, most recently with: ") || !strings.Contains(o.Summary().Off, c.off) || o.Alive() {
			t.Errorf("%s: %s, off: %s", c.name, got, o.Summary().Off)
		}
	}
}

// A process that cannot serve is not started again, and the reason is reported.
func TestOperandProcessRefuses(t *testing.T) {
	for how, off := range map[string]string{
		"dies at once":    "the operand process did not start: exit code 3",
		"does not record": "the operand process refused: 1 of 1 packages do not record their comparisons; allele may not support this version of Go",
		"other types":     "the operand process has other input types",
	} {
		o, about := ask(t, how)
		if got := about(1) + about(2); got != "[][]" || o.Summary().Off != off || o.Summary().Asked != 0 {
			t.Errorf("%s: %s, off: %q", how, got, o.Summary().Off)
		}
	}
	o, about := ask(t, "well")
	o.SetBinary("no/such/binary")
	if about(1); !strings.HasPrefix(o.Summary().Off, "cannot start the operand process: ") {
		t.Errorf("%q", o.Summary().Off)
	}
}

// The process ends when its parent stops asking, even in the middle of a run.
func TestOperandProcessEnds(t *testing.T) {
	for _, busy := range []bool{false, true} {
		o, about := ask(t, "well")
		about(1)
		p := o.Take()
		if busy {
			x, err := o.World().Read(reflect.ValueOf(secret{N: 8}))
			if err != nil {
				t.Fatal(err)
			}
			p.Send(operand.AppendTerm(nil, x))
		}
		ended := make(chan proc.Death, 1)
		p.EndQuestions()
		go func() { ended <- p.Wait() }()
		select {
		case d := <-ended:
			if busy != (d.Code == 1) {
				t.Errorf("busy %v: %+v", busy, d)
			}
		case <-time.After(time.Minute):
			t.Fatalf("busy %v: it is still there", busy)
		}
	}
}
