//go:build go1.25

package main

import (
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/launch"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/load"
)

// loadFlags are the flags of every command that reads the source.
type loadFlags struct {
	dir, scope, tags, mod string
	commands              bool // print the commands that are run
	main                  bool // not a flag: build a program instead of tests
	log                   compilerLog
}

func (l *loadFlags) register(f *flag.FlagSet) {
	f.StringVar(&l.scope, "scope", "", "also trace these packages of other modules or of the standard library: "+
		"a comma-separated `list` of import paths; x/... is x and all packages below it")
	f.BoolVar(&l.commands, "x", false, "print the commands that are run")
	l.registerModule(f)
}

// registerModule registers only the flags that affect which packages a pattern matches.
func (l *loadFlags) registerModule(f *flag.FlagSet) {
	f.StringVar(&l.dir, "C", "", "change to this `folder` first")
	f.StringVar(&l.tags, "tags", "", "build `tags`")
	f.StringVar(&l.mod, "mod", "", "module download `mode`, as for go build")
}

// goFlags returns the flags that are passed on to the go command.
func (l *loadFlags) goFlags() (flags []string) {
	for _, v := range []struct{ name, value string }{{"-tags", l.tags}, {"-mod", l.mod}} {
		if v.value != "" {
			flags = append(flags, v.name+"="+v.value)
		}
	}
	return flags
}

// buildFlags are the flags of every command that builds tests. If two commands set
// these flags to the same values, they use the same work folder, so that nothing is built
// twice.
type buildFlags struct {
	loadFlags
	race, keepWork bool
	suites         bool // run tests to find out whether they call Check
	covers         bool // not a flag: build for a coverage profile
}

func (b *buildFlags) register(f *flag.FlagSet) {
	b.loadFlags.register(f)
	f.BoolVar(&b.race, "race", false, "build with the race detector")
	f.BoolVar(&b.keepWork, "work", false, "print the work folder")
}

// registerSuites registers the flag of commands that list properties.
func (b *buildFlags) registerSuites(f *flag.FlagSet) {
	f.BoolVar(&b.suites, "suites", true, "where the source does not show which tests call allele.Check, as in suites, "+
		"run those that may do so once to find out")
}

func (b *buildFlags) goFlags() []string {
	flags := b.loadFlags.goFlags()
	if b.race {
		flags = append(flags, "-race")
	}
	return flags
}

// program builds the tests of some packages and starts the test binaries. Every command
// that needs the types of a property embeds a program.
type program struct {
	buildFlags
	patterns []string
	faults   *build.Faults  // which packages get faults; nil means none
	judging  bool           // build to judge faults: all tests, also those that do not use the library; only steps are counted
	match    *regexp.Regexp // matches the names of the properties to run; nil means all
	stderr   io.Writer

	// build sets the other fields.
	goflags  load.InForce
	work     string // folder that persists between builds
	temp     tempFolder
	began    time.Time // when the source was read
	listing  *load.Listing
	overlay  *build.Overlay
	launcher launch.Launcher
	selected func(pkg, test string) bool // whether a test may have a property that matches
	lists    *lister
}

// choose sets the package patterns. Without patterns it chooses the package in the
// current folder.
func (p *program) choose(patterns []string) {
	if p.patterns = patterns; len(patterns) == 0 {
		p.patterns = []string{"."}
	}
}

// choosePattern sets the pattern of -run.
func (p *program) choosePattern(pattern string) (err error) {
	if pattern == "" {
		return nil
	}
	if p.match, err = regexp.Compile(pattern); err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	return nil
}

// build lists the packages, adds probes and compiles the tests. It leaves out packages
// that have no property which matches, and packages that do not compile, which are then in
// overlay.Broken. It reuses results in the work folder.
func (p *program) build() error {
	conf, err := p.loadConfig()
	if err != nil {
		return err
	}
	p.began = time.Now()
	defer announce(p.stderr, "building the tests of "+strings.Join(p.patterns, " ")+" with probes")()
	if p.listing, err = load.List(conf); err != nil {
		return err
	}
	if err := checkOf(p.listing, p.faults); err != nil {
		return err
	}
	p.selected = func(string, string) bool { return true }
	if p.match != nil {
		p.listing, p.selected = p.listing.Select(p.match.MatchString)
	}
	if err := p.makeFolders(); err != nil {
		return err
	}
	defer p.lockWork()()
	steps := p.judging || p.faults != nil && p.faults.Late
	return maker{p, build.Config{Work: p.work, Load: conf, Calls: p.goflags.Detects(), Faults: p.faults, Steps: steps,
		Cover: p.covers, Strip: !p.main && !p.goflags.Linker}}.all()
}

// close removes the temporary files of the command, and old work folders.
func (p *program) close() {
	if p.temp.path == "" {
		return
	}
	p.temp.remove()
	trim(filepath.Dir(p.work), time.Now(), cacheMax)
}

// loadConfig returns which packages to load, and how, according to the flags and to GOFLAGS.
func (p *program) loadConfig() (load.Config, error) {
	conf := load.Config{Dir: p.dir, Patterns: p.patterns, All: p.judging, Main: p.main}
	for pattern := range strings.SplitSeq(p.scope, ",") {
		if pattern = strings.TrimSpace(pattern); pattern != "" {
			conf.Scope = append(conf.Scope, pattern)
		}
	}
	if p.commands {
		conf.Show = func(command []string) { fmt.Fprintln(p.stderr, strings.Join(command, " ")) }
	}
	var err error
	if conf, p.goflags, err = conf.Settle(); err != nil {
		return conf, err
	}
	p.race = p.race || p.goflags.Race
	p.goflags.Race = p.race
	conf.Flags = p.goFlags()
	return conf, nil
}

