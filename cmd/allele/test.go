//go:build go1.25

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/allele-go/allele/internal/ops/campaign"
	"github.com/allele-go/allele/internal/ops/dict"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/site"
)

const testUsage = `usage: allele test [flags] [packages]

Searches for inputs that make a property fail. A property is a call of allele.Check in a
test. A failing input is shrunk and stored in testdata/allele, where go test runs it again.
Each search starts from the inputs that earlier searches saved.

Example:
    go tool allele test -for 1m ./...

Flags:
`

// tester is the state of allele test. It is the listener of the campaign that it starts.
type tester struct {
	program
	limitFlags
	searchFlags
	viewFlags
	affected affected
	binaries binaries
	reporter reporter
	sites    map[uint32]site.Site
	reached  map[uint32]bool // numbers of the sites that were reached
}

// testCommand runs allele test.
func testCommand(args []string, stdout, stderr io.Writer) int {
	return testFor(command{name: "allele test"}, args, stdout, stderr)
}

// command is the command that the user has called.
type command struct {
	name string // for messages
	log  compilerLog
}

// testFor runs allele test for a command.
func testFor(c command, args []string, stdout, stderr io.Writer) int {
	name := c.name
	t := &tester{program: program{stderr: stderr}, reached: map[uint32]bool{}}
	t.log = c.log
	t.affected.program, t.binaries.program = &t.program, &t.program
	if err := t.parse(args, stdout); err != nil {
		return ended(name, err, stderr)
	}
	defer t.close()
	if t.unused > 0 {
		fmt.Fprintf(stderr, name+": -dict: %s of more than %d bytes, not used\n", count(t.unused, "word"), dict.WordMax)
	}
	t.show(stdout, stderr)
	failed, err := t.all()
	if t.overlay != nil && err == nil && len(t.overlay.Broken) > 0 {
		fmt.Fprintln(stderr, name+":", leftOut(t.overlay.Broken))
		failed = true
	}
	if err == nil && failed {
		return exitFailed
	}
	return ended(name, err, stderr)
}

func (t *tester) parse(args []string, stdout io.Writer) (err error) {
	f := newFlags("allele test", testUsage, stdout)
	t.buildFlags.register(f.FlagSet)
	t.buildFlags.registerSuites(f.FlagSet)
	t.limitFlags.register(f.FlagSet)
	t.searchFlags.register(f.FlagSet)
	t.viewFlags.register(f.FlagSet)
	pattern := f.String("run", "", "only properties whose name matches this `pattern`")
	f.StringVar(&t.affected.rev, "since", "", "only properties affected by changes since this git `revision`, and new ones")
	if err := f.parse(args); err != nil {
		return err
	}
	t.choose(f.Args())
	if err := t.choosePattern(*pattern); err != nil {
		return err
	}
	if err := t.limitFlags.check(f); err != nil {
		return err
	}
	t.limitFlags.given += f.given("dict")
	return t.searchFlags.check(f.FlagSet, t.dir)
}

// viewFlags are the flags for the output of a campaign.
type viewFlags struct {
	verbose, json bool
	cover         string // file for the coverage profile
}

func (v *viewFlags) register(f *flag.FlagSet) {
	f.BoolVar(&v.verbose, "v", false, "also print the statistics and the test output of each property")
	f.BoolVar(&v.json, "json", false, "print only events, as lines of JSON")
	f.StringVar(&v.cover, "coverprofile", "", "write a coverage profile to this `file`, for go tool cover")
}

