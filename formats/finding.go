package formats

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/formats/internal/escape"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/program"
)

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
		text += " " + escape.Shell(a)
	}
	if !found {
		text += " < ./" + input
	}
	return text + "\n"
}
