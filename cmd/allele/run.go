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

	target "github.com/allele-go/allele/program"
)

const runUsage = `usage: allele run [flags] -format NAME -- PROGRAM [ARGUMENTS]

Searches for inputs that make a program fail, in any language. The inputs are values of a
format, encoded, with small changes of the values, of the code of the encoder, and of the
bytes. In the arguments, @@ is replaced by the name of a file with the input. Without @@ the
program reads its standard input. All else is passed on as it is. Each run has a folder of its
own, so an argument that is the name of a file needs the whole path.

A run fails if a signal ends the program or its exit code is above 128 and not 143, if it
does not end in time, if it writes too much, or if a sanitizer, Valgrind or the Go runtime
reports an error. Each kind of failure is a finding: a folder
with the shortest input, a report and a script that runs it again. The same command later
continues the search.

If the program does not read its input, or if all runs end with the same error, the search
ends as vacuous, and shows what the program has printed.

A program that was compiled with afl-cc, the compiler of AFL++, guides the search by the
edges of its code. A Go program that was built with allele build guides it by its branches.
Any other one guides it only by its exit codes and what it prints.

Example:
    go tool allele run -format png -for 1m -- pngcheck @@

The formats are ` + runFormats + `.

Flags:
`

// runFormats are the formats of the module formats.
const runFormats = `bmp, css, der, gif, gob, gzip, html, ini, javascript, jpeg,
json, lua, pem, png, python, sh, sql, svg, tar, wav, xml, yaml, zip`

// runner is the state of allele run.
type runner struct {
	format, mutator, findings string
	timeout                   time.Duration
	memory, disk              int64
	vacuous                   bool   // search even if all runs end with the same error
	sources                   string // folder of this module, for a command that is not released
	args                      []string
	local                     []string // arguments that are also names of files in the working folder
	test                      []string // flags of allele test
	created                   bool     // the folder for the findings was not there before
	stdout, stderr            io.Writer
}

// runCommand runs allele run. It writes a module with a test, and runs allele test on it.
func runCommand(args []string, stdout, stderr io.Writer) int {
	r := &runner{stdout: stdout, stderr: stderr}
	if err := r.parse(args); err != nil {
		return ended("allele run", err, stderr)
	}
	dir, err := r.writeModule()
	if err != nil {
		return ended("allele run", err, stderr)
	}
	name, err := r.writeTarget(dir)
	if err != nil {
		return ended("allele run", err, stderr)
	}
	// The module has no vendor folder, and needs no flags of the user's module.
	os.Setenv("GOFLAGS", "-mod=mod")
	os.Setenv("GOWORK", "off")
	before := r.list()
	code := testFor(command{"allele run", compilerLog(filepath.Join(dir, "build.log"))},
		slices.Concat([]string{"-C", dir, "-run", "^Test/" + name + "$"}, r.test), stdout, stderr)
	r.summary(before)
	return code
}

