//go:build go1.25

package main

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/testbin"
	"github.com/allele-go/allele/internal/testbin/target"
	"github.com/allele-go/allele/internal/words"
	"github.com/allele-go/allele/program"
)

// runFormats are the formats of the module formats.
const runFormats = `bmp, css, der, gif, gob, gzip, html, ini, javascript, jpeg,
json, lua, pem, png, python, sh, sql, svg, tar, wav, xml, yaml, zip`

// runner is the state of allele run.
type runner struct {
	target.Target
	sources        string   // folder of this module, for a command that is not released
	local          []string // arguments that are also names of files in the working folder
	test           []string // flags of allele test
	created        bool     // the folder for the findings was not there before
	stdout, stderr io.Writer
}

// runCommand sets up allele run. It writes a module with a test, and runs allele test on it.
func runCommand(f *flagSet) action {
	r := &runner{}
	f.StringVar(&r.Format, "format", "", "`name` of the format of the inputs")
	f.StringVar(&r.Mutator, "mutator", "", "change each input by this `program`: zzuf or radamsa")
	f.StringVar(&r.Findings, "o", "findings", "`folder` for the findings")
	f.DurationVar(&r.Timeout, "timeout", program.TimeoutDefault, "`time` that one run may take")
	f.Int64Var(&r.Memory, "memory", 0, "`bytes` of address space that a run may have (default: no limit)")
	f.Int64Var(&r.Disk, "disk", program.DiskDefault, "`bytes` that a run may write to files")
	f.BoolVar(&r.Vacuous, "allow-vacuous", false, "search even if all runs end with the same error")
	f.StringVar(&r.sources, "sources", "", "`folder` of the source of allele, if this command is not a released one")
	f.String("for", "1m", "search for this `time`")
	f.String("tests", "", "search for this `number` of runs instead")
	f.String("seed", "", "seed of the random inputs: a `number`, or random")
	f.String("workers", "", "`number` of processes that run at a time (default: one for each processor)")
	f.String("dict", "", "insert the words of this `file` into texts: a dictionary of AFL or libFuzzer")
	f.Bool("fresh", false, "start from scratch: do not use the inputs that earlier searches saved")
	f.Bool("json", false, "print only events, as lines of JSON")
	f.Bool("v", false, "also print statistics")
	return r.run
}

// run writes the module, and runs allele test on it.
func (r *runner) run(c *call) error {
	r.stdout, r.stderr = c.stdout, c.stderr
	if err := r.parse(c.flagSet); err != nil {
		return err
	}
	dir, err := target.WriteModule(r.sources)
	if err != nil {
		return err
	}
	name, err := r.Write(dir)
	if err != nil {
		return err
	}
	// The module has no vendor folder, and needs no flags of the user's module.
	os.Setenv("GOFLAGS", "-mod=mod")
	os.Setenv("GOWORK", "off")
	before := r.list()
	c.last = func() { r.summary(before) }
	f := newFlags("allele test", "", c.stdout)
	t := newTester(f)
	t.Log = testbin.CompilerLog(filepath.Join(dir, "build.log"))
	if err := f.parse(slices.Concat([]string{"-C", dir, "-run", "^Test/" + name + "$"}, r.test)); err != nil {
		return err
	}
	return t.test(&call{flagSet: f, command: c.command, stdout: c.stdout, stderr: c.stderr})
}

// parse checks the flags, and passes some of them on to allele test.
func (r *runner) parse(f *flagSet) error {
	pass := []string{"for", "tests", "seed", "workers", "dict"}
	flags := []string{"fresh", "json", "v"}
	r.Args = f.Args()
	switch {
	case r.Format == "":
		return errors.New("-format is missing: it names the format of the inputs; " + self + " run -h lists them")
	case !slices.Contains(strings.Split(strings.Join(strings.Fields(runFormats), " "), ", "), r.Format):
		return fmt.Errorf("unknown format %q; the formats are %s", r.Format, runFormats)
	case len(r.Args) == 0:
		return errors.New("no program: write it after --, for example: " +
			self + " run -format " + words.Shell(r.Format) + " -- pngcheck @@")
	case r.Timeout <= 0:
		return fmt.Errorf("-timeout: want a time above 0, not %v", r.Timeout)
	case r.Memory < 0 || r.Memory == 0 && f.isGiven("memory"):
		return fmt.Errorf("-memory: want a number of bytes above 0, not %d", r.Memory)
	case r.Disk <= 0:
		return fmt.Errorf("-disk: want a number of bytes above 0, not %d", r.Disk)
	case f.isGiven("for") && f.isGiven("tests"):
		return errTestsAndTime
	}
	value := func(name string) string { return f.Lookup(name).Value.String() }
	for _, name := range pass {
		if v := value(name); v != "" && !(name == "for" && value("tests") != "") {
			if name == "dict" {
				v, _ = filepath.Abs(v) // fails only if there is no working folder
			}
			r.test = append(r.test, "-"+name, v)
		}
	}
	for _, name := range flags {
		if value(name) == "true" {
			r.test = append(r.test, "-"+name)
		}
	}
	r.test = append(r.test, "-scope", "github.com/allele-go/allele/formats/...", "-keep-going", ".")
	return r.check()
}

