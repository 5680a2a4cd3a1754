//go:build go1.25

package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/campaign"
	"github.com/allele-go/allele/internal/campaign/affected"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/launch"
	"github.com/allele-go/allele/internal/show/report"
	"github.com/allele-go/allele/internal/store/dict"
	"github.com/allele-go/allele/internal/testbin"
	"github.com/allele-go/allele/internal/testbin/cache"
	"github.com/allele-go/allele/internal/testbin/list"
	"github.com/allele-go/allele/internal/words"
)

// tester is the state of allele test. It is the listener of the campaign that it starts.
type tester struct {
	testbin.Program
	lister list.Lister
	limitFlags
	searchFlags
	viewFlags
	reporter
	pattern  string // of -run
	since    affected.Since
	binaries testbin.Binaries
	reached  map[uint32]bool // numbers of the sites that were reached
}

// testCommand sets up allele test.
func testCommand(f *flagSet) action { return newTester(f).test }

// newTester registers the flags of allele test.
func newTester(f *flagSet) *tester {
	t := &tester{reached: map[uint32]bool{}}
	p := &t.Program
	t.since.Program, t.binaries.Program, t.lister.Program, t.reporter.program = p, p, p, p
	buildFlags(f, &t.Settings)
	suitesFlag(f, &t.lister.Suites)
	t.limitFlags.register(f.FlagSet)
	t.searchFlags.register(f.FlagSet)
	t.viewFlags.register(f.FlagSet)
	f.StringVar(&t.pattern, "run", "", "only properties whose name matches this `pattern`")
	f.StringVar(&t.since.Rev, "since", "", "only properties affected by changes since this git `revision`, and new ones")
	return t
}

// test checks the flags, and searches. Messages begin with the name of the command that was called,
// which may be allele run.
func (t *tester) test(c *call) error {
	t.Stderr = c.stderr
	if err := t.check(c.flagSet); err != nil {
		return err
	}
	defer t.Close()
	name := c.command
	if t.unused > 0 {
		fmt.Fprintf(c.stderr, name+": -dict: %s of more than %d bytes, not used\n", words.Count(t.unused, "word"), dict.WordMax)
	}
	t.show(c)
	failed, err := t.search()
	if t.Overlay != nil && err == nil && len(t.Overlay.Broken) > 0 {
		fmt.Fprintln(c.stderr, name+":", leftOut(t.Overlay.Broken))
		failed = true
	}
	return unless(!failed, err)
}

// check returns an error for invalid flags.
func (t *tester) check(f *flagSet) error {
	if err := choose(&t.Settings, f.Args(), t.pattern); err != nil {
		return err
	}
	if err := t.limitFlags.check(f); err != nil {
		return err
	}
	t.limitFlags.given += f.given("dict")
	return t.searchFlags.check(f.FlagSet, t.Dir)
}

