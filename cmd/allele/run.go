//go:build go1.25

package main

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"go/token"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	target "github.com/allele-go/allele/program"
)

const runUsage = `usage: allele run [flags] -format NAME -- PROGRAM [ARGUMENTS]

Searches for inputs that make a program fail, in any language. The inputs are values of a
format, encoded, with small changes of the values, of the code of the encoder, and of the
bytes. In the arguments, @@ is replaced by the name of a file with the input. Without @@ the
program reads its standard input.

A run fails if a signal ends the program or its exit code is above 128 and not 143, if it
does not end in time, if it writes too much, or if a sanitizer, Valgrind or the Go runtime
reports an error. Each kind of failure is a finding: a folder
with the shortest input, a report and a script that runs it again. The same command later
continues the search.

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
	sources                   string // folder of this module, for a command that is not released
	args                      []string
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
	dir, err := r.write()
	if err != nil {
		return ended("allele run", err, stderr)
	}
	// The module has no vendor folder, and needs no flags of the user's module.
	os.Setenv("GOFLAGS", "-mod=mod")
	os.Setenv("GOWORK", "off")
	before := r.list()
	code := testAs("allele run", append([]string{"-C", dir}, r.test...), stdout, stderr)
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
	for i, a := range r.args[1:] { // so has the interpreter of a script
		if _, err := os.Stat(a); err == nil && !filepath.IsAbs(a) {
			r.args[i+1], _ = filepath.Abs(a)
		}
	}
	guided, err := target.Instrumented(r.args[0])
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "program: "))
	}
	fmt.Fprintln(r.stderr, "allele run:", filepath.Base(r.args[0]), guidance(r.args[0], guided))
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

// runVersion is part of the name of the folder of a module. It changes with what write writes.
const runVersion = 1

// write writes the module with the test. Its folder depends on the program and the format, so that the same command
// later finds the inputs that were saved.
func (r *runner) write() (dir string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	name := moduleName(filepath.Base(r.args[0]))
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %q %q %q %q", runVersion, r.args, r.format, r.mutator, r.findings)
	dir = filepath.Join(cache, "allele-run", fmt.Sprintf("%s-%s-%016x", name, goName(r.format), h.Sum64()))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	changed, err := replaceFile(filepath.Join(dir, "run_test.go"), r.source(name))
	if err != nil {
		return "", err
	}
	mod, err := r.module(name)
	if err != nil {
		return "", err
	}
	// The go command adds lines to go.mod, so what was written is kept in a file of its own.
	newer, err := replaceFile(filepath.Join(dir, "go.mod.written"), mod)
	if err != nil || !changed && !newer {
		return dir, err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o666); err != nil {
		return "", err
	}
	// go mod tidy would also get what only the tests of other modules need.
	cmd := exec.Command("go", "list", "-deps", "-test", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		os.Remove(filepath.Join(dir, "go.mod.written"))
		return "", fmt.Errorf("cannot get the module of the formats: %w\n%s", err, strings.TrimSpace(string(out)))
	}
	return dir, nil
}

// replaceFile writes a file, unless it has the text already. It reports whether it has written.
func replaceFile(file, text string) (changed bool, err error) {
	if old, err := os.ReadFile(file); err == nil && string(old) == text {
		return false, nil
	}
	return true, os.WriteFile(file, []byte(text), 0o666)
}

// moduleName returns the name of the module and of the package for a program. Programs such as sort or go have names that
// the go command and the language need themselves.
func moduleName(program string) string {
	name := goName(program)
	if token.IsKeyword(name) || slices.Contains(strings.Fields(takenNames), name) {
		name += "program"
	}
	return name
}

// takenNames are the first parts of the import paths of the standard library, and names with a meaning in command lines.
const takenNames = `all archive bufio bytes cmd cmp compress container context crypto database debug embed encoding errors
	expvar flag fmt go hash html image index internal io iter log main maps math mime net os path plugin reflect regexp runtime
	slices sort std strconv strings structs sync syscall testing text time tool unicode unique unsafe vendor weak work`

// goName returns the letters and digits of a text, as the name of a package.
func goName(s string) string {
	name := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, strings.ToLower(s))
	if name == "" || name[0] <= '9' {
		return "p" + name
	}
	return name
}

// source returns the test.
func (r *runner) source(name string) string {
	var args []string
	for _, a := range r.args {
		args = append(args, strconv.Quote(a))
	}
	return fmt.Sprintf(`// Written by allele run.
package %s

import (
	"testing"

	"github.com/allele-go/allele/formats"
	"github.com/allele-go/allele/program"
)

func Test%s(t *testing.T) {
	formats.Run(t, &formats.Target{Format: %q, Mutator: %q, Findings: %q,
		Program: program.Program{Args: []string{%s}, Timeout: %d, Memory: %d, Disk: %d}})
}
`, name, strings.ToUpper(r.format[:1])+goName(r.format)[1:], r.format, r.mutator, r.findings, strings.Join(args, ", "),
		r.timeout, r.memory, r.disk)
}

// module returns the text of go.mod. A released command uses the formats of its own version, another one those of its source.
func (r *runner) module(name string) (string, error) {
	const library, formats = "github.com/allele-go/allele", "github.com/allele-go/allele/formats"
	text := "module " + name + "\n\ngo 1.25.0\n"
	info, _ := debug.ReadBuildInfo()
	source := r.sources
	if source == "" && info != nil && released(info.Main.Version) {
		return text + fmt.Sprintf("\nrequire (\n\t%s %s\n\t%s %s\n)\n", library, info.Main.Version, formats, info.Main.Version), nil
	}
	if source == "" {
		source = ownSource()
	}
	if source, err := filepath.Abs(source); err == nil {
		if _, err := os.Stat(filepath.Join(source, "formats", "go.mod")); err == nil {
			require := fmt.Sprintf("\nrequire (\n\t%s v0.0.0\n\t%s v0.0.0\n)\n", library, formats)
			replace := fmt.Sprintf("\nreplace (\n\t%s => %q\n\t%s => %q\n)\n", library, filepath.ToSlash(source),
				formats, filepath.ToSlash(filepath.Join(source, "formats")))
			return text + require + replace, nil
		}
	}
	return "", errors.New("this command is not a released one, and its source is not found; name the folder of the source with -sources")
}

// released reports whether a version is that of a release: the go command gives others a time and a revision.
func released(version string) bool {
	return strings.HasPrefix(version, "v") && !strings.Contains(version, "-0.") && !strings.HasPrefix(version, "v0.0.0-") &&
		!strings.Contains(version, "+dirty")
}

// ownSource returns the folder that this command was built from, or "" if the command does not know it.
func ownSource() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		return ""
	}
	return filepath.Dir(filepath.Dir(filepath.Dir(file)))
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
