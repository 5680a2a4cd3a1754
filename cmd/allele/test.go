package main

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/ops/report"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/build"
)

// campaign is one run of allele test.
type campaign struct {
	dir, run, tags, mod, scope, work, log          string
	seed                                           *uint64
	tests                                          int
	strategy, operands                             string
	budget                                         time.Duration
	race, verbose, commands, keepWork, saves, json bool
	cover                                          string
	patterns                                       []string
	hang                                           time.Duration
	memory                                         int64
	workers                                        int
	keepGoing                                      bool
	until                                          time.Time // when the budget is spent; zero if there is none
	temp                                           string    // for what is needed while this runs
	tempLock                                       *os.File

	stdout, stderr io.Writer
	sites          map[uint32]site.Site
	reached        map[uint32]bool
	events         *event.Writer // of this campaign
	overlay        *build.Overlay
	flags          []string
	compared       map[string]string // package -> its operand binary
	slots          int               // made so far
	anew           bool
	report         *report.Report
	unwritten      bool // an event could not be logged, which was said
	affected       affected
	telling        sync.Mutex
	hashes         map[string]string // package -> hash of its binary
	plain          map[string]string // package -> its binary without probes
	processes      company           // all that are under way
	mu             sync.Mutex        // of slots and plain
}

func test(args []string, stdout, stderr io.Writer) int {
	c := &campaign{stdout: stdout, stderr: stderr, reached: map[uint32]bool{}}
	if err := c.parse(args); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(stderr, "allele test:", err)
		}
		return exitUsage
	}
	defer c.removeTemp()
	c.show(stdout, stderr)
	failed, err := c.all()
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "allele test:", err)
		return exitUsage
	case failed:
		return exitFailed
	}
	return exitOK
}

// strategies is what -strategy takes; package engine knows them.
var strategies = []string{"guided", "random", "mutagen", "fuzzchick"}

// guided reports whether the search is our own: the others are there to compare with,
// so they begin from nothing, and share and keep nothing.
func (c *campaign) guided() bool { return c.strategy == "" || c.strategy == "guided" }

func (c *campaign) parse(args []string) error {
	f := flag.NewFlagSet("allele test", flag.ContinueOnError)
	f.SetOutput(c.stderr)
	c.buildFlags(f)
	f.StringVar(&c.run, "run", "", "only properties whose name matches this `pattern`")
	f.StringVar(&c.affected.rev, "since", "", "only properties that a change since this git `revision` may matter to, and new ones")
	f.DurationVar(&c.budget, "for", 0, "spend this `time` on all properties together, instead of a number of tests on each")
	tests := f.String("tests", "", "`number` of passed runs each property wants")
	seed := f.String("seed", "", "seed of the random inputs, a `number` or random")
	f.StringVar(&c.strategy, "strategy", "", "the `way` to search: guided by the paths of runs, which is the default, random, or one of the papers': mutagen, fuzzchick")
	f.StringVar(&c.log, "log", "", "write a line to this `file` for every input that is kept, and why, and for one that fails")
	f.StringVar(&c.operands, "operands", "auto", "look for what inputs are compared with, in a second build and process: auto or `off`")
	memory := c.limitFlags(f)
	f.IntVar(&c.workers, "workers", 0, "`number` of processes at work at a time (default one for each processor with -for, else 1)")
	f.BoolVar(&c.keepGoing, "keep-going", false, "look for other failures of a property when one is found (default with -for)")
	f.BoolVar(&c.anew, "anew", false, "begin anew: do not go on with the inputs that earlier runs kept")
	f.BoolVar(&c.saves, "save", false, "write a few inputs that pass to testdata, for go test to begin with")
	f.BoolVar(&c.verbose, "v", false, "show what each property did")
	f.BoolVar(&c.json, "json", false, "print what happens as lines of JSON, and nothing else")
	f.StringVar(&c.cover, "coverprofile", "", "write what was reached to a `file` for go tool cover")
	if err := f.Parse(args); err != nil {
		return err
	}
	said := false
	f.Visit(func(f *flag.Flag) { said = said || f.Name == "keep-going" })
	c.keepGoing = c.keepGoing || !said && c.budget > 0
	if c.patterns = f.Args(); len(c.patterns) == 0 {
		c.patterns = []string{"."}
	}
	if _, err := regexp.Compile(c.run); err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	if err := c.parseNumbers(*memory); err != nil {
		return err
	}
	if err := c.parseSearch(*tests, *seed); err != nil {
		return err
	}
	if c.strategy != "" && !slices.Contains(strategies, c.strategy) {
		return fmt.Errorf("-strategy: there is no %q; there are %s", c.strategy, strings.Join(strategies, ", "))
	}
	if c.log != "" {
		if err := c.startLog(); err != nil {
			return fmt.Errorf("-log: %w", err)
		}
	}
	if c.operands != "auto" && c.operands != "off" {
		return fmt.Errorf("-operands: there is no %q; there are auto and off", c.operands)
	}
	if c.saves && !c.guided() {
		return fmt.Errorf("-save: -strategy %s keeps no inputs; do without one of them", c.strategy)
	}
	c.goFlags()
	return nil
}

