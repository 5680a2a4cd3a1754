//go:build go1.25

package testbin

import (
	"fmt"
	"hash/fnv"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/change"
	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testbin/cache"
	"github.com/allele-go/allele/internal/words"
)

// Settings say what is built, and how. If two commands have the same settings, they use the same
// work folder, so that nothing is built twice.
type Settings struct {
	Dir              string   // folder that the packages are built from
	Patterns         []string // of packages
	Scope, Tags, Mod string   // as for the flags of the command
	Race             bool
	Main             bool           // build a program instead of tests
	Covers           bool           // build for a coverage profile
	Faults           *build.Faults  // which packages get faults; nil means none
	Judging          bool           // build to judge faults: all tests, also those that do not use the library; only steps are counted
	Match            *regexp.Regexp // matches the names of the properties to run; nil means all
	ShowCommands     bool           // print the commands that are run
	ShowWork         bool           // print the work folder
	Log              CompilerLog
	Stderr           io.Writer
}

// Flags returns the flags that are passed on to the go command.
func (s *Settings) Flags() (flags []string) {
	for _, v := range []struct{ name, value string }{{"-tags", s.Tags}, {"-mod", s.Mod}} {
		if v.value != "" {
			flags = append(flags, v.name+"="+v.value)
		}
	}
	if s.Race {
		flags = append(flags, "-race")
	}
	return flags
}

// Program builds the tests of some packages, or a program, and starts the binaries. Build sets all
// fields but Settings.
type Program struct {
	Settings
	InForce  load.InForce // settings of the go command
	Work     string       // folder that persists between builds
	Temp     cache.Temp
	Began    time.Time // when the source was read
	Listing  *load.Listing
	Overlay  *build.Overlay
	Launcher launch.Launcher
	Selected func(pkg, test string) bool // whether a test may have a property that matches
}

// Build lists the packages, adds probes and compiles the tests. It leaves out packages
// that have no property which matches, and packages that do not compile, which are then in
// Overlay.Broken. It reuses results in the work folder.
func (p *Program) Build() error {
	conf, err := p.LoadConfig()
	if err != nil {
		return err
	}
	p.Began = time.Now()
	defer announce(p.Stderr, "building the tests of "+strings.Join(p.Patterns, " ")+" with probes")()
	if p.Listing, err = load.List(conf); err != nil {
		return err
	}
	if err := checkOf(p.Listing, p.Faults); err != nil {
		return err
	}
	p.Selected = func(string, string) bool { return true }
	if p.Match != nil {
		p.Listing, p.Selected = p.Listing.Select(p.Match.MatchString)
	}
	if err := p.makeFolders(); err != nil {
		return err
	}
	changed, err := changedLines(p)
	if err != nil {
		return fmt.Errorf("-since: %w", err)
	}
	defer p.lockWork()()
	steps := p.Judging || p.Faults != nil && p.Faults.Late
	return maker{p, build.Config{Work: p.Work, Load: conf, Calls: p.InForce.Detects(), Faults: p.Faults, Changed: changed, Steps: steps,
		Cover: p.Covers, Strip: !p.Main && !p.InForce.Linker}}.all()
}

// changedLines returns the lines of the source that have changed, with -since, and nil without.
func changedLines(p *Program) (map[string]change.Lines, error) {
	if p.Faults == nil || p.Faults.Since == "" {
		return nil, nil
	}
	return change.ChangedLines(p.Faults.Since, p.Dir, load.Sources(p.Listing))
}

// Close removes the temporary files of the command, and old work folders.
func (p *Program) Close() {
	if p.Temp.Path == "" {
		return
	}
	p.Temp.Remove()
	cache.Trim(filepath.Dir(p.Work), time.Now(), cache.BytesMax)
}

// LoadConfig returns which packages to load, and how, according to the flags and to GOFLAGS.
func (p *Program) LoadConfig() (load.Config, error) {
	conf := load.Config{Dir: p.Dir, Patterns: p.Patterns, All: p.Judging, Main: p.Main}
	for pattern := range strings.SplitSeq(p.Scope, ",") {
		if pattern = strings.TrimSpace(pattern); pattern != "" {
			conf.Scope = append(conf.Scope, pattern)
		}
	}
	if p.ShowCommands {
		conf.Show = func(command []string) { fmt.Fprintln(p.Stderr, strings.Join(command, " ")) }
	}
	var err error
	if conf, p.InForce, err = conf.Settle(); err != nil {
		return conf, err
	}
	p.Race = p.Race || p.InForce.Race
	p.InForce.Race = p.Race
	conf.Flags = p.Flags()
	return conf, nil
}

// makeFolders creates the work folder and, in it, the temporary folder of this command.
// The work folder is in the user's cache. There is one for each folder and set of flags,
// so that a second build has nothing to do.
func (p *Program) makeFolders() error {
	root, err := cache.Root()
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(p.Dir)
	if err != nil {
		return err
	}
	h := fnv.New64a()
	fmt.Fprint(h, dir, p.Flags(), p.Scope)
	if p.Main {
		fmt.Fprint(h, "main")
	}
	if p.Covers {
		fmt.Fprint(h, "cover")
	}
	if p.Faults != nil {
		faults, since := *p.Faults, p.Faults.Since != ""
		faults.Since = ""
		fmt.Fprint(h, "faults", faults, p.Judging)
		if since {
			fmt.Fprint(h, "since") // other functions have gates, and the packages would be compiled again each time
		}
	}
	p.Work = filepath.Join(root, fmt.Sprintf("%s-%016x", filepath.Base(dir), h.Sum64()))
	if p.ShowWork {
		fmt.Fprintln(p.Stderr, "WORK="+p.Work)
	}
	if p.Temp, err = cache.Enter(root, p.Work); err != nil {
		return err
	}
	p.Launcher.Temp = p.Temp.Path
	if p.ShowCommands {
		p.Launcher.Show = func(c proc.Config) { printCommand(p.Stderr, c) }
	}
	return nil
}

// Sites returns one more than the highest probe number.
func (p *Program) Sites() int { return p.Overlay.End() }

// Exec runs the test binary of a property's package.
func (p *Program) Exec(of launch.Property, conf proc.Config) (proc.Death, []event.Event, error) {
	conf.Path = p.Binary(of.Package)
	return p.Launcher.Run(launch.Task{Property: of, Config: conf})
}

// printCommand prints the shell command that starts a test binary.
func printCommand(to io.Writer, c proc.Config) {
	fmt.Fprintf(to, "cd %s && %s %s=%s %s %s\n", c.Dir, strings.Join(c.Env, " "),
		job.Variable, words.Shell(c.Job.Encode()), c.Path, strings.Join(c.Args, " "))
}
