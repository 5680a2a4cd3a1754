package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/build"
)

// campaign is one run of allele test.
type campaign struct {
	dir, run, seed, tests, tags, mod, scope, work, log string
	strategy, operands                                 string
	budget                                             time.Duration
	race, verbose, commands, keepWork                  bool
	cover                                              string
	patterns                                           []string
	hang                                               time.Duration
	memory                                             int64

	stdout, stderr io.Writer
	sites          map[uint32]site.Site
	reached        map[uint32]bool
	overlay        *build.Overlay
	flags          []string
	compared       map[string]string // package -> its operand binary
	slots          int               // made so far
	interrupt
}

func test(args []string, stdout, stderr io.Writer) int {
	c := &campaign{stdout: stdout, stderr: stderr, reached: map[uint32]bool{}}
	if err := c.parse(args); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(stderr, "allele test:", err)
		}
		return exitUsage
	}
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

func (c *campaign) parse(args []string) error {
	f := flag.NewFlagSet("allele test", flag.ContinueOnError)
	f.SetOutput(c.stderr)
	f.StringVar(&c.dir, "C", "", "change to this `folder` first")
	f.StringVar(&c.run, "run", "", "only properties whose name matches this `pattern`")
	f.DurationVar(&c.budget, "for", 0, "share this `time` among the properties, instead of a number of tests")
	f.StringVar(&c.tests, "tests", "", "`number` of passed runs each property wants")
	f.StringVar(&c.seed, "seed", "", "seed of the random inputs, a `number` or random")
	f.StringVar(&c.strategy, "strategy", "", "the `way` to search: guided by the paths of runs, which is the default, random, or one of the papers': mutagen, fuzzchick")
	f.StringVar(&c.log, "log", "", "write a line to this `file` for every input that is kept, and why, and for one that fails")
	f.StringVar(&c.operands, "operands", "auto", "look for what inputs are compared with, in a second build and process: auto or `off`")
	f.StringVar(&c.scope, "scope", "", "rewrite these packages as well: a `list` of import paths with commas, of other modules or the standard library; x/... is x and all below it")
	f.StringVar(&c.tags, "tags", "", "build `tags`")
	f.StringVar(&c.mod, "mod", "", "module download `mode`, as for go build")
	memory := f.String("memory", "4GB", "how much memory a process may take: a `size`, or off")
	f.DurationVar(&c.hang, "hang", 10*time.Second, "how long one run may take, a `time`; the run that takes longer is a finding")
	f.BoolVar(&c.race, "race", false, "build with the race detector")
	f.BoolVar(&c.verbose, "v", false, "show what each property did")
	f.BoolVar(&c.commands, "x", false, "print the commands")
	f.BoolVar(&c.keepWork, "work", false, "print the work folder")
	f.StringVar(&c.cover, "coverprofile", "", "write what was reached to a `file` for go tool cover")
	if err := f.Parse(args); err != nil {
		return err
	}
	if c.patterns = f.Args(); len(c.patterns) == 0 {
		c.patterns = []string{"."}
	}
	if _, err := regexp.Compile(c.run); err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	if err := c.parseNumbers(*memory); err != nil {
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
	for _, v := range []struct{ name, value string }{{"-tags", c.tags}, {"-mod", c.mod}} {
		if v.value != "" {
			c.flags = append(c.flags, v.name+"="+v.value)
		}
	}
	if c.race {
		c.flags = append(c.flags, "-race")
	}
	return nil
}

// parseNumbers checks the flags that are numbers, sizes and times.
func (c *campaign) parseNumbers(memory string) (err error) {
	for _, v := range []struct{ name, value string }{{"-tests", c.tests}, {"-seed", c.seed}} {
		if _, err := strconv.ParseUint(v.value, 10, 64); err != nil && v.value != "" && !(v.name == "-seed" && v.value == "random") {
			return fmt.Errorf("%s: want a number, not %q", v.name, v.value)
		}
	}
	if n, err := strconv.ParseUint(c.tests, 10, 64); err == nil && n == 0 {
		return errors.New("-tests: want a number above 0: a property that is never run says nothing")
	}
	if c.memory, err = parseMemory(memory); err != nil {
		return err
	}
	if c.hang <= 0 {
		return fmt.Errorf("-hang: want a time above 0, not %v", c.hang)
	}
	if c.budget < 0 {
		return fmt.Errorf("-for: want a time above 0, not %v", c.budget)
	}
	return nil
}

// all builds everything, then runs one property after the other.
func (c *campaign) all() (failed bool, err error) {
	start := time.Now()
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
	c.buildOperands(props)
	fmt.Fprintf(c.stdout, "built %s · %s · %s %35s\n", count(len(c.overlay.Dirs()), "package"), count(len(c.sites), "site"), properties(len(props)), time.Since(start).Round(100*time.Millisecond))
	if len(props) == 0 {
		fmt.Fprintln(c.stdout, "no property matches; a property is a call of allele.Check in a test of these packages")
		return failed, nil
	}
	fmt.Fprintf(c.stdout, "%-40s %9s %7s %7s %7s\n", "property", "runs", "/s", "passed", "paths")
	c.tellLimits()
	defer c.listen()()
	for i, p := range props {
		bad, err := c.runOne(p, len(props))
		if err != nil {
			return failed, err
		}
		failed = failed || bad
		if c.stopped() {
			c.tellStopped(len(props) - i - 1)
			break
		}
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
	return os.MkdirAll(c.work, 0o777)
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

// event is a line from a test binary.
type event struct {
	Property, Test, Verdict string
	Runs, Passed, Discarded int
	Paths, Spawned          int
	Sites                   []uint32
	Hot                     uint32
	Parted, Last            []uint32
	Search                  searched
	Unlogged                string
	Operands                struct {
		Asked, Died int
		Off         string
	}
}

// list asks a binary for its properties. Only tests that may have one are run.
func (c *campaign) list(pkg string, tests []string) ([]property, error) {
	if len(tests) == 0 {
		return nil, nil
	}
	p := property{Package: pkg, Dir: c.folder(pkg)}
	d, events, err := c.exec(p, proc.Config{Env: []string{"ALLELE_WORK=list"}, Args: []string{"-test.run=^(" + strings.Join(tests, "|") + ")$"}})
	if err != nil {
		return nil, err
	}
	out := strings.TrimSpace(d.Out + d.Err + d.Stack)
	if d.Code != 0 && len(events) == 0 {
		return nil, fmt.Errorf("%s: %s\n%s", pkg, d.Text, out)
	}
	if d.Code != 0 {
		fmt.Fprintf(c.stderr, "allele test: %s: a test failed while properties were listed, and what comes after that in it is missing: %s\n%s\n", pkg, d.Text, out)
	}
	match := regexp.MustCompile(c.run)
	var found []property
	// Parallel tests tell in any order.
	slices.SortStableFunc(events, func(a, b event) int { return strings.Compare(a.Property, b.Property) })
	for _, e := range events {
		p.Name, p.Test = e.Property, e.Test
		if match.MatchString(e.Property) && !slices.Contains(found, p) {
			found = append(found, p)
		}
	}
	return found, nil
}

func (c *campaign) folder(pkg string) string {
	for _, s := range c.overlay.Dirs() {
		if s.Path == pkg {
			return s.Dir
		}
	}
	return c.dir
}

// runOne runs one property and prints its line, and its report if it failed.
func (c *campaign) runOne(p property, of int) (failed bool, err error) {
	r, err := c.search(p, c.budget/time.Duration(of))
	if err != nil {
		return false, err
	}
	for _, id := range r.Sites {
		c.reached[id] = true
	}
	for _, note := range r.notes {
		fmt.Fprintln(c.stderr, "allele test:", note)
	}
	if r.crashed != "" {
		fmt.Fprintf(c.stdout, "%-40s %9s %7s %7s %7s  CRASHED: %s\n%s\n", p, "-", "-", "-", "-", r.crashed, strings.TrimSpace(r.out))
		return true, nil
	}
	rate := float64(r.runs) / max(r.took.Seconds(), 0.001)
	share := 100 * r.Passed / max(1, r.Passed+r.Discarded)
	fmt.Fprintf(c.stdout, "%-40s %9s %7s %5d %% %7s  %s\n", p, group(r.runs), brief(rate), share, group(r.Paths), state(r.event))
	c.tellOperands(p, r.event)
	if r.Unlogged != "" {
		fmt.Fprintf(c.stderr, "allele test: -log: %s: the log is not whole: %s\n", p, r.Unlogged)
	}
	if c.verbose {
		fmt.Fprint(c.stdout, r.Search)
	}
	if r.failed || c.verbose {
		fmt.Fprint(c.stdout, r.out)
	}
	if r.failed {
		c.tellPlaces(r.event)
	}
	return r.failed, nil
}

// tellPlaces names what a binary knows by its number only.
func (c *campaign) tellPlaces(e event) {
	if s, ok := c.sites[e.Hot]; ok {
		fmt.Fprintf(c.stdout, "    hottest: %s\n", c.place(s))
	}
	if len(e.Parted) == 3 {
		c.tellParted(e.Parted)
	} else if e.Verdict == "flaky" {
		fmt.Fprintln(c.stdout, "    the run that failed and one that passed went the same way: they differ in values only")
	}
	for i, id := range e.Last {
		if s, ok := c.sites[id]; ok && i == 0 {
			fmt.Fprintf(c.stdout, "    the last places before the end, the latest first:\n        %s\n", c.place(s))
		} else if ok {
			fmt.Fprintf(c.stdout, "        %s\n", c.place(s))
		}
	}
}

// tellParted says where two runs of one input part.
func (c *campaign) tellParted(at []uint32) {
	for i, text := range []string{"both runs came to          ", "the one that failed went to", "the one that passed went to"} {
		where := "its end"
		if s, ok := c.sites[at[i]]; ok {
			where = c.place(s)
		} else if i == 0 {
			where = "their beginning"
		}
		fmt.Fprintf(c.stdout, "    %s  %s\n", text, where)
	}
}

func (c *campaign) place(s site.Site) string {
	return fmt.Sprintf("%s in %s, %s:%d", s.Kind, s.Func, c.relative(s.File), s.Line)
}

// godebug keeps what the user has set.
func godebug() string {
	const ours = "asyncpreemptoff=1"
	if user := os.Getenv("GODEBUG"); user != "" {
		return "GODEBUG=" + user + "," + ours
	}
	return "GODEBUG=" + ours
}

func state(e event) string {
	switch {
	case e.Verdict == "passed" && e.Spawned > 0:
		return fmt.Sprintf("ok; %s started goroutines: judged by the places they reached, not their order", count(e.Spawned, "run"))
	case e.Verdict == "passed":
		return "ok"
	}
	return strings.ToUpper(e.Verdict)
}

func (c *campaign) relative(file string) string {
	if dir, err := filepath.Abs(c.dir); err == nil {
		if r, err := filepath.Rel(dir, file); err == nil && !strings.HasPrefix(r, "..") {
			return r
		}
	}
	return file
}

// exec runs a test binary in the folder of its package and reads what it tells.
func (c *campaign) exec(p property, conf proc.Config) (d proc.Death, events []event, err error) {
	told, err := os.CreateTemp(c.work, "events-*") // another run may be at work here
	if err != nil {
		return d, nil, err
	}
	file := told.Name()
	told.Close()
	defer os.Remove(file)
	conf.Path, conf.Dir = c.binary(p.Package), p.Dir
	conf.Args = append(conf.Args, "-test.timeout=0")
	if c.commands {
		fmt.Fprintf(c.stderr, "cd %s && %s %s %s\n", p.Dir, strings.Join(conf.Env, " "), conf.Path, strings.Join(conf.Args, " "))
	}
	conf.Env = append(conf.Env, "ALLELE_OUT="+file)
	process, err := proc.Start(conf)
	if err != nil {
		return d, nil, err
	}
	defer c.watch(process)()
	d = process.Wait()
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return d, nil, err
	}
	for line := range bytes.Lines(data) {
		var e event
		if json.Unmarshal(line, &e) == nil { // a line cut off by a crash is no line
			events = append(events, e)
		}
	}
	return d, events, nil
}
