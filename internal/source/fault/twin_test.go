//go:build go1.25

package fault

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/site"
)

// TestTwins compiles about 150 packages when it runs for the first time; then they are in the
// build cache.
//
// It compares each fault with a program in whose source the change is made. It also
// checks that a run that records has found each fault that changes the result of the run.
func TestTwins(t *testing.T) {
	const dir = "testdata/ops"
	m := rewritten(t, dir, Options{}, ".")
	src, err := os.ReadFile(filepath.Join(dir, "ops.go"))
	if err != nil {
		t.Fatal(err)
	}
	faults := tested(t, m.faults, string(src))
	want := twins(t, faults, string(src))
	text := run(t, dir, m.build(t, ".", "-overlay", m.overlay), "", "-test.run=TestZzAlleleEach")
	original, got, unseen := map[int]string{}, map[string]string{}, map[string]bool{}
	for line := range strings.Lines(text) {
		rest, not := strings.CutPrefix(line, "x ")
		var s, v, c int
		if n, _ := fmt.Sscanf(rest, "original %d", &c); n == 1 {
			original[c] = after(rest, 2)
		} else if n, _ := fmt.Sscanf(rest, "fault %d %d %d", &s, &v, &c); n == 3 {
			key := fmt.Sprint(s, v, c)
			got[key], unseen[key] = after(rest, 4), not
		}
	}
	killed := 0
	for i, f := range faults {
		changed := false
		for c := range original {
			key := fmt.Sprint(f.Site, f.Variant, c)
			if got[key] != want[fmt.Sprint(i, c)] {
				t.Errorf("%s %s -> %s: case %d: gate %s, changed source %s", f.Operator, f.From, f.To, c, got[key], want[fmt.Sprint(i, c)])
			}
			if got[key] != original[c] {
				changed = true
				if unseen[key] {
					t.Errorf("%s %s -> %s: case %d: the record shows no difference", f.Operator, f.From, f.To, c)
				}
			}
		}
		if changed {
			killed++
		}
	}
	t.Log(len(faults), "faults,", killed, "change a result in", len(original), "cases")
}

func after(line string, fields int) string {
	return strings.TrimSuffix(strings.SplitN(line, " ", fields+1)[fields], "\n")
}

// tested returns the faults of the functions before func try.
func tested(t *testing.T, all []site.Fault, src string) (some []site.Fault) {
	end := strings.Count(src[:strings.Index(src, "func try(")], "\n")
	for _, f := range all {
		if f.Line <= end {
			some = append(some, f)
		}
	}
	return some
}

// twins makes a package for each fault, with the fault in its source, runs them all in one
// program and returns the results by the number of the fault and of the case.
func twins(t *testing.T, faults []site.Fault, src string) map[string]string {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var imports, calls strings.Builder
	for i, f := range faults {
		write(fmt.Sprintf("p%d/ops.go", i), changed(t, src, f))
		fmt.Fprintf(&imports, "import p%d \"twins/p%d\"\n", i, i)
		fmt.Fprintf(&calls, "for c, f := range p%d.Cases() { fmt.Println(%d, c, p%d.Try(f)) }\n", i, i, i)
	}
	write("go.mod", "module twins\n\ngo 1.22\n")
	write("main.go", "package main\n\nimport \"fmt\"\n"+imports.String()+"func main() {\n"+calls.String()+"}\n")
	build := exec.Command("go", "build", "-trimpath", ".")
	build.Dir = dir
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%.2000s", err, text)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "twins"))
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, text)
	}
	results := map[string]string{}
	for line := range strings.Lines(string(text)) {
		var i, c int
		if n, _ := fmt.Sscanf(line, "%d %d", &i, &c); n == 2 {
			results[fmt.Sprint(i, c)] = after(line, 2)
		}
	}
	return results
}

// loopGuard ends endless loops, as the budget of steps does in the rewritten program.
const loopGuard = `
var steps int

func loopStep() {
	if steps++; steps > 100000 {
		steps = 0
		panic("budget")
	}
}
`

// changed returns the source with one fault in it.
func changed(t *testing.T, src string, f site.Fault) string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "ops.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var at, result ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		pos := token.NoPos
		switch n := n.(type) {
		case *ast.BinaryExpr:
			pos = n.OpPos
		case *ast.UnaryExpr:
			pos = n.OpPos
		case *ast.IncDecStmt:
			pos = n.TokPos
		case *ast.AssignStmt:
			if pos = n.TokPos; f.Operator == "delete" {
				pos = n.Pos()
			}
		case *ast.ReturnStmt:
			for _, x := range n.Results {
				if f.Operator == "return" && fset.Position(x.Pos()).Column == f.Col && fset.Position(n.Pos()).Line == f.Line {
					at, result = n, x
				}
			}
		case *ast.BasicLit:
			if pos = n.Pos(); f.Operator != "constant" {
				pos = token.NoPos
			}
		case *ast.ExprStmt:
			pos = n.Pos()
		}
		if p := fset.Position(pos); at == nil && pos.IsValid() && p.Line == f.Line && p.Column == f.Col {
			at = n
		}
		return true
	})
	if at == nil {
		t.Fatalf("no node at the position of %+v", f)
	}
	from, to := fset.Position(at.Pos()).Offset, fset.Position(at.End()).Offset
	if short(src[from:to]) != f.From {
		t.Errorf("From is %q, the source %q", f.From, src[from:to])
	}
	text := f.To
	if text == deleted {
		if text = "if false { " + src[from:to] + " }"; f.Operator == "increment" {
			text = "func() {}()"
		}
	}
	if result != nil { // results are evaluated with the fault too
		value := src[fset.Position(result.Pos()).Offset:fset.Position(result.End()).Offset]
		text = "{ if steps >= 0 { _ = " + value + "; " + f.To + " }; " + src[from:to] + " }"
	}
	src = src[:from] + text + src[to:]
	return regexp.MustCompile(`\tfor .*\{\n`).ReplaceAllString(src, "${0}loopStep()\n") + loopGuard
}
