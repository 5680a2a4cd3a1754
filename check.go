package allele

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// check is one Check under way.
type check struct {
	t        testing.TB
	job      *job.Job
	name     string // identity of the property: test name and Name or ordinal
	settings settings
	config   config
	world    *schema.World
	runner   *runner
	engine   *engine.Engine
	place    place
	replay   *replay // not nil if only one input is to be run
	watch    *watcher
	operands *operands // nil if there are none
	verdict  event.Verdict
	said     string // about what failed
	failures failures
	old      bool    // the run that failed last did so in a way that is known
	unlogged string  // why the log is not whole, if it is not
	memory   *memory // nil if nothing is kept
	resumed  int     // inputs that were kept before and run again
	careful  bool    // shrink in other processes: one that did it here is no more

	rejects map[reject]*int
	last    *rejection // counted here while it repeats
	seeded  int        // examples and stored cases that passed
	saved   saved      // what came of the cases that were saved because they pass
	stopper [1]uint32
	labels  map[label]int
	stop    chan struct{} // closed when no run may be waited for any longer
	timers  []*time.Timer
}

// reject is who discarded an input: an Assume by its place, a Given by its
// number, or a builder, which leaves both zero.
type reject struct {
	pc    uintptr
	given int16
}

// rejection counts how often one reject came in a row: a map is five times the
// cost of a discard by Given.
type rejection struct {
	who reject
	n   *int
}

func (c *check) reject(r reject) {
	if c.last == nil || c.last.who != r {
		if c.rejects[r] == nil {
			c.rejects[r] = new(int)
		}
		c.last = &rejection{r, c.rejects[r]}
	}
	*c.last.n++
}

// stoppedBy is all that a program without probes tells of a run.
func (c *check) stoppedBy(r reject) trace.Run {
	c.stopper[0] = uint32(r.pc) ^ uint32(r.given)<<16
	return trace.Run{Symbols: c.stopper[:]}
}

func newCheck(t testing.TB, in reflect.Type, prop uintptr, opts []Option) (*check, error) {
	j, err := currentJob()
	if err != nil {
		return nil, fmt.Errorf("%w; the allele command sets this variable: update the command, or unset it", err)
	}
	c := &check{t: t, job: j, settings: gather(opts), rejects: map[reject]*int{}, labels: map[label]int{}, stop: make(chan struct{}), failures: newFailures(j)}
	for _, err := range c.settings.errs {
		return nil, err
	}
	if _, inside := t.(*T); inside {
		return nil, errors.New("a Check inside a property; it would run a thousand times a thousand inputs and mix up their cases: make one input of both")
	}
	if c.name, err = identify(t, c.settings.name); err != nil {
		return nil, err
	}
	if c.config, err = configure(c.settings, c.name, c.job); err != nil {
		return nil, err
	}
	if c.world, err = c.derive(in); err != nil {
		return nil, err
	}
	if c.job.Mode != job.List { // who only says its name calls nothing of the user's
		gen.Trial(c.world)
	}
	if err := tune(c.world, c.settings, c.config.size); err != nil {
		return nil, err
	}
	c.replay = replayFor(t)
	c.place = locate(c, prop)
	c.runner = &runner{TB: t, build: schema.NewBuilder(c.world)}
	c.runner.build.Single = os.Getenv("ALLELE_CHUNKS") == "off"
	conf := engine.Config{World: c.world, Seed: c.config.seed, Size: c.config.size, Tests: c.config.tests, Runs: c.config.runs, Strategy: c.strategy()}
	c.know(&conf)
	c.remember(&conf)
	if conf.Strategy != nil && (c.job.Search.Log != "" || c.memory != nil) {
		conf.Log = c.logged
	}
	c.engine = engine.New(conf)
	return c, nil
}

// named holds the names of the Checks of each test that is running.
var named struct {
	sync.Mutex
	tests map[testing.TB]map[string]bool
}

