package allele

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/bits"
	"os"
	"runtime/metrics"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/novelty"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/term"
)

// work does what the command asked for, and reports whether the Check is to go on.
func (c *check) work() bool {
	c.t.Helper()
	mode := c.job.Mode
	if mode == job.List {
		c.emit(event.Event{Kind: event.Listed, Property: c.name, Test: c.t.Name(), Type: c.world.Root.Type.String()})
		return false
	}
	if mode == job.Plain {
		return true
	}
	if mode == job.Show {
		c.showCase(c.job.Text.Case, c.job.Text.To)
		return false
	}
	if c.job.Property != c.name {
		return false
	}
	if mode != job.Operands && (mode == job.Search || c.job.Program.Sites > 0) {
		c.follow()
	}
	switch mode {
	case job.Operands:
		c.serveOperands()
	case job.Cases:
		c.serveCases()
	case job.Confirm:
		c.settle()
	case job.Multicore:
		if c.openSlot() {
			c.several()
		}
	case job.Dist:
		c.writeDist(c.job.Text.Inputs, c.job.Text.To)
	case job.Reduce:
		c.fewest(c.tellFewest)
	case job.Save:
		c.fewest(c.saveFewest)
	case job.Search:
		return c.openSlot()
	}
	return false
}

// openSlot prepares this process for cases that may end it.
func (c *check) openSlot() bool {
	c.t.Helper()
	c.confine()
	file := c.job.Wires.Slot
	if file == "" {
		return true
	}
	slot, err := proc.OpenSlot(file)
	if err != nil {
		c.t.Errorf("allele: %v", err)
		return false
	}
	c.runner.slot, c.careful = slot, c.job.Search.Isolate
	c.runner.parent = os.Getppid()
	return true
}

// follow has the runs of a rewritten program followed.
func (c *check) follow() {
	c.watch = &watcher{short: make(chan *T, 1)}
	c.watch.stack[0].Name = "/memory/classes/heap/stacks:bytes"
	c.watch.recorder.Sites = c.job.Program.Sites // 0 is as good, but slower
	c.runner.watch = c.watch
	hook.Cut, hook.Long = c.watch.cutRun, c.watch.long
	c.watch.early()
}

// strategy is how to search in a program that tells its paths, and nil in one
// that does not.
func (c *check) strategy() *engine.Strategy {
	name := c.job.Search.Strategy
	if c.job.Mode != job.Search || name == "random" {
		return nil
	}
	s, ok := engine.Named(name)
	if !ok {
		s = engine.Guided()
	}
	return &s
}

// kept is a line of the log: an input that showed something new.
type kept struct {
	Package  string `json:"package"`
	Property string `json:"property"`
	engine.Entry
	Input string `json:"input"`
}

// logKept writes a line about an input that was kept.
func (c *check) logKept(e engine.Entry) {
	input := bounded(codec.Print(c.world, e.Term, c.place.style()).Expr, loggedMax)
	if c.unlogged == "" {
		if err := appendLine(c.job.Search.Log, kept{strings.TrimSuffix(c.place.pkg, "_test"), c.name, e, input}); err != nil {
			c.unlogged = err.Error()
		}
	}
}

// loggedMax bounds an input in the log.
const loggedMax = 4000

// inputText is an input as events have it.
func (c *check) inputText(x term.Term) string {
	return bounded(codec.Print(c.world, x, c.place.style()).Decl("in"), loggedMax)
}

// printed is where tests print, as it was when the process began.
var printed, _ = os.Stdout.Stat()

// silent reports whether a property has closed that, or put something else there.
func silent() bool {
	now, err := os.Stdout.Stat()
	return err != nil || !os.SameFile(now, printed)
}

// emit appends a line for the command. Without a file nobody is listening.
func (c *check) emit(e event.Event) {
	file := c.job.Events
	if file == "" {
		return
	}
	if err := event.Append(file, e); err != nil {
		c.t.Errorf("allele: cannot tell the command: %v", err)
	}
}

// appendLine appends a line of JSON to a file.
func appendLine(file string, v any) error {
	var line bytes.Buffer
	to := json.NewEncoder(&line)
	to.SetEscapeHTML(false) // people read it
	if err := to.Encode(v); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Write(line.Bytes())
	return err
}

// finish says how a Check under trace ended.
func (c *check) finish() {
	if c.watch == nil {
		return
	}
	if v, any := c.failures.sum(); any {
		c.verdict = v
	}
	n := c.engine.Counts
	e := event.Event{Kind: event.Finished, Property: c.name, Verdict: c.verdict, Failures: c.failures.shown, Runs: n.Runs, Passed: n.Passed, Discarded: n.Discarded,
		Paths: c.watch.paths(), Spawned: c.watch.spawned, Hot: c.watch.hot, Parted: c.watch.parted}
	e.Sites, e.Before, e.Partial = c.watch.sites.all(), c.watch.before.all(), c.watch.partial
	if r := c.engine.Report(); len(r.Kinds) > 0 {
		e.Search = &event.Search{Kept: r.Kept, Whole: r.Whole, Bounded: r.Bounded, Dropped: r.Dropped, Share: r.Share}
		for _, k := range r.Kinds {
			e.Search.Kinds = append(e.Search.Kinds, event.Count(k))
		}
	}
	e.Features, e.Kept = c.engine.Learnt()
	if c.verdict == event.Passed && c.engine.Exhausted() {
		e.State, e.Why = event.Exhausted, c.nothingLeft(e.Kept)
	}
	e.Unlogged, e.Text, e.Silent = c.unlogged, c.said, silent()
	e.Resumed = c.resumed
	if c.memory.close(); c.memory != nil {
		e.Unkept = c.memory.trouble
		e.Shared, e.Heard = c.memory.mail.Counts()
	}
	if c.operands != nil {
		c.operands.close()
		e.Operands = c.operands.told()
	}
	c.emit(e)
}

