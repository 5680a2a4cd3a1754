package allele

import (
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/allele-go/allele/internal/search/engine"
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

// replayOne runs the input that was asked for, if it is for this Check. A value
// is handed to the property as it is; it may be one that only builders can make.
func (c *check) replayOne() {
	c.t.Helper()
	run, ok := c.requested()
	if !ok || c.replay.file == "" && c.replay.found.Swap(true) {
		return
	}
	c.replay.found.Store(true)
	c.runner.detail = true
	if !c.limit() {
		return
	}
	defer c.unlimit()
	switch o := run(); o.verdict() {
	case engine.Failed:
		c.t.Error(c.failure(finding{outcome: o, seed: "Replay"}))
	case engine.Discarded:
		c.t.Skipf("allele: the input is discarded now (%s), so this test checks nothing", c.discardedBy(o))
	}
}

// requested gives the run that was asked for, if this Check can make it.
func (c *check) requested() (run func() outcome, ok bool) {
	c.t.Helper()
	if c.replay.file == "" {
		return c.here(func(t *T) { c.runner.direct(t, c.replay.in) }), c.replay.in.Type() == c.world.Root.Type
	}
	// The case names the test it was found in; here that test runs under the
	// name of the one that replays it.
	s, mine, err := c.load(c.replay.file, func(test string) bool { return within(test) == strings.TrimPrefix(c.name, c.replay.root) })
	if err != nil {
		c.t.Errorf("allele: ReplayFile: %v\nmend the file, or delete it and this test", err)
	}
	if s.apart {
		return func() outcome { return c.runSeedApart(s) }, err == nil && mine
	}
	return c.here(func(t *T) { c.runner.call(c.runner.build, t, s.term) }), err == nil && mine
}

// here is a run in this process.
func (c *check) here(run func(*T)) func() outcome {
	return func() outcome { return c.runner.apart(run, c.stop) }
}

// within is what the name of a property says beyond the test function.
func within(name string) string {
	if i := strings.IndexAny(name, "/#"); i >= 0 {
		return name[i:]
	}
	return ""
}