// identify names a property: the test, and the Name or the number of the Check
// in it if it is not the first.
func identify(t testing.TB, name string) (string, error) {
	named.Lock()
	defer named.Unlock()
	if named.tests == nil {
		named.tests = map[testing.TB]map[string]bool{}
	}
	taken := named.tests[t]
	if taken == nil {
		taken = map[string]bool{}
		named.tests[t] = taken
		t.Cleanup(func() {
			named.Lock()
			defer named.Unlock()
			delete(named.tests, t)
		})
	}
	id := t.Name()
	switch {
	case name != "":
		id += "#" + name
	case len(taken) > 0:
		id += "#" + strconv.Itoa(len(taken)+1)
	}
	if taken[id] {
		return "", fmt.Errorf("two Checks of this test are called %s; give each a Name of its own", id)
	}
	taken[id] = true
	return id, nil
}

// check goes through a Check from beginning to end.
func (c *check) check() {
	c.t.Helper()
	defer c.flush()
	if c.replay != nil && c.job.Mode != job.Cases {
		if c.job.Mode == job.Plain {
			c.replayOne()
		} else {
			c.replay.found.Store(true) // the command has no use for it: it is no property
		}
		return
	}
	if !c.work() {
		return
	}
	c.verdict = event.Failed
	defer c.finish()
	if !c.limit() {
		return
	}
	defer c.unlimit()
	seeds, ok := c.seeds()
	if !ok || !c.trySeeds(seeds) || !c.resume() {
		return
	}
	if !c.spare() {
		c.searchAll()
	}
}

// searchAll searches until something failed or, if it is to go on then, as long as
// there is to search.
func (c *check) searchAll() {
	c.t.Helper()
	before := c.t.Failed()
	for {
		found, x := c.search()
		if found.T == nil {
			break
		}
		if !c.found(found, x) {
			return
		}
	}
	_, any := c.failures.sum()
	switch {
	case c.t.Failed() && !before:
		c.t.Error(outerExit(c.t) + ", and the input will be shown and shrunk")
	case !any:
		c.judge(c.vacuous())
	}
}

// judge ends a search in which nothing failed.
func (c *check) judge(vacuous string) {
	c.t.Helper()
	if vacuous != "" && !c.settings.vacuous {
		c.verdict = event.Vacuous
		c.t.Error(vacuous)
		return
	}
	c.verdict = event.Passed
	c.passed(vacuous)
}

// search runs terms until one fails or enough passed. The outcome is empty if
// none failed.
func (c *check) search() (outcome, term.Term) {
	for {
		s := &searcher{check: c, done: make(chan struct{}), failed: c.t.Failed()}
		go s.loop()
		o, x := s.wait()
		if !s.abandoned.Load() || o.hung || !c.failures.passOver(o.sign()) {
			return o, x
		}
	}
}

// wait waits for the end of the loop, or for a run that has to be abandoned and the
// loop with it. That run is accounted for here.
func (s *searcher) wait() (outcome, term.Term) {
	c := s.check
	for {
		select {
		case <-s.done:
			return s.found, s.at
		case t := <-c.watch.cutShort():
			if t.state.Or(settled)&settled != 0 {
				continue // it came to an end meanwhile, and the loop goes on or has
			}
			s.abandoned.Store(true)
			x := c.engine.Lost()
			run := c.watch.end(engine.Failed)
			c.watch.failed = went(run)
			c.engine.Done(engine.Failed, run)
			c.endRun()
			return outcome{T: t}, x
		case <-c.stop:
			s.abandoned.Store(true)
			return outcome{T: &T{tb: c.runner}, hung: true}, c.engine.Lost()
		}
	}
}

// searcher runs terms on one goroutine after another: a run that ends its
// goroutine is settled, and the loop goes on, in the next.
type searcher struct {
	*check
	done      chan struct{}
	abandoned atomic.Bool
	failed    bool // the test around had failed before

	t     *T        // under way, or ended and not yet settled
	at    term.Term // of the run that failed
	found outcome
}

// loop goes on until the search is over. It comes back from stretch if a run
// panicked; one that ends its goroutine ends this loop with it, and another
// goes on.
func (s *searcher) loop() {
	for {
		switch s.stretch() {
		case handedOver:
			return
		case searchOver:
			close(s.done)
			return
		}
	}
}

type stretchEnd int

const (
	runPanicked stretchEnd = iota
	handedOver
	searchOver
)

