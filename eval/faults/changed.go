package faults

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/internal/score/apply"
	"github.com/allele-go/allele/internal/site"
)

// opinion makes a fault in the source of a module and runs the tests that judge its package, at most so many times: until they
// do not say the same as before. The file is restored.
func (b *bench) opinion(src string, f fault, times int) (result string, err error) {
	file := filepath.Join(src, filepath.FromSlash(f.File))
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if _, ok := f.Edit.Apply(string(text)); !ok {
		return "", errors.New("the edit does not fit the source")
	}
	defer func() { err = errors.Join(err, os.WriteFile(file, text, 0o666)) }()
	dir, env := filepath.Dir(file), foreign.UserCache
	if ok, err := compiles(file, string(text), f.Edit, env); err != nil || !ok {
		return doesNotCompile, err
	}
	dir = judging(src, dir)
	result, err = vetAndTest(dir, env)
	for i := 1; i < times && err == nil && result != vetFails; i++ {
		now, err := runTests(dir, env)
		if err != nil || now != result {
			return now, err
		}
	}
	return result, err
}

// judging returns where the tests are that judge a package: all tests of the module judge one without tests.
func judging(src, dir string) string {
	if own, _ := filepath.Glob(filepath.Join(dir, "*_test.go")); len(own) == 0 {
		return filepath.Join(src, "...")
	}
	return dir
}

// failsOriginally reports whether the tests that judge the package of a fault fail without the fault in one of some runs, as tests
// with deadlines of their own do on a busy machine.
func (b *bench) failsOriginally(src string, f fault, times int) (bool, error) {
	dir := judging(src, filepath.Dir(filepath.Join(src, filepath.FromSlash(f.File))))
	for range times {
		if result, err := runTests(dir, foreign.UserCache); err != nil || result != testsPass {
			return err == nil, err
		}
	}
	return false, nil
}

// compiles makes an edit in a file, and reports whether the tests of its package compile. What the change leaves unused is used.
func compiles(file, src string, e site.Edit, env []string) (ok bool, err error) {
	_, failed := apply.Edit(file, src, e, func(text string) (string, error) {
		if err = os.WriteFile(file, []byte(text), 0o666); err != nil {
			return "", err
		}
		cmd := exec.Command("go", "test", "-vet=off", "-run=^$", ".")
		cmd.Dir, cmd.Env = filepath.Dir(file), slices.Concat(os.Environ(), env)
		out, failed := cmd.CombinedOutput()
		if failed == nil {
			return "", nil
		}
		return string(out) + failed.Error(), nil
	})
	return failed == nil, err
}
