//go:build go1.25

package allele

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/check/finding"
	"github.com/allele-go/allele/internal/check/isolated"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/search/engine"
)

// TestIsolatedRuns is not a test of its own: TestIsolated starts it in other processes.
func TestIsolatedRuns(t *testing.T) {
	if j, err := job.Current(); err != nil || j.Mode != job.Cases {
		t.Skip("it is started by another test")
	}
	Check(t, isolates)
}

func isolates(t *T, n int) {
	t.Assume(n >= 0)
	switch n {
	case 3:
		os.Exit(3)
	case 4:
		select {}
	case 5:
		t.Log("about five")
		t.Error("five")
	case 6:
		panic("six")
	}
}

// An isolated runner reports how a run ended, whatever the run did to its process, and can
// then run more terms.
func TestIsolated(t *testing.T) {
	t.Setenv("ALLELE_RUN_TIMEOUT", "20s")
	p, _ := prepared(t, isolates, "TestIsolatedRuns")
	r := isolated.New(p, 1)
	defer r.Close()
	for _, want := range []struct {
		n    int
		kind engine.Verdict
		says string
	}{
		{1, engine.Passed, ""},
		{-1, engine.Discarded, ""},
		{3, engine.Failed, "property called os.Exit(3)"},
		{1, engine.Passed, ""},
		{4, engine.Failed, "deadlock: every goroutine waits"},
		{5, engine.Failed, "property failed: five (isolated_test.go:"},
		{6, engine.Failed, "property panicked: six (isolated_test.go:"},
		{3, engine.Failed, "property called os.Exit(3)"},
	} {
		x, err := p.World.Read(reflect.ValueOf(want.n))
		if err != nil {
			t.Fatal(err)
		}
		o := r.One(x, true)
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		if o.Verdict != want.kind || want.kind == engine.Failed && !strings.HasPrefix(finding.Headline(o), want.says) {
			t.Errorf("%d: %v, %s", want.n, o.Verdict, finding.Headline(o))
		}
		if want.n == -1 && !strings.Contains(o.Rejected.By, "isolated_test.go:") {
			t.Errorf("discarded by %q", o.Rejected.By)
		}
	}
}

// prepared returns a property of a test with the given name, and its runner.
func prepared[In any](t *testing.T, prop func(*T, In), name string) (*property.Property, *runner) {
	t.Helper()
	p, r, err := prepare(alias{t, name}, reflect.TypeFor[In](), reflect.ValueOf(prop).Pointer(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.call = caller(prop, nil)
	return p, r
}

// alias is a test with another name.
type alias struct {
	testing.TB
	name string
}

func (n alias) Name() string { return n.name }

// signed fails in many ways.
func signed(t *T, n int) {
	positive := func(n int) {
		t.Helper()
		if n < 0 {
			t.Errorf("negative: %d", n)
		}
	}
	switch n {
	case 1:
		positive(-n) // first
	case 2:
		positive(-n) // second
	case 3:
		t.Fail() // bare
	case 4:
		for range 2 * logMax {
			t.Log("words")
		}
		t.FailNow() // after many messages
	case 5:
		_ = make([]int, n)[n:][n] // index
	}
}

// TestSigned is not a test of its own: TestSignsAgree starts it in other processes.
func TestSigned(t *testing.T) {
	if j, err := job.Current(); err != nil || j.Mode != job.Cases {
		t.Skip("it is started by another test")
	}
	Check(t, signed)
}

// A failure has the same sign in a run with detail, as in shrinking, in another process,
// and in a search that has seen its helper once.
func TestSignsAgree(t *testing.T) {
	p, r := prepared(t, signed, "TestSigned")
	apart := isolated.New(p, 1)
	defer apart.Close()
	for i, mark := range []string{"// first", "// second", "// bare", "// after many", "// index"} {
		x, err := p.World.Read(reflect.ValueOf(i + 1))
		if err != nil {
			t.Fatal(err)
		}
		var signs [3]string
		signs[0] = finding.Sign(r.One(x, true))
		signs[1] = finding.Sign(r.One(x, false))
		o := apart.One(x, true)
		if apart.Err != nil || !o.Failed() {
			t.Fatal(apart.Err, o.Verdict)
		}
		signs[2] = finding.Sign(o)
		if at := lineOf(t, "isolated_test.go", mark); !strings.Contains(signs[0], at) || signs[1] != signs[0] || signs[2] != signs[0] {
			t.Errorf("%s %s: %q", mark, at, fmt.Sprint(signs))
		}
	}
}