// stretch makes runs until one does not come back. That each run is not
// guarded by itself saves a defer a run.
//
// A run that ends its goroutine looks like one that panics with nil, as old
// programs can still ask to be able to; only then does stretch return after it
// has handed over.
func (s *searcher) stretch() (end stretchEnd) {
	ending := true // of this goroutine
	defer func() {
		if ending && !s.abandoned.Load() {
			end = handedOver
			go s.loop()
		}
	}()
	running := false
	defer func() {
		if !running {
			return
		}
		r := recover()
		s.t.aborted(r)
		s.t.leave() // may end the goroutine as well
		ending = r == nil
	}()
	for s.t == nil || s.settle() {
		x, ok := s.engine.Next()
		if !ok {
			break
		}
		s.t = s.runner.fresh()
		if s.watch != nil {
			s.runner.slot.Start(s.engine.Started())
			s.runner.begin(x)
			s.watch.begin(s.t)
		}
		running = true
		s.runner.call(s.runner.build, s.t, x)
		running = false
		s.t.leave()
	}
	ending = false
	return searchOver
}

// settle accounts for the run that is over, and reports whether to go on.
func (s *searcher) settle() bool {
	if s.abandoned.Load() {
		return false
	}
	t := s.t
	if hook.Spawned != 0 && t.state.Or(settled)&settled != 0 {
		return false // it was abandoned, and search accounts for it
	}
	v := t.verdict()
	s.old = v == engine.Failed && s.failures.passOver(outcome{T: t}.sign())
	var run trace.Run
	if s.watch != nil {
		run = s.watch.end(v)
	}
	who := reject{s.runner.refused, t.given}
	if s.watch == nil && v == engine.Discarded {
		run = s.stoppedBy(who)
	}
	if v == engine.Failed && s.watch != nil && !s.old {
		s.watch.failed = went(run)
	}
	s.engine.Done(v, run)
	s.endRun()
	switch v {
	case engine.Discarded:
		s.reject(who)
		if t.given > 0 {
			s.runner.takeBack(t)
		}
	case engine.Passed:
		if t.more != nil {
			for _, l := range t.more.labels {
				s.labels[l]++
			}
		}
	case engine.Failed:
		if !s.old {
			s.found, s.at = outcome{T: t}, s.engine.Term().Clone()
			return false
		}
	}
	s.t = nil
	// The property may fail the test around it by mistake. To ask after every
	// run which one did would cost a tenth of it.
	return s.engine.Runs%64 != 0 || s.failed || !s.check.t.Failed()
}

// endRun notes that a run is over, for who watches this process.
func (c *check) endRun() {
	slot := c.runner.slot
	if slot == nil {
		return
	}
	n := c.engine.Counts
	features, kept := c.engine.Learnt()
	slot.End(proc.Seen{Passed: n.Passed, Discarded: n.Discarded, Paths: c.watch.paths(), Features: features, Kept: kept})
	if slot.Paused() {
		c.rest()
	}
	if slot.Stopped() {
		c.engine.Stop()
	}
	if c.memory != nil && c.memory.mail.Waiting(slot.Mails()) {
		c.receive(slot.Mails())
	}
	if n.Runs%lookEvery == 0 {
		c.memory.ran(false)
		if os.Getppid() != c.runner.parent {
			c.engine.Stop() // nobody waits for it any more
		}
	}
}

// rest waits while the time of the machine is for others.
func (c *check) rest() {
	slot := c.runner.slot
	slot.Rest(true)
	for slot.Paused() && !slot.Stopped() && os.Getppid() == c.runner.parent {
		time.Sleep(restLooks)
	}
	slot.Rest(false)
}

// spare reports whether this is not the first of several workers and all inputs are
// tried one by one, which one worker does: then it has waited for that.
func (c *check) spare() bool {
	if !c.engine.Whole() || c.job.Search.Worker == 0 {
		return false
	}
	c.verdict = event.Aborted
	for slot := c.runner.slot; !slot.Stopped() && os.Getppid() == c.runner.parent; {
		slot.Rest(slot.Paused())
		time.Sleep(restLooks)
	}
	return true
}

// restLooks is how often a process that rests looks whether it may go on: many may
// rest at a time.
const restLooks = 20 * time.Millisecond

// lookEvery is how many runs there are between looks at the clock and at who started
// this process.
const lookEvery = 1 << 10