// makeFolders creates the work folder and, in it, the temporary folder of this command.
// The work folder is in the user's cache. There is one for each folder and set of flags,
// so that a second build has nothing to do.
func (p *program) makeFolders() error {
	cache, err := cacheRoot()
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(p.dir)
	if err != nil {
		return err
	}
	h := fnv.New64a()
	fmt.Fprint(h, dir, p.goFlags(), p.scope)
	if p.main {
		fmt.Fprint(h, "main")
	}
	if p.covers {
		fmt.Fprint(h, "cover")
	}
	if p.faults != nil {
		fmt.Fprint(h, "faults", *p.faults, p.judging)
	}
	p.work = filepath.Join(cache, fmt.Sprintf("%s-%016x", filepath.Base(dir), h.Sum64()))
	if p.keepWork {
		fmt.Fprintln(p.stderr, "WORK="+p.work)
	}
	if err := p.enter(cache); err != nil {
		return err
	}
	p.launcher.Temp = p.temp.path
	if p.commands {
		p.launcher.Show = func(c proc.Config) { printCommand(p.stderr, c) }
	}
	return nil
}

// enter creates the work folder and the temporary folder in it. As long as the latter is
// there, the work folder is not removed.
func (p *program) enter(cache string) (err error) {
	if err := os.MkdirAll(cache, 0o777); err != nil {
		return err
	}
	defer lockCache(cache)()
	if err := os.MkdirAll(p.work, 0o777); err != nil {
		return err
	}
	p.temp, err = makeTemp(p.work)
	return err
}

// Sites returns one more than the highest probe number.
func (p *program) Sites() int { return p.overlay.End() }

// exec runs the test binary of a property's package.
func (p *program) exec(of property, conf proc.Config) (proc.Death, []event.Event, error) {
	conf.Path = p.Binary(of.Package)
	return p.launcher.Run(launch.Task{Property: of, Config: conf})
}

// printCommand prints the shell command that starts a test binary.
func printCommand(to io.Writer, c proc.Config) {
	fmt.Fprintf(to, "cd %s && %s %s=%s %s %s\n", c.Dir, strings.Join(c.Env, " "),
		job.Variable, shellWord(c.Job.Encode()), c.Path, strings.Join(c.Args, " "))
}

// shellWord quotes a text that a shell would not read as one word.
func shellWord(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./%+,:=@", r)
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// folder returns the folder of a package.
func (p *program) folder(pkg string) string {
	for _, s := range p.overlay.Dirs() {
		if s.Path == pkg {
			return s.Dir
		}
	}
	return p.dir
}

// relative returns the path of a file relative to the folder of -C, if the file is in
// that folder.
func (p *program) relative(file string) string {
	if dir, err := filepath.Abs(p.dir); err == nil {
		if r, err := filepath.Rel(dir, file); err == nil && !strings.HasPrefix(r, "..") {
			return r
		}
	}
	return file
}

// where returns the argument, such as ./tree, that selects a package in a command with the
// same -C.
func (p *program) where(pkg string) string {
	dir := p.relative(p.folder(pkg))
	switch {
	case filepath.IsAbs(dir): // another module of the workspace
		return pkg
	case dir == ".":
		return dir
	}
	return "./" + filepath.ToSlash(dir)
}

// file returns the path of a file in the folder of a package, relative to the folder of -C.
func (p *program) file(pkg, file string) string {
	if filepath.IsAbs(file) {
		return p.relative(file)
	}
	file = filepath.Join(p.folder(pkg), file)
	if dir, err := filepath.Abs(p.dir); err == nil {
		if r, err := filepath.Rel(dir, file); err == nil {
			return filepath.ToSlash(r)
		}
	}
	return file
}

// sameFlags returns the flags that another command needs for the same build.
func (p *program) sameFlags() string {
	flags := ""
	if p.dir != "" {
		flags = "-C " + shellWord(p.dir) + " " // the go command accepts it only as the first flag
	}
	for _, f := range p.goFlags() {
		flags += shellWord(f) + " "
	}
	return flags
}

// scopeFlag returns the flag -scope, if it was given.
func (p *program) scopeFlag() string {
	if p.scope == "" {
		return ""
	}
	return shellWord("-scope="+p.scope) + " "
}

// commandsWith returns the commands that reports suggest. They contain the flags of this
// command, and limits are its flags that only allele test has.
func (p *program) commandsWith(limits string) job.Commands {
	c := job.CommandsFor(self, p.sameFlags())
	c.Test += p.scopeFlag() + limits
	c.Show += p.scopeFlag()
	return c
}

// announceAfter is how long an operation may take before its description is printed.
const announceAfter = 500 * time.Millisecond

// announce prints a description of an operation if the output is a terminal and stop is
// not called within announceAfter.
func announce(to io.Writer, what string) (stop func()) {
	if !terminal(to) {
		return func() {}
	}
	timer := time.AfterFunc(announceAfter, func() { fmt.Fprintln(to, what) })
	return func() { timer.Stop() }
}

// terminal reports whether an output is a terminal.
func terminal(to io.Writer) bool {
	switch w := to.(type) {
	case interface{ Terminal() bool }:
		return w.Terminal()
	case *os.File:
		info, err := w.Stat()
		return err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return false
}