// parseSearch reads -tests and -seed. A random seed is chosen here, so that all
// processes have the same.
func (c *campaign) parseSearch(tests, seed string) error {
	if n, err := strconv.ParseUint(tests, 10, 64); err == nil && n == 0 {
		return errors.New("-tests: want a number above 0: a property that is never run says nothing")
	} else if err != nil && tests != "" {
		return fmt.Errorf("-tests: want a number, not %q", tests)
	} else {
		c.tests = int(min(n, math.MaxInt32))
	}
	n, err := strconv.ParseUint(seed, 10, 64)
	switch {
	case seed == "":
		return nil
	case seed == "random":
		n = uint64(rand.Uint32())
	case err != nil:
		return fmt.Errorf("-seed: want a number, not %q", seed)
	}
	c.seed = &n
	return nil
}

// parseNumbers checks the flags that are numbers, sizes and times.
func (c *campaign) parseNumbers(memory string) (err error) {
	if c.memory, err = parseMemory(memory); err != nil {
		return err
	}
	if c.hang <= 0 {
		return fmt.Errorf("-hang: want a time above 0, not %v", c.hang)
	}
	if c.workers < 0 || c.workers > workersMost {
		return fmt.Errorf("-workers: want a number from 1 to %d, not %d", workersMost, c.workers)
	}
	if c.budget < 0 {
		return fmt.Errorf("-for: want a time above 0, not %v", c.budget)
	}
	return nil
}

// all builds everything, then runs all properties.
func (c *campaign) all() (failed bool, err error) {
	start := time.Now()
	if err := c.checkSince(); err != nil {
		return false, err
	}
	if err := c.build(); err != nil {
		return false, err
	}
	var props []property
	for _, t := range c.overlay.Tests {
		found, err := c.list(t.Path, t.Names)
		if err != nil {
			fmt.Fprintln(c.stderr, "allele test: list the properties of", err) // others can still run
			failed = true
		}
		props = append(props, found...)
	}
	all := props
	if props, err = c.choose(all); err != nil {
		return failed, err
	}
	c.buildOperands(props)
	if c.events, err = event.Create(filepath.Join(c.work, "events.jsonl")); err != nil {
		return failed, err
	}
	defer c.events.Close()
	defer c.listen()()
	defer c.redraw()()
	for _, p := range all {
		c.tell(p, event.Event{Kind: event.Listed, Test: p.Test})
	}
	c.tell(property{}, event.Event{Kind: event.Started, Seconds: time.Since(start).Seconds(), Budget: c.budget.Seconds(), Workers: c.lanesWanted(),
		Text: fmt.Sprintf("built %s · %s · %s", count(len(c.overlay.Dirs()), "package"), count(len(c.sites), "site"), properties(len(all)))})
	c.tellChosen(len(props))
	if len(all) == 0 {
		c.tell(property{}, event.Event{Kind: event.Stopped, Text: "no property matches; a property is a call of allele.Check in a test of these packages"})
		return failed, nil
	}
	c.tellLimits()
	bad, err := c.runAll(props)
	if failed = failed || bad; err != nil {
		return failed, err
	}
	if c.cover != "" {
		return failed, c.writeCover()
	}
	return failed, nil
}

