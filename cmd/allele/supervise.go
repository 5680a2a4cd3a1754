package main

import (
	"crypto/sha256"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
)

// prepare looks into what an earlier campaign may have left of a property, and
// finds the folder of what is kept and what a process is told about it.
func (k *crew) prepare(r *result) (err error) {
	if k.folder, err = k.folderOf(k.property); err != nil {
		return err
	}
	for _, left := range proc.Left(k.folder) {
		k.note(k.property, "an earlier run was ended in the middle of an input; looking into that first")
		var one result
		if k.settle(left, &one); one.failed && !r.failed {
			*r = one
		}
	}
	if r.failed && !k.keepGoing {
		return nil
	}
	if err := corpus.Compact(k.folder, nil); err != nil {
		k.note(k.property, "what was kept could not be tidied: %v", err)
	}
	if !k.guided() {
		return nil
	}
	k.keeps = true
	k.hash, err = k.hashed(k.property)
	return err
}

// judge reports whether a property failed by what its process told and how that
// ended, and takes what it printed.
func (k *crew) judge(e *event.Event, d proc.Death) (failed bool) {
	said := e.Text
	e.Text = d.Out + d.Err + d.Stack
	if said != "" && e.Silent {
		e.Text = said + "\n" // the property has closed where tests print
	}
	switch {
	case k.keepGoing && (e.Verdict == event.Failed || e.Verdict == event.Unstable) && k.found() > 0:
		e.Text, e.Hot, e.Parted, e.Last = "", 0, nil, nil // all of it was told
		return true
	case d.Code == 0 && !d.Late:
		return false
	case e.Verdict != event.Passed:
		return !k.early(e)
	}
	// The search went well, and what came after it did not.
	e.Verdict, e.Crash = event.Crashed, fmt.Sprintf("all inputs passed, but then the test ended its process: %s", d.Text)
	if d.Late {
		e.Crash = "all inputs passed, but then the test did not end"
	} else if d.Code == 1 {
		e.Crash = "all inputs passed, but then the test failed"
	}
	return true
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

// judgedRuns is how many runs are enough to call a property vacuous when time is up.
const judgedRuns = 1000

// early reports whether a property was stopped before it could show that it checks
// something.
func (k *crew) early(e *event.Event) bool {
	short := k.campaign.stopped() || k.budget > 0 && e.Runs < judgedRuns
	if !short || e.Verdict != event.Vacuous {
		return false
	}
	e.Verdict = event.Aborted
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
	c.mu.Lock()
	defer c.mu.Unlock()
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

// settle has a fresh process look into the case that another one ended with.
func (k *crew) settle(slot string, r *result) {
	p := k.property
	s, err := proc.OpenSlot(slot)
	if err != nil {
		k.setAside(p, slot, err.Error())
		return
	}
	defer s.Close()
	now := s.Look()
	if !now.Running {
		s.Remove()
		return
	}
	conf := proc.Config{Job: k.workJob(job.Confirm, p), Env: onOne()}
	if now.Multicore {
		conf.Job, conf.Env = k.severalJob(job.Confirm, p), onSeveral()
		if conf.Path, err = k.plainBinary(p); err != nil {
			k.note(p, "the input that ended a process is kept in %s: %v", slot, err)
			return
		}
	}
	conf.Job.Confirm.Slot = slot
	d, events, err := k.process(p, conf)
	switch {
	case err != nil:
		k.note(p, "the input that ended a process could not be looked into: %v", err)
		return
	case k.killed():
		return // when the search goes on
	case len(events) > 0 && events[0].Kind == event.Note:
		k.setAside(p, slot, events[0].Text)
		return
	case len(events) == 0 || d.Code != 0 && events[0].Verdict == "":
		r.failed, r.Verdict, r.Text = true, event.Crashed, d.Out+d.Err+d.Stack
		r.Crash = "the input that ended its process could not be looked into; it is kept in " + slot
		return
	case events[0].Verdict != "":
		r.failed, r.Last, r.Verdict, r.Text = true, events[0].Last, events[0].Verdict, d.Out
		if events[0].Silent {
			r.Text = events[0].Text + "\n"
		}
		r.found = true
	case events[0].Kind == event.Found:
		r.known++
	}
	r.Input = events[0].Input
	switch events[0].Kind {
	case event.Found, event.Flaky:
		k.tellFound(events[0])
	default:
		k.tell(p, events[0])
	}
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
func (c *campaign) slot(folder string) (*proc.Slot, error) {
	c.mu.Lock()
	c.slots++
	n := c.slots
	c.mu.Unlock()
	s, err := proc.NewSlot(filepath.Join(folder, proc.SlotName(n)))
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

// workJob is what every process of a property is told.
func (c *campaign) workJob(mode job.Mode, p property) *job.Job {
	return &job.Job{Mode: mode, Property: p.Name, Claims: c.known(p), Limits: job.Limits{Run: c.hang, Memory: c.memory, Temp: c.temp},
		Program: job.Program{Sites: c.overlay.End()}}
}

// onOne is the environment of a process that has one processor.
func onOne() []string { return []string{"GOMAXPROCS=1", godebug(), haltOnRace()} }

// haltOnRace has the race detector end the process.
func haltOnRace() string {
	return "GORACE=" + strings.TrimPrefix(os.Getenv("GORACE")+" halt_on_error=1", " ")
}

// known is the file of the findings of a property that are known in this campaign.
func (c *campaign) known(p property) string {
	h := fnv.New64a()
	fmt.Fprint(h, p.Package, " ", p.Name)
	return filepath.Join(c.temp, fmt.Sprintf("known-%016x", h.Sum64()))
}

// searchJob is what a process that searches is told: whether it is the first, and
// whether one before it was ended by a run.
func (c *campaign) searchJob(p property, first, careful bool) *job.Job {
	j := c.workJob(job.Search, p)
	j.Program.Operands = c.compared[p.Package]
	j.Search = job.Params{Strategy: c.strategy, Tests: c.tests, Budget: c.budget, Seed: c.seed, Log: c.log, Save: c.saves, KeepGoing: c.keepGoing,
		Isolate: careful, Fresh: first && (c.seed != nil || c.anew)} // the same seed, the same runs
	return j
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
