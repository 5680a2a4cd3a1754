package faults

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/allele-go/allele/eval/foreign"
)

// pair is a change of gremlins and our fault with the same change.
type pair struct {
	gremlin
	ours fault
}

// agree reports whether both tools say killed, or both say something else. A test that gremlins
// stopped counts as killed there, and one that spent its budget is killed here.
func (p pair) agree() bool {
	return (p.Status == gKilled || p.Status == gTimedOut) == (p.ours.Verdict == killed)
}

// decided reports whether both tools have a verdict.
func (p pair) decided() bool { return p.Status != gNotViable && p.ours.Verdict != noVerdict }

func (p pair) String() string { return fmt.Sprintf("%s:%d:%d %s", p.File, p.Line, p.Col, p.Type) }

// pairs matches the changes of gremlins with our faults. It returns the changes that match nothing
// too, by their types.
func pairs(ops operations, h hunt, s score) (matched []pair, unmatched map[string]int) {
	byFile, unmatched := groups(s.Faults), map[string]int{}
	for _, g := range h.Changed {
		if f := ops.match(g, byFile); f != nil {
			matched = append(matched, pair{g, *f})
			continue
		}
		kind := g.Type
		if op, _, err := ops.change(g); err == nil && op.unary {
			kind += " of a sign"
		}
		unmatched[kind]++
	}
	return matched, unmatched
}

// disagreement is a pair with different verdicts, and what running the changed program shows.
type disagreement struct {
	Module   string `json:"module"`
	Place    string `json:"place"`
	Change   string `json:"change"`
	Gremlins string `json:"gremlins"`
	Ours     string `json:"ours"`
	Program  string `json:"program"` // what the tests of the changed program do
	Cause    string `json:"cause"`
}

// Results of running the tests of a changed program.
const (
	doesNotCompile = "does not compile"
	vetFails       = "go vet fails"
	testsFail      = "tests fail"
	testsPass      = "tests pass"
	testsHang      = "tests do not end"
)

// judgeTimeout is how long the tests of a changed program may take.
const judgeTimeout = 2 * time.Minute

// judge makes the change in a copy of the module and runs the tests of its package, as a third
// opinion.
func judge(src string, env []string, ops operations, g gremlin) (result string, err error) {
	op, to, err := ops.change(g)
	if err != nil {
		return "", err
	}
	file := filepath.Join(src, filepath.FromSlash(g.File))
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.WriteFile(file, text, 0o666)) }()
	changed := string(text[:op.offset]) + to.String() + string(text[op.offset+len(op.tok.String()):])
	if err := os.WriteFile(file, []byte(changed), 0o666); err != nil {
		return "", err
	}
	dir := filepath.Dir(file)
	if _, err := foreign.Go(dir, env, "test", "-vet=off", "-run=^$", "."); err != nil {
		return doesNotCompile, nil
	}
	return vetAndTest(dir, env)
}

// vetAndTest does what go test does with a package that compiles.
func vetAndTest(where string, env []string) (string, error) {
	dir, packages := packagesOf(where)
	if _, err := foreign.Go(dir, env, "test", "-run=^$", packages); err != nil {
		return vetFails, nil
	}
	return runTests(where, env)
}

// packagesOf returns the folder in which go runs and the packages that it tests: of a folder its package, and of a folder with /...
// all packages below it.
func packagesOf(where string) (dir, packages string) {
	if filepath.Base(where) == "..." {
		return filepath.Dir(where), "./..."
	}
	return where, "."
}

// runTests runs the tests of packages.
func runTests(where string, env []string) (string, error) {
	dir, packages := packagesOf(where)
	cmd := exec.Command("go", "test", "-count=1", "-vet=off", "-timeout="+judgeTimeout.String(), packages)
	cmd.Dir, cmd.Env = dir, slices.Concat(os.Environ(), env)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return testsPass, nil
	case strings.Contains(string(out), "panic: test timed out"):
		return testsHang, nil
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return testsFail, nil
	}
	return "", err
}

// cause explains a disagreement, if the result of the changed program does. Others are explained in
// the table explained.
func (d disagreement) cause() string {
	if why := explained[d.Module+" "+d.Place]; why != "" {
		return why
	}
	switch ours := strings.HasPrefix(d.Ours, killed); {
	case d.Program == doesNotCompile && d.Gremlins == gKilled:
		return "the changed program does not compile, which gremlins counts as killed"
	case d.Program == vetFails && d.Gremlins == gKilled:
		return "go vet refuses the changed program, which gremlins counts as killed"
	case d.Program == testsPass && d.Gremlins == gTimedOut:
		return "the tests pass: gremlins has stopped them too early"
	case ours && (d.Program == testsFail || d.Program == testsHang) && d.Gremlins == gNotCovered:
		return "gremlins has not run the tests, because of the blocks that it takes for covered"
	}
	return ""
}

// explained has the causes of disagreements that were looked at by hand. The key is the module and
// the place, as in the table of disagreements.
var explained = map[string]string{}