// nothingLeft says why a search is exhausted.
func (c *check) nothingLeft(kept int) string {
	if c.engine.All() {
		return fmt.Sprintf("all %s inputs were run", number(c.engine.Runs))
	}
	return fmt.Sprintf("every change of one step of %s kept inputs was run", number(kept))
}

// hitsMax is how many probes a run may hit. It takes a fraction of a second,
// and a run that does nothing wrong and needs more is better made smaller.
const hitsMax = 5_000_000

// watcher follows the paths of runs.
type watcher struct {
	recorder trace.Recorder
	passed   seen
	others   seen
	sites    siteSet
	before   siteSet // reached before the first run: by initialisers, TestMain and the test
	partial  bool    // some that were reached are in neither
	spawned  int
	hot      uint32
	parted   []uint32 // see event
	latest   trace.Run
	failed   way     // of the run that failed
	now      *T      // the run under way
	short    chan *T // runs that were abandoned
	overdue  int     // how often the present run was seen after its end
	common   []string
	stack    [1]metrics.Sample
}

// seen counts the different traces of runs with one verdict.
type seen struct{ novelty.Count }

func (s *seen) add(run trace.Run) (news bool) {
	h := novelty.Hash(run.Symbols)
	if run.Set {
		h = ^h // the sites of one run may be the path of another
	}
	return s.Add(h)
}

func (w *watcher) paths() int { return w.passed.Number() + w.others.Number() }

// begin starts to follow a run. If one was abandoned, its other goroutines first
// get a chance to come to their next probe, which stops them as well.
func (w *watcher) begin(t *T) {
	if w.now != nil && w.now.state.Load()&exited != 0 && hook.Spawned != 0 {
		time.Sleep(time.Millisecond)
		select {
		case <-w.short:
		default:
		}
	}
	w.now, w.overdue = t, 0
	w.recorder.Begin(hitsMax)
}

// end takes what the run has shown.
func (w *watcher) end(v engine.Verdict) trace.Run {
	run := w.recorder.End()
	w.latest = run
	if run.Set {
		w.spawned++
	}
	to := &w.others
	if v == engine.Passed {
		to = &w.passed
	}
	if !to.add(run) {
		return run
	}
	w.partial = !w.sites.addAll(run.Symbols) || w.partial
	return run
}

// early takes what was reached while nobody looked. A change there may matter to
// the property as much as one in what its runs reach.
func (w *watcher) early() {
	w.partial = !w.before.addAll(w.recorder.Before().Symbols)
}

// siteSet is which sites were reached, a bit each: almost every run of some
// properties is new, and a map took a third of their time.
type siteSet []uint64

func (s *siteSet) add(id uint32) {
	for int(id/64) >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[id/64] |= 1 << (id % 64)
}

// addAll adds the sites of a path or set. It reports false if that does not name
// all of them.
func (s *siteSet) addAll(symbols []uint32) (all bool) {
	all = true
	for _, symbol := range symbols {
		id, ok := trace.Site(symbol)
		if all = all && ok; ok {
			s.add(id)
		}
	}
	return all
}

// all gives them in order.
func (s siteSet) all() (ids []uint32) {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			ids = append(ids, uint32(64*i+bits.TrailingZeros64(word)))
		}
	}
	return ids
}

// way is what is compared of two runs of one case: the path and, if it has no sure
// order, the set of sites as well.
type way struct{ path, set []uint32 }

// went is the way of the run that has just ended, which gave run.
func went(run trace.Run) way {
	if run.Set {
		return way{hook.Path(nil), slices.Clone(run.Symbols)}
	}
	return way{slices.Clone(run.Symbols), nil}
}

// parting finds where two ways part: the last site of both, and where each went
// from there; 0 stands for none. Nothing is found if they are the same.
func parting(failed, passed way) []uint32 {
	if failed.set == nil && passed.set == nil {
		_, at, found := trace.Unstable(failed.path, passed.path)
		if !found {
			return nil
		}
		return []uint32{siteAt(failed.path, at-1), siteAt(failed.path, at), siteAt(passed.path, at)}
	}
	// Without a sure order it is the first site that only one of them reached.
	before, f := firstOutside(failed, passed)
	_, p := firstOutside(passed, failed)
	if f == 0 && p == 0 {
		return nil
	}
	return []uint32{before, f, p}
}

func siteAt(path []uint32, at int) uint32 {
	if at < 0 || at >= len(path) {
		return 0
	}
	id, ok := trace.Site(path[at])
	if !ok {
		return 0
	}
	return id
}

// firstOutside is the first site of a way that another does not have, and the one
// before it.
func firstOutside(w, other way) (before, id uint32) {
	theirs := map[uint32]bool{}
	for _, symbol := range slices.Concat(other.path, other.set) {
		if id, ok := trace.Site(symbol); ok {
			theirs[id] = true
		}
	}
	for _, symbol := range slices.Concat(w.path, w.set) {
		id, ok := trace.Site(symbol)
		if ok && !theirs[id] {
			return before, id
		}
		before = id
	}
	return 0, 0
}
