//go:build go1.25

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/allele-go/allele/internal/ops/change"
	"github.com/allele-go/allele/internal/ops/report"
	"github.com/allele-go/allele/internal/ops/score"
	"github.com/allele-go/allele/internal/ops/words"
	"github.com/allele-go/allele/internal/site"
)

const scoreUsage = `usage: allele score [flags] [packages]

Measures how good the properties and tests of packages are. It changes the code in many
small ways, called faults, one at a time, and runs the tests and the saved inputs of the
properties with each. A fault that nothing notices is printed, with the reason: either no
input shows it, or a property sees it and does not check enough. The files of the packages
are not changed.

Example:
    go tool allele score ./tree

Flags:
`

// scorer is the state of allele score.
type scorer struct {
	program
	stdout io.Writer
	limits scoreLimits
	view   scoreView
	set    string // operators: all or pit
	since  string // git revision
	of     []string
	fresh  bool
	cpus   int
	rules  score.Threshold

	// measure builds the packages and returns their faults and suites, and how many places have
	// no faults for each reason. Tests replace it.
	measure func() ([]score.Package, map[string]int, error)
	board   *report.Board
}

// scoreLimits are the limits of a process that judges faults.
type scoreLimits struct {
	timeout time.Duration
	memory  string // as typed
	bytes   int64
}

// memoryAll is more memory than a machine has.
const memoryAll = 1 << 50

// scoreView is what is printed.
type scoreView struct {
	verbose, all bool
	json         string // file
}

// scoreCommand runs allele score.
func scoreCommand(args []string, stdout, stderr io.Writer) int {
	s := &scorer{program: program{stderr: stderr}, stdout: stdout}
	s.measure = s.packages
	defer s.close()
	err := s.parse(args)
	if err == nil {
		err = s.run()
	}
	return ended("allele score", err, stderr)
}

func (s *scorer) parse(args []string) error {
	f := newFlags("allele score", scoreUsage, s.stdout)
	s.buildFlags.register(f.FlagSet)
	s.buildFlags.registerSuites(f.FlagSet)
	of := f.String("of", "", "put faults into these packages, and let the tests of all packages judge them: "+
		"a comma-separated `list` of import paths; x/... is x and all packages below it")
	pattern := f.String("run", "", "only properties and tests whose name matches this `pattern`")
	f.StringVar(&s.since, "since", "", "only faults on lines that have changed since this git `revision`")
	f.StringVar(&s.set, "set", "all", "which faults: the `set` is all, or pit for those of the mutation tester PIT")
	f.Float64Var(&s.rules.Min, "min", 0, "exit with code 1 if the score is below this `percentage`")
	f.IntVar(&s.rules.Survivors, "max-survivors", -1,
		"exit with code 1 if more than this `number` of faults are not killed; -1 means any number")
	f.StringVar(&s.view.json, "json", "", "write all faults and verdicts to this `file`, as JSON")
	f.BoolVar(&s.view.verbose, "v", false, "also print what each property killed, and why places have no faults")
	f.BoolVar(&s.view.all, "all", false, "print all faults that were not killed, however many there are")
	f.BoolVar(&s.fresh, "fresh", false, "judge all faults again: do not use the verdicts of earlier runs")
	f.IntVar(&s.cpus, "p", runtime.NumCPU(), "`number` of processes that run at a time")
	f.DurationVar(&s.limits.timeout, "run-timeout", 20*time.Second,
		"per-run timeout, a `time`; a fault whose run takes longer has no verdict")
	f.StringVar(&s.limits.memory, "memory", "2GB", "memory limit of a process: a `size`, or off")
	if err := f.parse(args); err != nil {
		return err
	}
	s.choose(f.Args())
	if *of != "" {
		s.of = strings.Split(*of, ",")
	}
	return errors.Join(s.choosePattern(*pattern), s.check())
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
	case s.limits.timeout <= 0:
		return fmt.Errorf("-run-timeout: want a time above 0, not %v", s.limits.timeout)
	}
	if s.limits.bytes, err = parseMemory(s.limits.memory); err != nil {
		return err
	}
	if s.limits.bytes == 0 {
		s.limits.bytes = memoryAll
	}
	if s.since != "" {
		if err := change.Check(s.since, s.dir); err != nil {
			return fmt.Errorf("-since: %w", err)
		}
	}
	return nil
}