// all builds the tests and runs all properties.
func (t *tester) all() (failed bool, err error) {
	start := time.Now()
	if err := t.affected.check(); err != nil {
		return false, err
	}
	t.faults, t.covers = t.guideFaults(), t.cover != ""
	if err := t.build(); err != nil {
		return false, t.log.broken(err)
	}
	if t.params.Guide.Faults, err = t.writeFaults(); err != nil {
		return false, err
	}
	for _, d := range t.overlay.Declined {
		fmt.Fprintln(t.stderr, "allele test:", d)
	}
	t.noteSites()
	all, listed := t.listAll()
	conf, err := t.campaignConfig()
	if err != nil {
		return !listed, err
	}
	props, err := t.affected.choose(all)
	if err != nil {
		return !listed, err
	}
	if t.params.Default {
		t.params.Budget = defaultBudget(len(props))
		conf.Search.Budget = t.params.Budget
	}
	if t.wantsOperands() && !t.goflags.Detects() {
		t.binaries.buildOperands(props, t.params, t.verbose)
	}
	if campaign.Strategy(t.params.Strategy).Breaks() && !t.goflags.Detects() {
		t.binaries.encoders.build(&t.program, encoded(props), t.verbose)
		defer t.binaries.encoders.close()
	}
	if t.reporter.events, err = event.Create(filepath.Join(t.work, "events.jsonl")); err != nil {
		return !listed, err
	}
	defer t.reporter.events.Close()
	defer listen(&t.launcher.All, t.stderr, stopping)()
	defer redraw(t.reporter.report)()
	t.reportStart(all, conf.CPUs(), time.Since(start))
	t.reportChosen(len(props))
	if len(all) == 0 {
		t.Report(property{}, event.Event{Kind: event.Stopped, Text: t.noneMatches()})
		return !listed || t.match != nil, nil // with a typing mistake in -run, nothing would ever be tested
	}
	warnLimits(t.stderr)
	failed, err = t.together(conf, props)
	if failed = failed || !listed; err != nil {
		return failed, err
	}
	if t.cover != "" {
		return failed, t.writeCover()
	}
	return failed, nil
}

// noteSites records the sites by their numbers, and says if the code under test has none.
func (t *tester) noteSites() {
	t.sites = map[uint32]site.Site{}
	for _, s := range t.overlay.Sites {
		t.sites[s.ID] = s
	}
	t.hintScope()
}

// noneMatches says that there is nothing to test.
func (t *tester) noneMatches() string {
	if t.match != nil {
		return fmt.Sprintf("no property matches -run %s; to run all properties, leave -run out", t.match)
	}
	return "no property matches; a property is a call of allele.Check in a test of these packages"
}

// listAll returns the properties that match. listed is false if some tests could not be
// listed, or if stored cases that no test runs are an error; the other properties can still run.
func (t *tester) listAll() (all []property, listed bool) {
	listed = true
	if t.verbose {
		t.lister().tell = func(text string) { fmt.Fprintln(t.stderr, "allele test:", text) }
	}
	part := map[string]bool{} // packages whose properties are not all known
	for _, b := range t.overlay.Broken {
		part[b.Path] = true
	}
	for _, test := range t.overlay.Tests {
		found, err := t.list(test)
		if err != nil {
			fmt.Fprintln(t.stderr, "allele test: cannot list the properties of", err)
			listed, part[test.Path] = false, true
		}
		all = append(all, found...)
	}
	if !t.reportStrays(all, part) {
		listed = false
	}
	unsure, ok := t.reportUnsure(all)
	t.affected.unsure, listed = unsure, listed && ok
	if len(all) == 0 && len(t.lister().unlisted) > 0 {
		fmt.Fprintln(t.stderr, "allele test: cannot list the properties of", errors.Join(t.lister().unlisted...))
		return nil, false
	}
	return all, listed
}

// campaignConfig returns the configuration of the campaign.
func (t *tester) campaignConfig() (c campaign.Config, err error) {
	c = campaign.Config{Supervisor: t.supervisor(t.limitFlags, t.verbose), Builds: &t.binaries, Listener: t,
		Search: t.params, Workers: t.workers, Even: os.Getenv("ALLELE_SUITE") == "even"}
	c.Corpus, err = corpusRoot()
	t.affected.corpus = c.Corpus
	return c, err
}

// Record records what a property has reached: for the coverage profile, and for a later
// -since.
func (t *tester) Record(p property, r campaign.Result) {
	for _, id := range r.Sites {
		t.reached[id] = true
	}
	if r.Verdict == event.Aborted || t.launcher.All.Stopped() && !r.Failed {
		return // the property has not run long enough to reach everything
	}
	if err := t.affected.remember(p, r, t.sites); err != nil {
		t.Report(p, event.Event{Kind: event.Note,
			Text: fmt.Sprintf("cannot record what this and later properties reach, so -since will run them: %v", err)})
	}
}
