package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/proc"
)

// result is what came of a property.
type result struct {
	event.Event                // what is told of it; Text is what its process printed
	failed      bool           // it did not hold, or could not be tried
	deaths      map[string]int // of processes whose input passes elsewhere, by what was said
}

// restartsMax is how often the process of a property is started again, and idleMax
// how often in a row without a run in between.
const (
	restartsMax = 50
	idleMax     = 3
)

// search runs a property.
func (c *campaign) search(p property, budget time.Duration) (r result, err error) {
	start := time.Now()
	defer func() { r.Seconds = time.Since(start).Seconds() }()
	folder, kept, err := c.prepare(p, &r)
	if err != nil || r.failed {
		return r, err
	}
	k := &crew{campaign: c, property: p, folder: folder, kept: kept, workers: c.workersFor(kept), start: start, budget: budget}
	if r, err = k.run(); err != nil {
		return r, err
	}
	if r.Verdict == "passed" && r.Spawned > 0 && kept != nil && !c.stopped() {
		r.Seconds = time.Since(start).Seconds()
		err = c.several(p, folder, &r)
	}
	return r, err
}

// worker searches in one process after the other until one comes to its end:
// whatever a run does to its process, its case is looked into and the search goes on.
func (k *crew) worker(i int) (r result, err error) {
	p := k.property
	idle := 0
	for n := 0; ; n++ {
		slot, err := k.slot(k.folder, "")
		if err != nil {
			return r, err
		}
		k.post.attach(i, slot)
		d, events, err := k.process(p, proc.Config{Slot: slot, Env: k.env(i, n), Stop: until(k.start, k.budget)}, &k.company)
		k.post.attach(i, nil)
		if err != nil {
			return r, err
		}
		now := slot.Look()
		if len(events) > 0 {
			slot.Remove()
			runs := r.Runs
			r.Event = events[len(events)-1]
			r.Runs = runs + r.Runs
			r.failed = k.judge(&r.Event, d)
			return r, nil
		}
		r.Verdict, r.Paths = "stopped", now.Paths
		r.Passed, r.Discarded = r.Passed+now.Passed, r.Discarded+now.Discarded
		r.Runs = r.Passed + r.Discarded + 1
		if idle++; now.Run > 1 {
			idle = 0
		}
		k.tell(p, died(n+1, now.Started, d))
		switch {
		case k.killed():
			slot.Close() // what it was at is looked into when the search goes on
			return r, nil
		case !d.Running:
			slot.Remove()
		default:
			slot.Close()
			k.settle(p, slot.Path(), &r)
			k.again(&r, d)
		}
		switch {
		case r.failed || k.stopped() || k.budget > 0 && time.Since(k.start) > k.budget:
			return r, nil
		case idle >= idleMax || n >= restartsMax:
			r.failed, r.Verdict, r.Death, r.Text = true, "crashed", d.Text, d.Out+d.Err+d.Stack
			return r, nil
		}
	}
}

// prepare looks into what an earlier campaign may have left of a property, and
// gives the folder of what is kept and what a process is told about it.
func (c *campaign) prepare(p property, r *result) (folder string, env []string, err error) {
	if folder, err = c.folderOf(p); err != nil {
		return "", nil, err
	}
	for _, left := range proc.Left(folder) {
		c.note(p, "an earlier run was ended in the middle of an input; looking into that first")
		var one result
		if c.settle(p, left, &one); one.failed && !r.failed {
			*r = one
		}
	}
	if r.failed {
		return folder, nil, nil
	}
	if err := corpus.Compact(folder, nil); err != nil {
		c.note(p, "what was kept could not be tidied: %v", err)
	}
	if c.strategy != "" && c.strategy != "guided" {
		return folder, nil, nil // others are there to compare with, from the beginning
	}
	hash, err := c.hashed(p)
	return folder, []string{"ALLELE_CORPUS=" + folder, "ALLELE_BINARY=" + hash}, err
}

// died is a process that did not come to its end.
func died(worker, run int, d proc.Death) event.Event {
	e := event.Event{Kind: event.Died, Worker: worker, Death: string(d.Kind), Text: d.Text}
	if d.Running {
		e.Run = run
	}
	return e
}

// judge reports whether a property failed by what its process told and how that
// ended, and takes what it printed.
func (k *crew) judge(e *event.Event, d proc.Death) (failed bool) {
	said := e.Text
	e.Text = d.Out + d.Err + d.Stack
	if said != "" && !strings.Contains(d.Out, "--- FAIL: ") {
		e.Text = said + "\n" // the property has closed where tests print
	}
	switch {
	case d.Code == 0 && !d.Late:
		return false
	case e.Verdict != "passed":
		return !k.early(e)
	}
	// The search went well, and what came after it did not.
	e.Verdict, e.Death = "crashed", fmt.Sprintf("all inputs passed, but then the test ended its process: %s", d.Text)
	if d.Late {
		e.Death = "all inputs passed, but then the test did not end"
	} else if d.Code == 1 {
		e.Death = "all inputs passed, but then the test failed"
	}
	return true
}