// show chooses how the campaign is shown. It also replaces t.Stderr, so that texts that
// are not events do not damage the table.
func (t *tester) show(c *call) {
	conf := report.Config{
		Verbose: t.verbose, Place: t.placeOf, Where: t.Where, File: t.File,
		Commands: report.Commands(commandsWith(&t.Program, t.limitFlags.given)),
		Resumes:  !t.params.Fresh && t.keeps(), Default: t.params.Default,
	}
	if conf.At(c.stdout, c.stderr, os.Getenv); t.json {
		conf.Mode = report.JSON
	}
	t.report = report.New(conf)
	t.Stderr = t.report.Stderr()
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

// search builds the tests and runs all properties.
func (t *tester) search() (failed bool, err error) {
	start := time.Now()
	if err := t.since.Check(); err != nil {
		return false, err
	}
	t.Faults, t.Covers = t.faults(), t.cover != ""
	if err := t.Build(); err != nil {
		return false, t.Log.Broken(err)
	}
	if t.params.Guide.Faults, err = writeFaults(&t.Program, t.params.Experiment != nil && t.params.Experiment.Guide.Half); err != nil {
		return false, err
	}
	for _, d := range t.Overlay.Declined {
		fmt.Fprintln(t.Stderr, "allele test:", d)
	}
	t.noteSites(t.Overlay.Sites)
	hintScope(&t.Program)
	all, unsure, listed := t.listAll()
	conf, err := t.campaignConfig()
	if err != nil {
		return !listed, err
	}
	props, why, err := t.since.Choose(all)
	if err != nil {
		return !listed, err
	}
	if t.params.Default {
		t.params.Budget = defaultBudget(len(props))
		conf.Search.Budget = t.params.Budget
	}
	if t.wantsOperands() && !t.InForce.Detects() {
		t.binaries.PrepareOperands(props, t.params, t.verbose)
	}
	if t.params.Breaks() && !t.InForce.Detects() {
		t.binaries.Encoders.Build(&t.Program, testbin.Encoded(props), t.verbose)
		defer t.binaries.Encoders.Close()
	}
	if t.events, err = event.Create(filepath.Join(t.Work, "events.jsonl")); err != nil {
		return !listed, err
	}
	defer t.events.Close()
	defer listen(&t.Launcher.All, t.Stderr, stopping)()
	defer redraw(t.report)()
	t.reportStart(all, conf.CPUs(), time.Since(start))
	t.reportChosen(why, sinceChoice{rev: t.since.Rev, run: len(props), unsure: unsure, verbose: t.verbose})
	if len(all) == 0 {
		t.Report(launch.Property{}, event.Stopped{Text: t.noneMatches()})
		return !listed || t.Match != nil, nil // with a typing mistake in -run, nothing would ever be tested
	}
	warnLimits(t.Stderr)
	failed, err = t.together(conf, props)
	if failed = failed || !listed; err != nil {
		return failed, err
	}
	if t.cover != "" {
		return failed, t.WriteCover(t.cover, t.reached)
	}
	return failed, nil
}

// together runs properties together with other hosts, if there are any.
func (t *tester) together(c campaign.Config, props []launch.Property) (failed bool, err error) {
	if t.share != "" {
		disconnect, err := connect(&c, t.share)
		if err != nil {
			return false, err
		}
		defer func() {
			t.Report(launch.Property{}, event.Note{Text: disconnect(t.Relative(t.share))})
		}()
	}
	return campaign.New(c).Run(props)
}

// reportStart reports the properties, and what was built for them.
func (t *tester) reportStart(all []launch.Property, workers int, took time.Duration) {
	for _, b := range t.Overlay.Broken {
		text := strings.TrimSpace(b.String() + "\n" + advice(b.Text))
		t.Report(launch.Property{Package: b.Path}, event.Omitted{Text: text})
	}
	for _, p := range all {
		t.Report(p, event.Listed{Test: p.Test})
	}
	text := fmt.Sprintf("built %s · %s · %s",
		words.Count(len(t.Overlay.Dirs()), "package"), words.Count(len(t.sites), "site"), words.Properties(len(all)))
	t.Report(launch.Property{}, event.Started{Seconds: took.Seconds(), Budget: t.params.Budget.Seconds(),
		Workers: workers, Text: text})
}

// noneMatches says that there is nothing to test.
func (t *tester) noneMatches() string {
	if t.Match != nil {
		return fmt.Sprintf("no property matches -run %s; to run all properties, leave -run out", t.Match)
	}
	return "no property matches; a property is a call of allele.Check in a test of these packages"
}

// listAll returns the properties that match. listed is false if some tests could not be
// listed, or if stored cases that no test runs are an error; the other properties can still run.
// Of unsure tests, nobody knows what their properties reach.
func (t *tester) listAll() (all []launch.Property, unsure int, listed bool) {
	listed = true
	if t.verbose {
		t.lister.Tell = func(text string) { fmt.Fprintln(t.Stderr, "allele test:", text) }
	}
	part := map[string]bool{} // packages whose properties are not all known
	for _, b := range t.Overlay.Broken {
		part[b.Path] = true
	}
	for _, test := range t.Overlay.Tests {
		found, err := t.lister.List(test)
		if err != nil {
			fmt.Fprintln(t.Stderr, "allele test: cannot list the properties of", err)
			listed, part[test.Path] = false, true
		}
		all = append(all, found...)
	}
	if !reportStrays(&t.lister, all, part) {
		listed = false
	}
	unsure, ok := reportUnsure(&t.lister, all)
	listed = listed && ok
	if len(all) == 0 && len(t.lister.Unlisted) > 0 {
		fmt.Fprintln(t.Stderr, "allele test: cannot list the properties of", errors.Join(t.lister.Unlisted...))
		return nil, unsure, false
	}
	return all, unsure, listed
}

// campaignConfig returns the configuration of the campaign.
func (t *tester) campaignConfig() (c campaign.Config, err error) {
	c = campaign.Config{Supervisor: supervisor(&t.Program, t.limitFlags, t.verbose), Builds: &t.binaries, Listener: t,
		Search: t.params, Workers: t.workers}
	c.Corpus, err = cache.Corpora()
	t.since.Corpus = c.Corpus
	return c, err
}

// Record records what a property has reached: for the coverage profile, and for a later
// -since.
func (t *tester) Record(p launch.Property, r campaign.Result) {
	for _, id := range r.Reach.Sites {
		t.reached[id] = true
	}
	if r.Verdict == event.Aborted || t.Launcher.All.Stopped() && !r.Failed {
		return // the property has not run long enough to reach everything
	}
	if err := t.since.Remember(p, r, t.sites); err != nil {
		t.Report(p, event.Note{Text: fmt.Sprintf("cannot record what this and later properties reach, so -since will run them: %v", err)})
	}
}
