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
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/site"
)

// TestTwins compares each fault with a program in whose source the change is made. It also
// checks that a run that records has found each fault that changes the result of the run, and,
// for some functions, no other.
func TestTwins(t *testing.T) {
	t.Run("usual", func(t *testing.T) { compareTwins(t, Options{}) })
	t.Run("near", func(t *testing.T) { compareTwins(t, Options{Near: true}) })
}

func compareTwins(t *testing.T, o Options) {
	const dir = "testdata/ops"
	m := rewrittenWith(t, dir, o, true, ".")
	src, err := os.ReadFile(filepath.Join(dir, "ops.go"))
	if err != nil {
		t.Fatal(err)
	}
	faults := tested(t, m.faults, string(src))
	want := twins(t, faults, string(src))
	text := run(t, dir, m.build(t, ".", "-overlay", m.overlay), "", "-test.run=TestZzAlleleEach")
	original, got, unseen, unsure := map[int]string{}, map[string]string{}, map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(text) {
		rest, not := strings.CutPrefix(line, "x ")
		rest, maybe := strings.CutPrefix(rest, "? ")
		var s, v, c int
		if n, _ := fmt.Sscanf(rest, "original %d", &c); n == 1 {
			original[c] = after(rest, 2)
		} else if n, _ := fmt.Sscanf(rest, "fault %d %d %d", &s, &v, &c); n == 3 {
			key := fmt.Sprint(s, v, c)
			got[key], unseen[key], unsure[key] = after(rest, 4), not, maybe
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
			exact := slices.Contains([]string{"limits constant", "lazySame logic", "stored delete", "zeroValue return"}, f.Func+" "+f.Operator)
			if exact && got[key] == original[c] && !unseen[key] && !unsure[key] {
				t.Errorf("%s %s -> %s: case %d: the record shows a difference, and the result is the same", f.Operator, f.From, f.To, c)
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

// twins makes one program that has, for each fault, a copy of the function with the fault in
// its source. It runs all cases with each copy in place of the function, and returns the results
// by the number of the fault and of the case.
func twins(t *testing.T, faults []site.Fault, src string) map[string]string {
	var copies, calls strings.Builder
	names := map[string]bool{}
	for i, f := range faults {
		name, _, _ := strings.Cut(f.Func, ".")
		text := function(t, changed(t, src, f), name)
		copies.WriteString(strings.Replace(text, "func "+name+"(", fmt.Sprintf("func %s%d(", name, i), 1) + "\n")
		fmt.Fprintf(&calls, "\t%[1]s = %[1]s%[2]d\n\trunAll(%[2]d)\n\t%[1]s = %[1]sOriginal\n", name, i)
		names[name] = true
	}
	for name := range names {
		src = strings.Replace(src, "func "+name+"(", "var "+name+" = "+name+"Original\n\nfunc "+name+"Original(", 1)
	}
	src = strings.Replace(src, "package ops", "package main", 1) + loopGuard + copies.String() +
		"\nfunc runAll(i int) {\n\tfor c, f := range Cases() {\n\t\tsteps = 0\n\t\tfmt.Println(i, c, Try(f))\n\t}\n}\n" +
		"\nfunc main() {\n" + calls.String() + "}\n"
	results := map[string]string{}
	for line := range strings.Lines(runProgram(t, src)) {
		var i, c int
		if n, _ := fmt.Sscanf(line, "%d %d", &i, &c); n == 2 {
			results[fmt.Sprint(i, c)] = after(line, 2)
		}
	}
	return results
}

// runProgram compiles and runs a program of one file.
func runProgram(t *testing.T, src string) string {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module twins\n\ngo 1.22\n", "main.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-o", "twins.exe", ".")
	build.Dir = dir
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%.2000s", err, text)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	text, err := exec.CommandContext(ctx, filepath.Join(dir, "twins.exe")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, text)
	}
	return string(text)
}

// function returns the source of a function.
func function(t *testing.T, src, name string) string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "ops.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name {
			return src[fset.Position(d.Pos()).Offset:fset.Position(d.End()).Offset]
		}
	}
	t.Fatal("no function ", name)
	return ""
}

// loopGuard ends endless loops, as the budget of steps does in the rewritten program.
const loopGuard = `
var steps int

func loopStep() {
	if steps++; steps > 10000 {
		panic("budget")
	}
}
`

// changed returns the source with one fault in it.
func changed(t *testing.T, src string, f site.Fault) string {
	from, to := offset(src, f.Line, f.Col), offset(src, f.EndLine, f.EndCol)
	if src[from:to] != f.From {
		t.Errorf("From is %q, the source %q", f.From, src[from:to])
	}
	if near := []string{opDestination, opAddress, opFirst, opSecond}; slices.Contains(near, f.Operator) {
		return guarded(src[:from] + f.To + src[to:])
	}
	whole, ok := f.Edit.Apply(src)
	if !ok {
		t.Fatalf("%+v does not fit the source", f.Edit)
	}
	return guarded(whole)
}

// offset returns the offset of a line and a column.
func offset(src string, line, col int) (at int) {
	for range line - 1 {
		at += strings.Index(src[at:], "\n") + 1
	}
	return at + col - 1
}

// guarded returns the source of a program in which no loop is endless.
func guarded(src string) string {
	return regexp.MustCompile(`\tfor .*\{\n`).ReplaceAllString(src, "${0}loopStep()\n")
}