func (r *runner) parse(args []string) error {
	f := newFlags("allele run", runUsage, r.stdout)
	f.StringVar(&r.format, "format", "", "`name` of the format of the inputs")
	f.StringVar(&r.mutator, "mutator", "", "change each input by this `program`: zzuf or radamsa")
	f.StringVar(&r.findings, "o", "findings", "`folder` for the findings")
	f.DurationVar(&r.timeout, "timeout", target.TimeoutDefault, "`time` that one run may take")
	f.Int64Var(&r.memory, "memory", 0, "`bytes` of address space that a run may have (default: no limit)")
	f.Int64Var(&r.disk, "disk", target.DiskDefault, "`bytes` that a run may write to files")
	f.BoolVar(&r.vacuous, "allow-vacuous", false, "search even if all runs end with the same error")
	f.StringVar(&r.sources, "sources", "", "`folder` of the source of allele, if this command is not a released one")
	pass := []string{"for", "tests", "seed", "workers", "dict"}
	f.String("for", "1m", "search for this `time`")
	f.String("tests", "", "search for this `number` of runs instead")
	f.String("seed", "", "seed of the random inputs: a `number`, or random")
	f.String("workers", "", "`number` of processes that run at a time (default: one for each processor)")
	f.String("dict", "", "insert the words of this `file` into texts: a dictionary of AFL or libFuzzer")
	flags := []string{"fresh", "json", "v"}
	f.Bool("fresh", false, "start from scratch: do not use the inputs that earlier searches saved")
	f.Bool("json", false, "print only events, as lines of JSON")
	f.Bool("v", false, "also print statistics")
	if err := f.parse(args); err != nil {
		return err
	}
	r.args = f.Args()
	switch {
	case r.format == "":
		return errors.New("-format is missing: it names the format of the inputs; " + self + " run -h lists them")
	case !slices.Contains(strings.Split(strings.Join(strings.Fields(runFormats), " "), ", "), r.format):
		return fmt.Errorf("unknown format %q; the formats are %s", r.format, runFormats)
	case len(r.args) == 0:
		return errors.New("no program: write it after --, for example: " + self + " run -format " + shellWord(r.format) + " -- pngcheck @@")
	case r.timeout <= 0:
		return fmt.Errorf("-timeout: want a time above 0, not %v", r.timeout)
	case r.memory < 0 || r.memory == 0 && f.isGiven("memory"):
		return fmt.Errorf("-memory: want a number of bytes above 0, not %d", r.memory)
	case r.disk <= 0:
		return fmt.Errorf("-disk: want a number of bytes above 0, not %d", r.disk)
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
	r.test = append(r.test, "-scope", "github.com/allele-go/allele/formats", "-keep-going", ".")
	return r.check()
}

// check finds the program, and says what guides the search.
func (r *runner) check() error {
	if r.mutator != "" && r.mutator != "zzuf" && r.mutator != "radamsa" {
		return fmt.Errorf("-mutator: unknown mutator %q; the mutators are zzuf and radamsa", r.mutator)
	}
	if r.mutator != "" {
		if _, err := exec.LookPath(r.mutator); err != nil {
			return fmt.Errorf("-mutator: cannot find the program %q: install it, or leave the flag out", r.mutator)
		}
	}
	if path, err := exec.LookPath(r.args[0]); err == nil && strings.Contains(r.args[0], "/") {
		r.args[0], _ = filepath.Abs(path) // runs have another working folder
	}
	guided, err := target.Instrumented(r.args[0])
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "program: "))
	}
	r.announce(guided)
	if r.findings, err = filepath.Abs(r.findings); err != nil {
		return err
	}
	_, err = os.Stat(r.findings)
	r.created = errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(r.findings, 0o777); err != nil {
		return err
	}
	probe, err := os.CreateTemp(r.findings, ".probe-")
	if err != nil {
		return fmt.Errorf("-o: cannot write to the folder for the findings: %w", err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// announce prints the command line of the runs, and what guides the search.
func (r *runner) announce(guided bool) {
	line, input := make([]string, len(r.args)), " < INPUT"
	for i, a := range r.args {
		if i > 0 && strings.Contains(a, "@@") {
			a, input = strings.ReplaceAll(a, "@@", "INPUT"), ""
		} else if info, err := os.Stat(a); i > 0 && err == nil && info.Mode().IsRegular() && !filepath.IsAbs(a) {
			r.local = append(r.local, a)
		}
		line[i] = shellWord(a)
	}
	fmt.Fprintf(r.stderr, "allele run: each run is: %s%s\n", strings.Join(line, " "), input)
	fmt.Fprintln(r.stderr, "allele run:", filepath.Base(r.args[0]), guidance(r.args[0], guided))
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
		r.local[0], shellWord(whole))
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
	entries, _ := os.ReadDir(r.findings) // what cannot be read is not listed
	for _, e := range entries {
		if info, err := os.Stat(filepath.Join(r.findings, e.Name(), "report.txt")); err == nil {
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
			os.Remove(r.findings) // fails if there is something in it
		}
		return
	}
	at := r.findings
	if dir, err := os.Getwd(); err == nil {
		if near, err := filepath.Rel(dir, at); err == nil && !strings.HasPrefix(near, "..") {
			at = near
		}
	}
	fmt.Fprintf(to, "\n%s in %s:\n", count(len(all), "finding"), at)
	for _, id := range sortedNames(all) {
		report, _ := os.ReadFile(filepath.Join(r.findings, id, "report.txt")) // shown as far as it is there
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
	fmt.Fprintf(to, "run one again: sh %s\n", shellWord(filepath.Join(at, sortedNames(all)[0], "replay.sh")))
}

func sortedNames(m map[string]time.Time) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