// workFolder is in the user's cache, one for each folder and set of flags, so
// that building again builds nothing.
func (c *campaign) workFolder() error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(c.dir)
	if err != nil {
		return err
	}
	h := fnv.New64a()
	fmt.Fprint(h, dir, c.flags, c.scope)
	c.work = filepath.Join(cache, "allele", fmt.Sprintf("%s-%016x", filepath.Base(dir), h.Sum64()))
	if c.keepWork {
		fmt.Fprintln(c.stderr, "WORK="+c.work)
	}
	if err := os.MkdirAll(c.work, 0o777); err != nil {
		return err
	}
	return c.makeTemp()
}

func (c *campaign) binary(pkg string) string {
	return filepath.Join(c.work, "bin", filepath.FromSlash(pkg)+".test")
}

// property is a Check in a test binary.
type property struct {
	Package string
	Name    string
	Test    string // that it is in
	Dir     string
}

func (p property) String() string {
	return p.Package[strings.LastIndexByte(p.Package, '/')+1:] + "." + p.Name
}

// testName is what -test.run needs.
func (p property) testName() string {
	parts := strings.Split(p.Test, "/")
	for i := range parts {
		parts[i] = "^" + regexp.QuoteMeta(parts[i]) + "$"
	}
	return strings.Join(parts, "/")
}

func (c *campaign) folder(pkg string) string {
	for _, s := range c.overlay.Dirs() {
		if s.Path == pkg {
			return s.Dir
		}
	}
	return c.dir
}

// godebug keeps what the user has set.
func godebug() string {
	const ours = "asyncpreemptoff=1"
	if user := os.Getenv("GODEBUG"); user != "" {
		return "GODEBUG=" + user + "," + ours
	}
	return "GODEBUG=" + ours
}

func (c *campaign) relative(file string) string {
	if dir, err := filepath.Abs(c.dir); err == nil {
		if r, err := filepath.Rel(dir, file); err == nil && !strings.HasPrefix(r, "..") {
			return r
		}
	}
	return file
}

// hearEvery is how often it is looked what a process tells.
const hearEvery = 100 * time.Millisecond

// exec runs a test binary in the folder of its package and reads what it tells.
func (c *campaign) exec(p property, conf proc.Config, with ...*company) (d proc.Death, events []event.Event, err error) {
	told, err := os.CreateTemp(c.temp, "events-*")
	if err != nil {
		return d, nil, err
	}
	file := told.Name()
	told.Close()
	defer os.Remove(file)
	if conf.Dir = p.Dir; conf.Path == "" {
		conf.Path = c.binary(p.Package)
	}
	conf.Args = append(conf.Args, "-test.timeout=0")
	if c.commands {
		fmt.Fprintf(c.stderr, "cd %s && %s %s=%s %s %s\n", p.Dir, strings.Join(conf.Env, " "), job.Variable, shellWord(conf.Job.Encode()), conf.Path, strings.Join(conf.Args, " "))
	}
	conf.Job.Events = file
	process, err := proc.Start(conf)
	if err != nil {
		return d, nil, err
	}
	for _, company := range append(with, &c.processes) {
		defer company.enter(process)()
	}
	ended := make(chan struct{})
	go func() {
		d = process.Wait()
		close(ended)
	}()
	tail := event.Tail{File: file} // a line cut off by a crash is no line
	for over := false; !over; {
		select {
		case <-ended:
			over = true
		case <-time.After(hearEvery):
		}
		for more := tail.Next(); len(more) > 0; more = tail.Next() {
			events = append(events, more...)
			for _, e := range more {
				for _, company := range with {
					if company.hear != nil {
						company.hear(e)
					}
				}
			}
		}
	}
	return d, events, nil
}