// run judges all faults and prints the result.
func (s *scorer) run() error {
	packages, declined, err := s.measure()
	if err != nil {
		return err
	}
	if err := s.onlyChanged(packages); err != nil {
		return fmt.Errorf("-since: %w", err)
	}
	slices.SortFunc(packages, func(a, b score.Package) int { return strings.Compare(a.Path, b.Path) })
	style := s.judge(packages)
	r := score.Report{Packages: packages, Declined: declined, Set: s.set, Since: s.since, Interrupted: s.launcher.All.Stopped()}
	if len(packages) > 0 {
		fmt.Fprintln(s.stdout)
	}
	io.WriteString(s.stdout, inOurWords(score.Text(r, style)))
	if err := s.writeJSON(r); err != nil {
		return fmt.Errorf("-json: %w", err)
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
	lines, err := change.ChangedLines(s.since, s.dir, slices.Compact(files))
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
	conf.At(s.stdout, s.stderr, os.Getenv)
	var paths, names []string
	for _, p := range packages {
		paths = append(paths, p.Path)
	}
	short := words.PackageNames(paths)
	for _, p := range paths {
		names = append(names, short[p])
	}
	s.board = report.NewBoard(conf, names)
	s.stderr = s.board.Stderr()
	defer listen(&s.launcher.All, s.stderr, "allele score: stopping; verdicts so far are kept; interrupt again to stop at once")()
	stop := redraw(s.board)
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
	style := score.Style{Colour: conf.Colour, All: s.view.all, Verbose: s.view.verbose, Relative: s.relative,
		Source: os.ReadFile, Where: s.where, Test: s.commandsWith("").Test}
	if conf.Size != nil {
		style.Columns = s.board.Columns()
	}
	return style
}

// one judges a package, which has row i on the board.
func (s *scorer) one(i int, p *score.Package) {
	if p.Err == nil {
		p.Judge(score.Run{Cache: score.Cache{Dir: s.cacheDir(), Fresh: s.fresh}, Stopped: s.launcher.All.Stopped,
			Show: func(at score.Progress) {
				s.board.Set(i, report.Tally{Judged: at.Judged, Total: at.Total, Killed: at.Killed, State: at.Member})
			}})
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
	s.board.Set(i, last)
}

// cacheDir returns the folder of verdicts, in the work folder.
func (s *scorer) cacheDir() string {
	if s.work == "" {
		return ""
	}
	return filepath.Join(s.work, "verdicts")
}

// writeJSON writes the file of -json.
func (s *scorer) writeJSON(r score.Report) error {
	file := s.view.json
	if file == "" {
		return nil
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(s.dir, file)
	}
	data, err := score.Encode(r, s.relative)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o666)
}

// verdict decides the exit code: an error means 1, because its text has been printed.
func (s *scorer) verdict(r score.Report) error {
	sum := r.Summary()
	wrong := s.rules.Check(sum)
	limited := s.rules.Min > 0 || s.rules.Survivors >= 0
	if r.Interrupted && limited && len(wrong) == 0 {
		wrong = append(wrong, "interrupted before the thresholds could be checked")
	}
	for _, p := range r.Packages {
		if p.Err != nil {
			wrong = append(wrong, p.Path+" was not judged")
		}
	}
	if s.overlay != nil && len(s.overlay.Broken) > 0 {
		wrong = append(wrong, leftOut(s.overlay.Broken))
	}
	if lost := sum.NoVerdict - sum.Why[score.NotJudged]; limited && lost*10 > sum.Faults {
		fmt.Fprintf(s.stderr, "allele score: the score leaves out %s of %s, which have no verdict\n",
			group(lost), count(sum.Faults, "fault"))
	}
	if len(wrong) == 0 {
		return nil
	}
	for _, w := range wrong {
		fmt.Fprintln(s.stderr, "allele score:", w)
	}
	return errFailed
}
