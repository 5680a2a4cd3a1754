package allele

import (
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/value/term"
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
	in    reflect.Value
	file  string
	found bool
}

var replays sync.Map // name of the test that asked -> *replay

func start(t *testing.T, test func(*testing.T), r *replay) {
	t.Helper()
	replays.Store(t.Name(), r)
	defer replays.Delete(t.Name())
	test(t)
	switch {
	case r.found || t.Failed() || t.Skipped():
	case r.file != "":
		t.Errorf("allele: no Check of the test is the one that %s belongs to", r.file)
	default:
		t.Errorf("allele: no Check of the test takes a %v", r.in.Type())
	}
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

// replayOne runs the input that was asked for, if it is for this Check.
func (c *check) replayOne() {
	c.t.Helper()
	x, ok := c.requested()
	if !ok {
		return
	}
	c.replay.found = true
	c.runner.detail = true
	c.limit()
	defer c.unlimit()
	switch o := c.runner.alone(x, c.stop); o.verdict() {
	case engine.Failed:
		c.t.Error(c.failure(finding{term: x, outcome: o, seed: "Replay"}))
	case engine.Discarded:
		c.t.Skipf("allele: the input is discarded now (%s), so this test checks nothing", c.rejected(reject{c.runner.refused, o.given}))
	}
}

func (c *check) requested() (term.Term, bool) {
	c.t.Helper()
	if c.replay.file == "" {
		if c.replay.in.Type() != c.world.Root.Type || c.replay.found {
			return nil, false
		}
		x, err := c.world.Read(c.replay.in)
		if err != nil {
			c.t.Errorf("allele: Replay: %v", err)
			return nil, false
		}
		return x, true
	}
	// The case names the test it was found in; here that test runs under the
	// name of the one that replays it.
	s, mine, err := c.load(c.replay.file, func(test string) bool { return within(test) == within(c.name) })
	if err != nil {
		c.t.Errorf("allele: ReplayFile: %v", err)
	}
	return s.term, err == nil && mine
}

// within is what the name of a property says beyond the test function.
func within(name string) string {
	if i := strings.IndexAny(name, "/#"); i >= 0 {
		return name[i:]
	}
	return ""
}