// check finds the program, and says what guides the search.
func (r *runner) check() error {
	if r.Mutator != "" && r.Mutator != "zzuf" && r.Mutator != "radamsa" {
		return fmt.Errorf("-mutator: unknown mutator %q; the mutators are zzuf and radamsa", r.Mutator)
	}
	if r.Mutator != "" {
		if _, err := exec.LookPath(r.Mutator); err != nil {
			return fmt.Errorf("-mutator: cannot find the program %q: install it, or leave the flag out", r.Mutator)
		}
	}
	if path, err := exec.LookPath(r.Args[0]); err == nil && strings.Contains(r.Args[0], "/") {
		r.Args[0], _ = filepath.Abs(path) // runs have another working folder
	}
	guided, err := program.Instrumented(r.Args[0])
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "program: "))
	}
	r.announce(guided)
	r.Hint = r.hint()
	if r.Findings, err = filepath.Abs(r.Findings); err != nil {
		return err
	}
	_, err = os.Stat(r.Findings)
	r.created = errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(r.Findings, 0o777); err != nil {
		return err
	}
	probe, err := os.CreateTemp(r.Findings, ".probe-")
	if err != nil {
		return fmt.Errorf("-o: cannot write to the folder for the findings: %w", err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// announce prints the command line of the runs, and what guides the search.
func (r *runner) announce(guided bool) {
	line, input := make([]string, len(r.Args)), " < INPUT"
	for i, a := range r.Args {
		if i > 0 && strings.Contains(a, "@@") {
			a, input = strings.ReplaceAll(a, "@@", "INPUT"), ""
		} else if info, err := os.Stat(a); i > 0 && err == nil && info.Mode().IsRegular() && !filepath.IsAbs(a) {
			r.local = append(r.local, a)
		}
		line[i] = words.Shell(a)
	}
	fmt.Fprintf(r.stderr, "allele run: each run is: %s%s\n", strings.Join(line, " "), input)
	fmt.Fprintln(r.stderr, "allele run:", filepath.Base(r.Args[0]), guidance(r.Args[0], guided))
	if hint := r.hint(); hint != "" {
		fmt.Fprintln(r.stderr, "allele run: note:", hint)
	}
}

// hint returns what to do about arguments that are also names of files in the working folder.
func (r *runner) hint() string {
	if len(r.local) == 0 {
		return ""
	}
	whole, _ := filepath.Abs(r.local[0]) // fails only if there is no working folder
	return fmt.Sprintf("each run has a folder of its own, where there is no file %s; if you mean the file, write %s",
		r.local[0], words.Shell(whole))
}

// guidance says what guides the search for failures of a program.
func guidance(name string, guided bool) string {
	if guided {
		return "guides the search by the branches of its code"
	}
	how := "compiled with afl-cc"
	if path, err := exec.LookPath(name); err == nil {
		if _, err := buildinfo.ReadFile(path); err == nil { // it is a Go program
			how = "built with allele build"
		}
	}
	return "was not " + how + ", so only its exit codes and what it prints guide the search"
}

// list returns the findings that are in the folder, with the times of their inputs.
func (r *runner) list() map[string]time.Time {
	found := map[string]time.Time{}
	entries, _ := os.ReadDir(r.Findings) // what cannot be read is not listed
	for _, e := range entries {
		if info, err := os.Stat(filepath.Join(r.Findings, e.Name(), "report.txt")); err == nil {
			found[e.Name()] = info.ModTime()
		}
	}
	return found
}

// summary prints the findings.
func (r *runner) summary(before map[string]time.Time) {
	to := r.stdout
	for _, flag := range r.test {
		if flag == "-json" {
			to = r.stderr
		}
	}
	all := r.list()
	if len(all) == 0 {
		if r.created {
			os.Remove(r.Findings) // fails if there is something in it
		}
		return
	}
	at := r.Findings
	if dir, err := os.Getwd(); err == nil {
		if near, err := filepath.Rel(dir, at); err == nil && !strings.HasPrefix(near, "..") {
			at = near
		}
	}
	fmt.Fprintf(to, "\n%s in %s:\n", words.Count(len(all), "finding"), at)
	for _, id := range sortedNames(all) {
		report, _ := os.ReadFile(filepath.Join(r.Findings, id, "report.txt")) // shown as far as it is there
		lines := strings.Split(string(report), "\n")
		text := strings.TrimPrefix(lines[0], "finding "+id+": ")
		if len(lines) > 1 && lines[1] != "" && !strings.HasPrefix(lines[1], "the end of") {
			text += ": " + strings.TrimSpace(lines[1])
		}
		when := "shorter" // a shorter input than before
		if _, old := before[id]; !old {
			when = "new"
		} else if all[id].Equal(before[id]) {
			when = "known"
		}
		fmt.Fprintf(to, "    %s  %-7s  %s\n", id, when, text)
	}
	fmt.Fprintf(to, "run one again: sh %s\n", words.Shell(filepath.Join(at, sortedNames(all)[0], "replay.sh")))
}

func sortedNames(m map[string]time.Time) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
