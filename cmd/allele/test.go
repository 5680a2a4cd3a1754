package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/allele-go/allele/internal/ops/campaign"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/site"
)

// tester is allele test. It is the listener of the campaign that it starts.
type tester struct {
	program
	limitFlags
	searchFlags
	viewFlags
	match    *regexp.Regexp // names of properties to run
	affected affected
	binaries binaries
	teller   teller
	sites    map[uint32]site.Site
	reached  map[uint32]bool // sites
}

// testCommand is allele test.
func testCommand(args []string, stdout, stderr io.Writer) int {
	t := &tester{program: program{stderr: stderr}, reached: map[uint32]bool{}}
	t.affected.program, t.binaries.program = &t.program, &t.program
	if err := t.parse(args); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(stderr, "allele test:", err)
		}
		return exitUsage
	}
	defer t.close()
	t.show(stdout, stderr)
	failed, err := t.all()
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "allele test:", err)
		return exitUsage
	case failed:
		return exitFailed
	}
	return exitOK
}

func (t *tester) parse(args []string) (err error) {
	f := flag.NewFlagSet("allele test", flag.ContinueOnError)
	f.SetOutput(t.stderr)
	t.buildFlags.register(f)
	t.limitFlags.register(f)
	t.searchFlags.register(f)
	t.viewFlags.register(f)
	pattern := f.String("run", "", "only properties whose name matches this `pattern`")
	f.StringVar(&t.affected.rev, "since", "", "only properties that a change since this git `revision` may matter to, and new ones")
	if err := f.Parse(args); err != nil {
		return err
	}
	t.choose(f.Args())
	if t.match, err = regexp.Compile(*pattern); err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	if err := t.limitFlags.check(); err != nil {
		return err
	}
	return t.searchFlags.check(f, t.dir)
}

// viewFlags say what is shown of a campaign.
type viewFlags struct {
	verbose, json bool
	cover         string // file
}

func (v *viewFlags) register(f *flag.FlagSet) {
	f.BoolVar(&v.verbose, "v", false, "show what each property did")
	f.BoolVar(&v.json, "json", false, "print what happens as lines of JSON, and nothing else")
	f.StringVar(&v.cover, "coverprofile", "", "write what was reached to a `file` for go tool cover")
}

// all builds everything, then runs all properties.
func (t *tester) all() (failed bool, err error) {
	start := time.Now()
	if err := t.affected.check(); err != nil {
		return false, err
	}
	if err := t.build(); err != nil {
		return false, err
	}
	t.sites = map[uint32]site.Site{}
	for _, s := range t.overlay.Sites {
		t.sites[s.ID] = s
	}
	all, listed := t.listAll()
	conf, err := t.campaignConfig()
	if err != nil {
		return !listed, err
	}
	props, err := t.affected.choose(all)
	if err != nil {
		return !listed, err
	}
	if t.wantsOperands() && !t.race {
		t.binaries.buildOperands(props, t.verbose)
	}
	if t.teller.events, err = event.Create(filepath.Join(t.work, "events.jsonl")); err != nil {
		return !listed, err
	}
	defer t.teller.events.Close()
	defer listen(&t.launcher.All, t.stderr)()
	defer t.teller.redraw()()
	t.tellStart(all, conf.CPUs(), time.Since(start))
	t.tellChosen(len(props))
	if len(all) == 0 {
		t.Report(property{}, event.Event{Kind: event.Stopped,
			Text: "no property matches; a property is a call of allele.Check in a test of these packages"})
		return !listed, nil
	}
	tellLimits(t.stderr)
	failed, err = campaign.New(conf).Run(props)
	if failed = failed || !listed; err != nil {
		return failed, err
	}
	if t.cover != "" {
		return failed, t.writeCover()
	}
	return failed, nil
}

// listAll gives the properties that match, and reports false if some tests could not
// be asked; properties of the others can still run.
func (t *tester) listAll() (all []property, listed bool) {
	listed = true
	for _, test := range t.overlay.Tests {
		found, err := t.list(test, t.match)
		if err != nil {
			fmt.Fprintln(t.stderr, "allele test: list the properties of", err)
			listed = false
		}
		all = append(all, found...)
	}
	return all, listed
}

// campaignConfig is what the flags and the build say about the campaign.
func (t *tester) campaignConfig() (c campaign.Config, err error) {
	c = campaign.Config{Supervisor: t.supervisor(t.limits, t.verbose), Builds: &t.binaries, Listener: t,
		Search: t.params, Workers: t.workers, Even: os.Getenv("ALLELE_SUITE") == "even"}
	c.Corpus, err = corpusRoot()
	t.affected.corpus = c.Corpus
	return c, err
}

// Record keeps what a property has reached: for the cover profile, and for a later
// -since.
func (t *tester) Record(p property, r campaign.Result) {
	for _, id := range r.Sites {
		t.reached[id] = true
	}
	if r.Verdict == event.Aborted || t.launcher.All.Stopped() && !r.Failed {
		return // it was not run long enough to tell
	}
	if err := t.affected.remember(p, r, t.sites); err != nil {
		t.Report(p, event.Event{Kind: event.Note,
			Text: fmt.Sprintf("what it and others reach is not kept, so -since will run them: %v", err)})
	}
}
