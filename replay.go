package allele

import (
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/allele-go/allele/internal/finding"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/worker"
)

// Replay runs the property of another test on one input and nothing else. It is
// what the regression tests that Check prints are made of:
//
//	func TestInsertKeepsOrder_3f9c2a(t *testing.T) {
//		in := &Tree{K: 1}
//		allele.Replay(t, TestInsertKeepsOrder, in)
//	}
func Replay[In any](t *testing.T, test func(*testing.T), in In) {
	t.Helper()
	start(t, test, &replay{in: reflect.ValueOf(&in).Elem()})
}

// ReplayFile is Replay for the input in a case file.
func ReplayFile(t *testing.T, test func(*testing.T), file string) {
	t.Helper()
	start(t, test, &replay{file: file})
}

// replay is a request to run one input.
type replay struct {
	root  string // the test that asks
	in    reflect.Value
	file  string
	found atomic.Bool
}

var replays sync.Map // name of the test that asked -> *replay

func start(t *testing.T, test func(*testing.T), r *replay) {
	t.Helper()
	r.root = t.Name()
	replays.Store(t.Name(), r)
	t.Cleanup(func() { // when parallel subtests are over, too
		replays.Delete(t.Name())
		switch {
		case r.found.Load() || t.Failed() || t.Skipped():
		case r.file != "":
			t.Errorf("allele: no Check of the test is the one that %s belongs to", r.file)
		default:
			t.Errorf("allele: no Check of the test takes a %v", r.in.Type())
		}
	})
	test(t)
}

// replayFor finds the request for a test or for one it runs in.
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

// replayed reports whether a Check belongs to a request to run one input, and runs that
// if it is for this Check.
func replayed(p *property.Property, r *runner) bool {
	p.TB.Helper()
	asked := replayFor(p.TB)
	if asked == nil || p.Job.Mode == job.Cases {
		return false
	}
	if p.Job.Mode == job.Plain {
		asked.one(p, r)
	} else {
		asked.found.Store(true) // the command has no use for it: it is no property
	}
	return true
}

// one runs the input that was asked for, if it is for this Check. A value is handed to
// the property as it is; it may be one that only builders can make.
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
		p.TB.Error(finding.Text(p, finding.Finding{Outcome: o, History: finding.History{Replay: true}}))
	case engine.Discarded:
		p.TB.Skipf("allele: the input is discarded now (%s), so this test checks nothing", p.DiscardedBy(o))
	}
}

// requested gives the run that was asked for, if this Check can make it.
func (q *replay) requested(p *property.Property, r *runner) (run func() property.Outcome, ok bool) {
	p.TB.Helper()
	if q.file == "" {
		return func() property.Outcome { return r.value(q.in) }, q.in.Type() == p.World.Root.Type
	}
	// The case names the test it was found in; here that test runs under the
	// name of the one that replays it.
	s, mine, err := p.LoadIf(q.file, func(test string) bool { return within(test) == strings.TrimPrefix(p.Name, q.root) })
	if err != nil {
		p.TB.Errorf("allele: ReplayFile: %v\nmend the file, or delete it and this test", err)
	}
	if s.Runs.Isolated {
		return func() property.Outcome { return worker.RunIsolated(p, s) }, err == nil && mine
	}
	return func() property.Outcome { return r.One(s.Term, true) }, err == nil && mine
}

// within is what the name of a property says beyond the test function.
func within(name string) string {
	if i := strings.IndexAny(name, "/#"); i >= 0 {
		return name[i:]
	}
	return ""
}
