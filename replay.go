//go:build go1.25

package allele

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/allele-go/allele/internal/check/finding"
	"github.com/allele-go/allele/internal/check/plain"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/search/engine"
)

// Replay runs the property of another test on one input only. The regression tests that
// Check prints call Replay:
//
//	func TestInsertKeepsOrder_3f9c2a(t *testing.T) {
//		in := &Tree{K: 1}
//		allele.Replay(t, TestInsertKeepsOrder, in)
//	}
func Replay[In any](t *testing.T, test func(*testing.T), in In) {
	t.Helper()
	start(t, test, &replay{in: reflect.ValueOf(&in).Elem()})
}

// ReplayFile is like [Replay], with the input that is stored in a case file.
func ReplayFile(t *testing.T, test func(*testing.T), file string) {
	t.Helper()
	start(t, test, &replay{file: file})
}

// replay is a request to run one input.
type replay struct {
	root  string // the test that calls Replay
	in    reflect.Value
	file  string
	found atomic.Bool
}

var replays sync.Map // name of the test that calls Replay -> *replay

func start(t *testing.T, test func(*testing.T), r *replay) {
	t.Helper()
	r.root = t.Name()
	replays.Store(t.Name(), r)
	t.Cleanup(func() { // runs after parallel subtests have finished
		replays.Delete(t.Name())
		switch {
		case r.found.Load() || t.Failed() || t.Skipped():
		case r.file != "":
			t.Errorf("allele: %s belongs to no Check of the test", r.file)
		default:
			t.Errorf("allele: no Check of the test takes a %v", r.in.Type())
		}
	})
	test(t)
}

// replayFor returns the request that was made for a test or for one of its parent tests, or
// nil.
func replayFor(t testing.TB) *replay {
	for name := t.Name(); ; {
		if r, ok := replays.Load(name); ok {
			return r.(*replay)
		}
		slash := strings.LastIndexByte(name, '/')
		if slash < 0 {
			return nil
		}
		name = name[:slash]
	}
}

// replayed reports whether a Check runs inside a test that calls Replay. If the requested
// input is for this Check, replayed runs the property on it.
func replayed(p *property.Property, r *runner) bool {
	p.TB.Helper()
	asked := replayFor(p.TB)
	if asked == nil || p.Job.Mode == job.Cases {
		return false
	}
	if p.Job.Mode == job.Plain {
		asked.one(p, r)
	} else {
		// The command runs no replays, because they are not properties. Without this line,
		// start would report that no Check was found.
		asked.found.Store(true)
	}
	return true
}

// one runs the requested input if it is for this Check. A value is passed to the property
// as it is, not as a term, because values that only builders make cannot become terms.
func (q *replay) one(p *property.Property, r *runner) {
	p.TB.Helper()
	run, ok := q.requested(p, r)
	if !ok || q.file == "" && q.found.Swap(true) {
		return
	}
	q.found.Store(true)
	if !p.Limit(p.TB, 0, func() {}) {
		return
	}
	defer p.Unlimit()
	switch o := run(); o.Verdict {
	case engine.Failed:
		if misuse := finding.Misuse(o); misuse != "" {
			p.TB.Error("allele: " + misuse)
			break
		}
		p.TB.Error(finding.Text(p, finding.Finding{Outcome: o, History: finding.History{Replay: true}}))
	case engine.Discarded:
		p.TB.Skipf("allele: %s", discardedText(p, o))
	}
}

// discardedText says why a replayed input was discarded.
func discardedText(p *property.Property, o property.Outcome) string {
	switch k := o.Rejected.Known; {
	case k.Failed:
		return "the property fails for this input, which is known: " + k.Issue
	case k.Issue != "":
		return "the property does not fail for this input, although that is known: " + k.Issue + "; if the bug is fixed, remove t.Known"
	}
	return fmt.Sprintf("the property now discards this input (%s), so this test checks nothing", p.DiscardedBy(o))
}

// requested returns a function that makes the requested run. ok is false if the request is
// not for this Check.
func (q *replay) requested(p *property.Property, r *runner) (run func() property.Outcome, ok bool) {
	p.TB.Helper()
	if q.file == "" {
		return func() property.Outcome { return r.value(q.in) }, q.in.Type() == p.World.Root.Type
	}
	// The case names the test in which it was found, but here that test runs under the name
	// of the test that replays it. So only the parts after these two names are compared.
	s, mine, err := p.LoadIf(q.file, func(test string) bool { return within(test) == strings.TrimPrefix(p.Name, q.root) })
	if n := (*property.NotRun)(nil); errors.As(err, &n) && !property.Strict() {
		p.TB.Skipf("allele: this test checks nothing: %v", n)
	}
	if err != nil {
		p.TB.Errorf("allele: ReplayFile: %v\nfix the file, or delete it and this test", err)
		return nil, false
	}
	if !mine {
		return nil, false
	}
	if len(s.Gone) > 0 && !property.Warn(p, property.GoneText(p, s)) {
		return nil, false
	}
	if s.Runs.Isolated {
		return func() property.Outcome { return s.Explain(plain.RunIsolated(p, s)) }, true
	}
	return func() property.Outcome { return s.Explain(s.Prop.Runner.One(s.Term, true)) }, true
}

// within returns the part of a property's name after the name of the test function, for
// example "/sub#2" of "TestTree/sub#2".
func within(name string) string {
	if i := strings.IndexAny(name, "/#"); i >= 0 {
		return name[i:]
	}
	return ""
}