// flakyDeaths is how many deaths alike, of inputs that pass when they are run again,
// are no accident.
const flakyDeaths = 2

// again ends a search whose processes die in the same way again and again, of inputs
// that pass in others. A signal from outside may come as often as it likes.
func (c *campaign) again(r *result, d proc.Death) {
	if r.failed || d.Kind == proc.Killed {
		return
	}
	if r.deaths == nil {
		r.deaths = map[string]int{}
	}
	if r.deaths[d.Text]++; r.deaths[d.Text] < flakyDeaths {
		return
	}
	r.failed, r.Verdict = true, "flaky"
	r.Text = fmt.Sprintf("    flaky: processes end (%s), and their inputs pass when they are run again:\n"+
		"    earlier runs leave something behind, or chance decides. The last such input:\n\n%s\n", d.Text, prefixed(r.Input))
	if d.Stack != "" {
		r.Text += "\n" + prefixed(firstLines(d.Stack, stackLines)) + "\n"
	}
}

// stackLines is how much is shown of what the runtime said at such a death.
const stackLines = 24

func firstLines(s string, n int) string {
	lines := strings.SplitN(s, "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "\n")
}

func prefixed(s string) string {
	return "        " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n        ")
}

// early reports whether a property was stopped before it could show that it checks
// something.
func (k *crew) early(e *event.Event) bool {
	if !k.stopped() || e.Verdict != "vacuous" {
		return false
	}
	e.Verdict = "stopped"
	return true
}

// folderOf is where what is known of a property is kept.
func (c *campaign) folderOf(p property) (string, error) {
	root, err := corpusRoot()
	if err != nil {
		return "", err
	}
	dir := corpus.Folder(root, p.Package, p.Name)
	return dir, os.MkdirAll(dir, 0o777)
}

func corpusRoot() (string, error) {
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "allele", "corpus"), err
}

// hashed gives the hash of a test binary.
func (c *campaign) hashed(p property) (string, error) {
	if c.hashes == nil {
		c.hashes = map[string]string{}
	}
	if h := c.hashes[p.Package]; h != "" {
		return h, nil
	}
	f, err := os.Open(c.binary(p.Package))
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	c.hashes[p.Package] = fmt.Sprintf("%x", sum.Sum(nil)[:8])
	return c.hashes[p.Package], nil
}

// until is when a search must stop; the zero time if it need not.
func until(start time.Time, budget time.Duration) time.Time {
	if budget == 0 {
		return time.Time{}
	}
	return start.Add(budget)
}

// settle has a fresh process look into the case that another one ended with.
func (c *campaign) settle(p property, slot string, r *result) {
	s, err := proc.OpenSlot(slot)
	if err != nil {
		c.setAside(p, slot, err.Error())
		return
	}
	defer s.Close()
	if !s.Look().Running {
		s.Remove()
		return
	}
	conf := proc.Config{Env: append(c.workEnv("settle", p), "ALLELE_DEAD="+slot)}
	if strings.Contains(filepath.Base(slot), severalMark) {
		conf.Env = append(c.severalEnv("settle", p), "ALLELE_DEAD="+slot)
		if conf.Path, err = c.plainBinary(p); err != nil {
			c.note(p, "the input that ended a process is kept in %s: %v", slot, err)
			return
		}
	}
	d, events, err := c.process(p, conf)
	switch {
	case err != nil:
		c.note(p, "the input that ended a process could not be looked into: %v", err)
		return
	case c.killed():
		return // when the search goes on
	case len(events) > 0 && events[0].Kind == event.Note:
		c.setAside(p, slot, events[0].Text)
		return
	case len(events) == 0 || d.Code != 0 && events[0].Verdict == "":
		r.failed, r.Verdict, r.Text = true, "crashed", d.Out+d.Err+d.Stack
		r.Death = "the input that ended its process could not be looked into; it is kept in " + slot
		return
	case events[0].Verdict != "":
		r.failed, r.Last, r.Verdict, r.Text = true, events[0].Last, events[0].Verdict, d.Out
		if !strings.Contains(d.Out, "--- FAIL: ") {
			r.Text = events[0].Text + "\n"
		}
	}
	r.Input = events[0].Input
	c.tell(p, events[0])
	s.Remove()
}

