//go:build go1.25

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/allele-go/allele/internal/score"
	"github.com/allele-go/allele/internal/score/judge"
	"github.com/allele-go/allele/internal/score/members"
	"github.com/allele-go/allele/internal/show/report"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/change"
	"github.com/allele-go/allele/internal/testbin"
	"github.com/allele-go/allele/internal/testbin/list"
	"github.com/allele-go/allele/internal/words"
)

// scorer is the state of allele score.
type scorer struct {
	testbin.Program
	lister  list.Lister
	stdout  io.Writer
	limits  scoreLimits
	view    scoreView
	set     string // operators: all or pit
	since   string // git revision
	pattern string // of -run
	made    scoreFaults
	fresh   bool
	cpus    int
	rules   score.Threshold

	// measure builds the packages and returns their faults and suites, and how many places have
	// no faults for each reason. Tests replace it.
	measure func() ([]score.Package, map[string]int, error)
	watch   scoreWatch
}

// scoreFaults are the faults that are compiled into the program.
type scoreFaults struct {
	of    string // packages, separated by commas
	texts bool   // also the texts of errors, and log lines
}

// scoreLimits are the limits of a process that judges faults.
type scoreLimits struct {
	timeout time.Duration
	memory  string // as typed
	bytes   int64
	skip    string        // pattern
	over    time.Duration // -for: when to stop; 0 means never
	sample  int           // how many faults are drawn; 0 means all
}

// memoryAll is more memory than a machine has.
const memoryAll = 1 << 50

// slowRun is how long a command takes whose most expensive tests are named.
const slowRun = 30 * time.Second

// scoreView is what is printed.
type scoreView struct {
	verbose, all bool
	json         string // file
	exports      exports
}

// packages builds the tests, and returns the faults of each package with the suite that judges
// them, and how many places could not be made faulty for each reason.
func (s *scorer) packages() (all []score.Package, declined map[string]int, err error) {
	s.Faults, s.Judging = &build.Faults{Of: commaList(s.made.of), Texts: s.made.texts, Since: s.since}, true
	if err := s.Build(); err != nil {
		return nil, nil, err
	}
	s.watch.pace.Doing("lists the properties and tests")
	warnBroken(s.Stderr, s.Overlay.Broken)
	for _, d := range s.Overlay.Declined {
		fmt.Fprintf(s.Stderr, "allele score: %s has no faults: %s; %s\n", d.Path, d.Why, d.Do)
	}
	judges := members.Config{Program: &s.Program, Lister: &s.lister, Of: commaList(s.made.of), Set: s.set, CPUs: s.cpus,
		Limits: members.Limits{Timeout: s.limits.timeout, Memory: s.limits.bytes, Room: s.watch.room, Since: s.since}}
	if s.limits.skip != "" {
		judges.Limits.Skip = regexp.MustCompile(s.limits.skip) // check has compiled it
	}
	all, err = judges.Packages()
	for i, keys := 0, score.Keys(s.Overlay.Faults); i < len(all); i++ {
		all[i].Keys = keys
	}
	return all, s.Overlay.Without, err
}

// scoreCommand sets up allele score.
func scoreCommand(f *flagSet) action {
	s := newScorer(f)
	s.measure = s.packages
	return func(c *call) error {
		if do, ok := aboutOne(&s.Program, c); ok {
			return do()
		}
		return s.score(c)
	}
}

// newScorer registers the flags of allele score.
func newScorer(f *flagSet) *scorer {
	s := &scorer{}
	s.lister.Program = &s.Program
	buildFlags(f, &s.Settings)
	suitesFlag(f, &s.lister.Suites)
	f.StringVar(&s.made.of, "of", "", "put faults into these packages, and let the tests of all packages judge them: "+
		"a comma-separated `list` of import paths; x/... is x and all packages below it")
	f.StringVar(&s.pattern, "run", "", "only properties and tests whose name matches this `pattern`")
	f.StringVar(&s.limits.skip, "skip", "", "leave out properties and tests whose name matches this `pattern`")
	f.StringVar(&s.since, "since", "", "only faults on lines that have changed since this git `revision`")
	f.StringVar(&s.set, "set", "all", "which faults: the `set` is all, or pit for those of the mutation tester PIT")
	f.BoolVar(&s.made.texts, "texts", false, "also change the texts of errors, and remove log lines")
	f.Float64Var(&s.rules.Min, "min", 0, "exit with code 1 if the score is below this `percentage`")
	f.IntVar(&s.rules.Survivors, "max-survivors", -1,
		"exit with code 1 if more than this `number` of faults are not killed; -1 means any number")
	f.StringVar(&s.view.json, "json", "", "write all faults and verdicts to this `file`, as JSON")
	f.Var(&s.view.exports, "export", "write the result for another tool, `FORMAT=FILE`: stryker=FILE as a mutation testing report, "+
		"sarif=FILE for code hosts; may be given twice")
	f.BoolVar(&s.view.verbose, "v", false, "also print what each property killed, and why places have no faults")
	f.BoolVar(&s.view.all, "all", false, "print all faults that were not killed, however many there are")
	f.BoolVar(&s.fresh, "fresh", false, "judge all faults again: do not use the verdicts of earlier runs")
	f.IntVar(&s.cpus, "p", runtime.NumCPU(), "`number` of processes that run at a time")
	f.DurationVar(&s.limits.timeout, "run-timeout", 20*time.Second,
		"per-run timeout, a `time`; a fault whose run takes longer has no verdict")
	f.DurationVar(&s.limits.over, "for", 0,
		"stop after this `time`, and print the score of the faults judged until then; the next run goes on")
	f.IntVar(&s.limits.sample, "sample", 0, "judge only this `number` of faults, drawn by a hash, "+
		"and print the interval of the score of all")
	f.StringVar(&s.limits.memory, "memory", "2GB", "memory limit of a process: a `size`, or off")
	return s
}

