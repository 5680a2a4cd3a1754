package faults

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
)

// opinion makes a fault in the source of a module and runs the tests that judge its package, at most so many times: until they
// do not say the same as before. The file is restored.
func (b *bench) opinion(src string, f fault, times int) (result string, err error) {
	file := filepath.Join(src, filepath.FromSlash(f.File))
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	changed, ok := f.Edit.Apply(string(text))
	if !ok {
		return "", errors.New("the edit does not fit the source")
	}
	defer func() { err = errors.Join(err, os.WriteFile(file, text, 0o666)) }()
	dir, env := filepath.Dir(file), foreign.UserCache
	if ok, err := compiles(file, changed, env); err != nil || !ok {
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

// unusedMax is how many variables and imports of a changed program may be unused.
const unusedMax = 8

// compiles writes a file and reports whether the tests of its package compile. What a change leaves unused is used.
func compiles(file, text string, env []string) (ok bool, err error) {
	for range unusedMax {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return false, err
		}
		cmd := exec.Command("go", "test", "-vet=off", "-run=^$", ".")
		cmd.Dir, cmd.Env = filepath.Dir(file), slices.Concat(os.Environ(), env)
		out, failed := cmd.CombinedOutput()
		if failed == nil {
			return true, nil
		}
		next, ok := used(filepath.Base(file), text, string(out))
		if !ok {
			return false, nil
		}
		text = next
	}
	return false, nil
}

var unused = regexp.MustCompile(`(?m)^(?:\./)?(\S+\.go):(\d+):(\d+): ` +
	`(?:declared and not used: (\w+)|"\S+" imported (?:as \w+ )?and not used)`)

// used returns the source of a file in which the first variable or import is used that the compiler calls unused.
func used(name, text, out string) (string, bool) {
	for _, m := range unused.FindAllStringSubmatch(out, -1) {
		if filepath.Base(m[1]) != name {
			continue
		}
		line, _ := strconv.Atoi(m[2])
		column, _ := strconv.Atoi(m[3])
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, text, parser.ParseComments)
		if err != nil || line > fset.File(file.Pos()).LineCount() {
			return "", false
		}
		pos := fset.File(file.Pos()).LineStart(line) + token.Pos(column-1)
		offset := func(p token.Pos) int { return fset.File(p).Offset(p) }
		if m[4] == "" {
			for _, spec := range file.Imports {
				if spec.Pos() == pos {
					at := offset(spec.Path.Pos())
					return text[:offset(spec.Pos())] + "_ " + text[at:], true
				}
			}
			return "", false
		}
		if at := afterwards(file, pos); at.IsValid() {
			return text[:offset(at)] + "; _ = " + m[4] + "; " + strings.TrimPrefix(text[offset(at):], ";"), true
		}
		return "", false
	}
	return "", false
}

// afterwards returns where the first statement can be that uses a variable which is declared at a position: after the
// statement, or at the beginning of the block that the declaration is for.
func afterwards(file *ast.File, pos token.Pos) (at token.Pos) {
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || pos < n.Pos() || pos >= n.End() {
			return false
		}
		inside := func(list []ast.Stmt) {
			for _, s := range list {
				if s.Pos() <= pos && pos < s.End() {
					at = s.End()
				}
			}
		}
		switch n := n.(type) {
		case *ast.BlockStmt:
			inside(n.List)
		case *ast.CaseClause:
			inside(n.Body)
		case *ast.CommClause:
			if inside(n.Body); n.Comm != nil && pos < n.Comm.End() {
				at = n.Colon + 1
			}
		case *ast.IfStmt:
			if pos < n.Body.Lbrace {
				at = n.Body.Lbrace + 1
			}
		case *ast.ForStmt:
			if pos < n.Body.Lbrace {
				at = n.Body.Lbrace + 1
			}
		case *ast.RangeStmt:
			if pos < n.Body.Lbrace {
				at = n.Body.Lbrace + 1
			}
		}
		return true
	})
	return at
}
