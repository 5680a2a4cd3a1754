package formats

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/allele-go/allele"
	"github.com/allele-go/allele/internal/outside"
	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/program"
)

// Target is a program that is searched for failures by allele run.
type Target struct {
	Format  string
	Program program.Program
	// Mutator is a program that changes each input: zzuf or radamsa. Empty means none.
	Mutator string
	// Findings is the folder for failing inputs.
	Findings string
	// AllowVacuous continues the search even if all runs end with the same error.
	AllowVacuous bool
	// Hint is what to say if they do.
	Hint string
}

// Run searches for failures of a program.
func Run(t *testing.T, target *Target) {
	t.Helper()
	f, ok := Named(target.Format)
	if !ok {
		t.Fatalf("unknown format %q; the formats are %s", target.Format, strings.Join(names(), ", "))
	}
	if _, ok := mutators[target.Mutator]; !ok {
		t.Fatalf("unknown mutator %q; the mutators are zzuf and radamsa", target.Mutator)
	}
	p := &target.Program
	p.Suffix = f.Suffix
	defer p.Close()
	wait := hangs{limit: p.Timeout}
	if wait.limit <= 0 {
		wait.limit = program.TimeoutDefault
	}
	options := []allele.Option{allele.Seed(property.NameSeed(target.Format))}
	if target.AllowVacuous {
		options = append(options, allele.AllowVacuous())
	}
	f.Check(t, func(t *allele.T, encoded []byte) {
		input, err := mutated(target.Mutator, encoded)
		if err != nil {
			t.Fatal(err)
		}
		r, known, err := wait.run(p, input)
		if err != nil {
			t.Fatal(err)
		}
		t.Assume(known)
		outside.Of(t.Context()).Add(target.ending(r))
		if !r.Crashed() {
			return
		}
		found := finding{program.Failure{Name: filepath.Base(p.Args[0]), Result: r}, target.Format}
		if err := found.keep(target, input, encoded); err != nil {
			t.Logf("cannot write to %s: %v", target.Findings, err)
		}
		t.Fatal(found)
	}, options...)
}

// ending is how a run ended, for a search in which all runs end in the same way.
func (target *Target) ending(r program.Result) outside.Ending {
	advice := "Correct the command line, or add -allow-vacuous to search nevertheless."
	if target.Hint != "" {
		advice = "Correct the command line: " + target.Hint + "."
	}
	args := target.Program.Args
	return outside.Ending{Program: filepath.Base(args[0]), Command: outside.CommandLine(args), Code: r.Code,
		Output: r.Stdout + r.Stderr, Unread: r.Unread, Advice: advice}
}

func names() (all []string) {
	for _, f := range All() {
		all = append(all, f.Name)
	}
	return all
}

// mutators are the command lines of mutators, without the seed. They read standard input and write standard output.
var mutators = map[string][]string{"": nil, "zzuf": {"zzuf", "-s"}, "radamsa": {"radamsa", "--seed"}}

// mutated returns what a mutator makes of an input. The seed depends on the input alone, so that a failure comes again.
func mutated(name string, input []byte) ([]byte, error) {
	line := mutators[name]
	if len(line) == 0 {
		return input, nil
	}
	h := fnv.New32a()
	h.Write(input)
	cmd := exec.Command(line[0], append(line[1:len(line):len(line)], strconv.FormatUint(uint64(h.Sum32()), 10))...)
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("the mutator %s: %w", name, err)
	}
	return out, nil
}

// finding is a failure with inputs of a format. Findings of several programs may be in one folder.
type finding struct {
	program.Failure
	format string
}

func (f finding) id() string {
	h := fnv.New32a()
	fmt.Fprintln(h, f.Name, f.format, f.Failure.Sign())
	return fmt.Sprintf("%08x", h.Sum32())[:6]
}

// Error begins with the name of the finding.
func (f finding) Error() string { return "finding " + f.id() + ": " + f.Failure.Error() }

// Sign makes failures of different kinds different findings.
func (f finding) Sign() string { return f.Failure.Sign() }

// keep writes the input to the folder of the finding, unless a shorter one is there. It is called for every failing run,
// also while the input is shrunk, so that nothing is lost if the search is killed.
func (f finding) keep(target *Target, input, encoded []byte) error {
	if target.Findings == "" {
		return nil
	}
	dir := filepath.Join(target.Findings, f.id())
	name := "input" + target.Program.Suffix
	if old, err := os.ReadFile(filepath.Join(dir, name)); err == nil && !simpler(input, old) {
		return nil
	}
	if err := f.keepFirst(target, filepath.Join(dir, "first"), input); err != nil {
		return err
	}
	files := map[string][]byte{
		"report.txt": []byte(f.Error() + "\n"),
		"replay.sh":  []byte(f.script(target, name)),
	}
	if target.Mutator != "" {
		files["encoded"+target.Program.Suffix] = encoded
	}
	for file, data := range files {
		if err := write(filepath.Join(dir, file), data, 0o777); err != nil {
			return err
		}
	}
	return write(filepath.Join(dir, name), input, 0o666) // the last, because it says that all is there
}

// keepFirst writes how the finding was made at first: the value, its encoding, and the input that failed.
func (f finding) keepFirst(target *Target, dir string, input []byte) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil || property.Made == nil {
		return err
	}
	value, encoded, ok := property.Made()
	if !ok {
		return nil
	}
	if err := os.Mkdir(dir, 0o777); errors.Is(err, fs.ErrExist) {
		return nil
	} else if err != nil {
		return err
	}
	return errors.Join(
		write(filepath.Join(dir, "value.txt"), []byte(value+"\n"), 0o666),
		write(filepath.Join(dir, "encoded"+target.Program.Suffix), encoded, 0o666),
		write(filepath.Join(dir, "input"+target.Program.Suffix), input, 0o666))
}

// simpler reports whether an input is shorter than another one, or has smaller bytes.
func simpler(input, than []byte) bool {
	if len(input) != len(than) {
		return len(input) < len(than)
	}
	return bytes.Compare(input, than) < 0
}

// write writes a file as a whole or not at all.
func write(file string, data []byte, mode os.FileMode) error {
	temp, err := os.CreateTemp(filepath.Dir(file), ".new-*")
	if err != nil {
		return err
	}
	_, err = temp.Write(data)
	if e := temp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chmod(temp.Name(), mode)
	}
	if err == nil {
		err = os.Rename(temp.Name(), file)
	}
	if err != nil {
		os.Remove(temp.Name())
	}
	return err
}

// script returns a shell script that runs the program on the input.
func (f finding) script(target *Target, input string) string {
	first, _, _ := strings.Cut(f.Failure.Error(), "\n")
	text := "#!/bin/sh\n# " + first + "\ncd \"$(dirname \"$0\")\" || exit 1\nexec"
	found := false
	for i, a := range target.Program.Args {
		if i > 0 && strings.Contains(a, "@@") {
			found = true
			a = strings.ReplaceAll(a, "@@", "./"+input)
		}
		text += " " + quoteShell(a)
	}
	if !found {
		text += " < ./" + input
	}
	return text + "\n"
}