// score judges all faults and prints the result.
func (s *scorer) score(c *call) error {
	defer s.Close()
	s.stdout, s.Stderr = c.stdout, c.stderr
	if err := errors.Join(choose(&s.Settings, c.Args(), s.pattern), s.check()); err != nil {
		return err
	}
	return s.run()
}

// check returns an error for invalid values of flags.
func (s *scorer) check() (err error) {
	switch {
	case !score.IsSet(s.set):
		return fmt.Errorf("-set: want all or pit, not %q", s.set)
	case !(s.rules.Min >= 0 && s.rules.Min <= 100):
		return fmt.Errorf("-min: want a percentage from 0 to 100, not %v", s.rules.Min)
	case s.rules.Survivors < -1:
		return fmt.Errorf("-max-survivors: want a number of faults, not %d", s.rules.Survivors)
	case s.cpus < 1:
		return fmt.Errorf("-p: want a number above 0, not %d", s.cpus)
	case s.limits.over < 0:
		return fmt.Errorf("-for: want a time above 0, not %v", s.limits.over)
	case s.limits.sample < 0:
		return fmt.Errorf("-sample: want a number of faults above 0, not %d", s.limits.sample)
	case s.limits.sample > 0 && s.rules.Survivors >= 0:
		return errors.New("-max-survivors counts all faults, and -sample judges only some: leave -sample out, " +
			"or use -min, which compares with the lower end of the interval")
	case s.limits.timeout <= 0:
		return fmt.Errorf("-run-timeout: want a time above 0, not %v", s.limits.timeout)
	}
	if _, err := regexp.Compile(s.limits.skip); err != nil {
		return fmt.Errorf("-skip: %w", err)
	}
	if s.limits.bytes, err = parseMemory(s.limits.memory); err != nil {
		return err
	}
	if s.limits.bytes == 0 {
		s.limits.bytes = memoryAll
	}
	if s.since != "" {
		if err := change.Check(s.since, s.Dir); err != nil {
			return fmt.Errorf("-since: %w", err)
		}
	}
	return nil
}

// run judges all faults and prints the result.
func (s *scorer) run() error {
	var conf report.Config
	if conf.At(s.stdout, s.Stderr, os.Getenv); conf.Mode == report.Plain {
		s.Stderr = &turns{Writer: s.Stderr} // lines of progress come from another goroutine
	}
	s.watch.room = judge.NewRoom(s.cpus)
	defer s.watch.begin(s.Stderr, conf.Mode == report.Plain)()
	defer s.watch.endAfter(s.limits.over, s.Launcher.All.Stop)()
	packages, declined, err := s.measure()
	if err != nil {
		return err
	}
	if err := s.onlyChanged(packages); err != nil {
		return fmt.Errorf("-since: %w", err)
	}
	stale, err := acceptFaults(&s.Program, packages)
	if err != nil {
		return err
	}
	slices.SortFunc(packages, func(a, b score.Package) int { return strings.Compare(a.Path, b.Path) })
	r := score.Report{Packages: packages, Declined: declined, Set: s.set, Since: s.since, Stale: stale}
	if s.limits.sample > 0 {
		r.Sample = score.Draw(packages, s.limits.sample)
	}
	style := s.judge(packages)
	r.Interrupted, r.Slow = s.Launcher.All.Stopped(), time.Since(s.watch.began) > slowRun
	if r.Interrupted && s.watch.over.Load() {
		r.Sample = score.Judged(packages, r.Sample, s.limits.over)
		r.Interrupted = r.Summary().Why[score.NotJudged] > 0
	}
	if len(packages) > 0 {
		fmt.Fprintln(s.stdout)
	}
	io.WriteString(s.stdout, inOurWords(score.Text(r, style)))
	saveRun(&s.Program, r)
	if err := s.writeJSON(r); err != nil {
		return fmt.Errorf("-json: %w", err)
	}
	if err := s.view.exports.write(&s.Program, r); err != nil {
		return err
	}
	return s.verdict(r)
}