// setAside puts a slot away that cannot be read: the type of the inputs may have
// changed since. What was in it was never confirmed.
func (c *campaign) setAside(p property, slot, why string) {
	aside := slot + ".unread"
	if err := os.Rename(slot, aside); err != nil {
		aside = slot
	}
	c.note(p, "the input that a process was ended with cannot be read any more (%s); it is left in %s, which may be deleted", why, aside)
}

// slot makes a slot for the next process.
func (c *campaign) slot(folder, mark string) (*proc.Slot, error) {
	c.mu.Lock()
	c.slots++
	n := c.slots
	c.mu.Unlock()
	s, err := proc.NewSlot(filepath.Join(folder, mark+proc.SlotName(n)))
	if err != nil {
		return nil, fmt.Errorf("make room for the input of a run: %w; free some space, or set XDG_CACHE_HOME to a folder with more", err)
	}
	return s, nil
}

const (
	// idleMost is how long a process may take to begin, or to end, while no run is
	// under way: TestMain may start a database.
	idleMost = 5 * time.Minute
	// settleMost is how long one may take to look into an input: shrinking takes a
	// minute at most, and hangs are waited for.
	settleMost = 15 * time.Minute
	// listMost is how long listing may take.
	listMost = 5 * time.Minute
)

// process runs a test binary on one property.
func (c *campaign) process(p property, conf proc.Config, with ...*company) (proc.Death, []event.Event, error) {
	conf.Hang = c.hang
	if conf.Idle = idleMost; conf.Slot == nil {
		conf.Idle = settleMost
	}
	conf.Args = []string{"-test.run=" + p.testName(), "-test.v=" + strconv.FormatBool(c.verbose), "-test.paniconexit0"}
	return c.exec(p, conf, with...)
}

// workEnv is what every process of a property is told.
func (c *campaign) workEnv(mode string, p property) []string {
	return []string{"ALLELE_WORK=" + mode, "ALLELE_PROPERTY=" + p.Name, "GOMAXPROCS=1", godebug(),
		"ALLELE_SITES=" + strconv.Itoa(c.overlay.End()), "ALLELE_HANG=" + c.hang.String(), "ALLELE_MEMORY=" + strconv.FormatInt(c.memory, 10),
		"GORACE=" + strings.TrimPrefix(os.Getenv("GORACE")+" halt_on_error=1", " ")}
}

// searchEnv is what a process that searches is told; n is how many there were.
func (c *campaign) searchEnv(p property, n int) []string {
	env := c.workEnv("run", p)
	for _, v := range []struct{ name, value string }{{"ALLELE_TESTS", c.tests}, {"ALLELE_SEED", c.seed}, {"ALLELE_STRATEGY", c.strategy},
		{"ALLELE_LOG", c.log}, {"ALLELE_OPERANDS", c.compared[p.Package]}} {
		if v.value != "" {
			env = append(env, v.name+"="+v.value)
		}
	}
	if c.saves {
		env = append(env, "ALLELE_SAVE=1")
	}
	if c.budget > 0 {
		env = append(env, "ALLELE_FOR="+c.budget.String()) // it is told when; this says that a number does not matter
	}
	if n > 0 {
		env = append(env, "ALLELE_CAREFUL=1")
	} else if c.seed != "" || c.anew {
		env = append(env, "ALLELE_ANEW=1") // the same seed, the same runs
	}
	return env
}

// parseMemory reads 2GB, 512MB, a number of bytes, or off.
func parseMemory(s string) (int64, error) {
	units := []struct {
		suffix string
		bytes  int64
	}{{"GB", 1 << 30}, {"MB", 1 << 20}, {"kB", 1 << 10}, {"", 1}}
	if s == "off" {
		return 0, nil
	}
	for _, u := range units {
		if n, err := strconv.ParseInt(strings.TrimSuffix(s, u.suffix), 10, 64); strings.HasSuffix(s, u.suffix) && err == nil && n > 0 && n < 1<<62/u.bytes {
			if n*u.bytes < memoryLeast {
				return 0, fmt.Errorf("-memory: %s is too little for any test; want at least 64MB", s)
			}
			return n * u.bytes, nil
		}
	}
	return 0, fmt.Errorf("-memory: want a size such as 2GB, or off, not %q", s)
}

const memoryLeast = 64 << 20

// tellLimits says once what this system does not do.
func (c *campaign) tellLimits() {
	switch {
	case proc.Shared() && runtime.GOOS == "linux":
	case proc.Shared():
		fmt.Fprintln(c.stderr, "allele test: memory is not limited on this system; a run that takes all of it is ended by the system, if at all")
	default:
		fmt.Fprintln(c.stderr, "allele test: memory is neither shared nor limited on this system: cases are noted in a file, which is slower, and a run that takes all memory is ended by the system, if at all")
	}
}