// onlyChanged removes the faults on lines that have not changed, with -since.
func (s *scorer) onlyChanged(packages []score.Package) error {
	if s.since == "" {
		return nil
	}
	var files []string
	for _, p := range packages {
		for _, f := range p.Faults {
			files = append(files, f.File)
		}
	}
	slices.Sort(files)
	lines, err := change.ChangedLines(s.since, s.Dir, slices.Compact(files))
	if err != nil {
		return err
	}
	for i := range packages {
		p := &packages[i]
		p.Faults = slices.DeleteFunc(p.Faults, func(f site.Fault) bool { return !lines[f.File].Touch(f.Line, f.EndLine) })
	}
	return nil
}

// judge judges the packages, several at a time, and shows the progress. It returns how the
// result is printed.
func (s *scorer) judge(packages []score.Package) score.Style {
	var conf report.Config
	conf.At(s.stdout, s.Stderr, os.Getenv)
	var paths, names []string
	for _, p := range packages {
		paths = append(paths, p.Path)
	}
	short := words.PackageNames(paths)
	for _, p := range paths {
		names = append(names, short[p])
	}
	board := report.NewBoard(conf, names, s.watch.text)
	s.watch.show(board, packages)
	s.Stderr = board.Stderr()
	defer listen(&s.Launcher.All, s.Stderr, "allele score: stopping; verdicts so far are kept; interrupt again to stop at once")()
	stop := redraw(board)
	turns := make(chan struct{}, max(1, s.cpus))
	var all sync.WaitGroup
	for i := range packages {
		turns <- struct{}{} // packages start in their order
		all.Go(func() {
			defer func() { <-turns }()
			s.one(i, &packages[i])
		})
	}
	all.Wait()
	stop()
	style := score.Style{Colour: conf.Colour, All: s.view.all, Verbose: s.view.verbose, Relative: s.Relative,
		Source: os.ReadFile, Where: s.Where, Test: commandsWith(&s.Program, "").Test, Score: scoreWith(&s.Program)}
	if conf.Size != nil {
		style.Columns = board.Columns()
	}
	return style
}

// one judges a package, which has row i on the board.
func (s *scorer) one(i int, p *score.Package) {
	if p.Err == nil {
		p.Judge(score.Run{Cache: score.Cache{Dir: s.cacheDir(), Fresh: s.fresh}, Stopped: s.Launcher.All.Stopped,
			Show: func(at score.Progress) { s.watch.set(i, at) }})
	}
	sum := p.Summary()
	last := report.Tally{Judged: sum.Faults - sum.Why[score.NotJudged], Total: sum.Faults, Killed: sum.Killed,
		Done: true, State: sum.Score.String()}
	switch {
	case p.Err != nil:
		last.State = "not judged"
	case sum.Why[score.NotJudged] > 0:
		last.State = "interrupted"
	case sum.Faults == 0:
		last.State = "no faults"
	case p.Cached:
		last.State += " (cached)"
	}
	s.watch.done(i, last)
}

// cacheDir returns the folder of verdicts, in the work folder.
func (s *scorer) cacheDir() string {
	if s.Work == "" {
		return ""
	}
	return filepath.Join(s.Work, "verdicts")
}

// writeJSON writes the file of -json.
func (s *scorer) writeJSON(r score.Report) error {
	file := s.view.json
	if file == "" {
		return nil
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(s.Dir, file)
	}
	data, err := score.Encode(r, s.Relative)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o666)
}

// verdict decides the exit code: an error means 1, because its text has been printed.
func (s *scorer) verdict(r score.Report) error {
	sum := r.Summary()
	s.rules.Sample = r.Sample
	wrong := s.rules.Check(sum)
	if early := s.watch.over.Load() && (r.Interrupted || r.Sample != nil); early && s.rules.Survivors >= 0 {
		wrong = []string{"-max-survivors counts all faults, and -for ended before all were judged: " +
			"run the same command again to judge the rest"}
	}
	limited := s.rules.Min > 0 || s.rules.Survivors >= 0
	if r.Interrupted && limited && len(wrong) == 0 {
		wrong = append(wrong, "interrupted before the thresholds could be checked")
	}
	for _, p := range r.Packages {
		if p.Err != nil {
			wrong = append(wrong, p.Path+" was not judged")
		}
	}
	if s.Overlay != nil && len(s.Overlay.Broken) > 0 {
		wrong = append(wrong, leftOut(s.Overlay.Broken))
	}
	if lost := sum.NoVerdict - sum.Why[score.NotJudged]; limited && lost*10 > sum.Faults {
		fmt.Fprintf(s.Stderr, "allele score: the score leaves out %s of %s, which have no verdict\n",
			words.Group(lost), words.Count(sum.Faults, "fault"))
	}
	if len(wrong) == 0 {
		return nil
	}
	for _, w := range wrong {
		fmt.Fprintln(s.Stderr, "allele score:", w)
	}
	return errFailed
}
