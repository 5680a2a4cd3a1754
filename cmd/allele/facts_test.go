//go:build go1.25

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/allele-go/allele/internal/source/facts"
	"github.com/allele-go/allele/internal/testkit"
)

const setSource = `package set

import "os"

type Set struct{ has map[int]bool }

func New() *Set { return &Set{map[int]bool{}} }

func (s *Set) Add(x int) { s.has[x] = true }

func Load(name string) *Set {
	os.ReadFile(name)
	return New()
}

type Node struct {
	Op          string
	Left, Right *Node
}

func leaf(n *Node) bool { return n.Op == "+" && n.Left == nil && n.Right != nil }
`

const setTest = `package set

import (
	"testing"

	"github.com/allele-go/allele"
)

func TestSet(t *testing.T) { allele.Check(t, func(t *allele.T, in *Set) {}) }
`

func TestFacts(t *testing.T) {
	apart(t)
	dir := testkit.Module(t, map[string]string{"set.go": setSource, "set_test.go": setTest})
	out, exit := allele(t, "facts", "-C", dir)
	want := `scratch
builder    set.go:7: New makes *Set
builder    set.go:9: (*Set).Add changes Set
field      set.go:21: Node.Op is compared with "+"
pattern    set.go:21: leaf#1 looks for &Node{Op: "+", Right: &Node{}}, and zero at Left

rejected 1 builder; -v lists them and why
`
	if exit != exitOK || out != want {
		t.Errorf("exit %d\n%s", exit, testkit.Diff(want, out))
	}
	out, _ = allele(t, "facts", "-C", dir, "-v")
	has(t, out, "no builder set.go:11: Load: it calls os.ReadFile, which reaches the operating system\n")
}

// A file of the user is not overwritten. The files of other packages are still written.
func TestFactsWrite(t *testing.T) {
	apart(t)
	dir := testkit.Module(t, map[string]string{"set.go": setSource, "set_test.go": setTest, "other/other.go": "package other\n",
		"too/set.go": setSource, "too/set_test.go": setTest})
	file := filepath.Join(dir, facts.DeclarationsFile)
	if err := os.WriteFile(file, []byte("package set\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out, exit := allele(t, "facts", "-C", dir, "-write", "./...")
	if want := "scratch/too: wrote " + filepath.Join("too", facts.DeclarationsFile) + "\nallele facts: not written by this command, so left as it is: " +
		facts.DeclarationsFile + "\n    give that file another name, which changes nothing for go test, and run the command again\n"; exit != exitUsage || out != want {
		t.Errorf("exit %d\n%s", exit, testkit.Diff(want, out))
	}
	if text, _ := os.ReadFile(file); string(text) != "package set\n" {
		t.Errorf("the user's file was changed: %s", text)
	}
	os.RemoveAll(filepath.Join(dir, "too"))
	os.Remove(file)
	out, exit = allele(t, "facts", "-C", dir, "-write", "./...")
	if exit != exitOK || out != "scratch: wrote "+facts.DeclarationsFile+"\n" {
		t.Errorf("exit %d\n%s", exit, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	has(t, string(text), facts.DeclarationsHeader, "allele.Builder((*Set).Add, allele.Partial{})", `allele.Pattern[*Node]("leaf#1", &Node{Op: "+", Right: &Node{}}, "Left")`)
}

func TestFactsOfNothing(t *testing.T) {
	apart(t)
	dir := testkit.Module(t, map[string]string{"a.go": "package a\n", "b/b.go": "package b\n",
		"b/b_test.go": "package b\n\nimport (\n\t\"testing\"\n\n\t\"github.com/allele-go/allele\"\n)\n\nfunc TestB(t *testing.T) { allele.Check(t, func(t *allele.T, in int) {}) }\n"})
	for _, c := range []struct {
		args []string
		exit int
		want string
	}{
		{[]string{"."}, exitOK, "1 package in scope, but the source has no facts that help to generate inputs; -scope adds packages\n"},
		{[]string{"-write", "."}, exitUsage, "allele facts: no package here has tests with allele.Check; name packages that do: go tool allele facts -write ./...\n"},
		{[]string{"-write", "./b"}, exitOK, "scratch/b: the source contains no facts that could be declared; no file was written\n"},
	} {
		out, exit := allele(t, append([]string{"facts", "-C", dir}, c.args...)...)
		if exit != c.exit || out != c.want {
			t.Errorf("%v: exit %d\n%s", c.args, exit, out)
		}
	}
}

// External tests with properties have a file of their own. A file that is not needed any
// more is removed.
func TestFactsOfExternalTests(t *testing.T) {
	apart(t)
	outside := "package set_test\n\nimport (\n\t\"testing\"\n\n\t\"github.com/allele-go/allele\"\n)\n\ntype op interface{ op() }\ntype push struct{}\n\nfunc (push) op() {}\n\n" +
		"func TestOp(t *testing.T) { allele.Check(t, func(t *allele.T, in []op) {}) }\n"
	dir := testkit.Module(t, map[string]string{"set.go": setSource, "set_test.go": setTest, "outside_test.go": outside})
	for _, c := range []struct{ remove, want string }{
		{"", "scratch: wrote " + facts.DeclarationsFile + "\nscratch: wrote " + facts.ExternalFile + "\n"},
		{"set_test.go", "scratch: wrote " + facts.DeclarationsFile + "\nscratch: removed " + facts.ExternalFile + ": there is nothing to declare in it\n"},
	} {
		if c.remove != "" {
			if err := os.Remove(filepath.Join(dir, c.remove)); err != nil {
				t.Fatal(err)
			}
		}
		if out, exit := allele(t, "facts", "-C", dir, "-write", "."); exit != exitOK || out != c.want {
			t.Errorf("exit %d\n%s", exit, testkit.Diff(c.want, out))
		}
		if out, exit := testkit.Go(t, dir, nil, "vet", "."); exit != 0 {
			t.Errorf("go vet: exit %d\n%s", exit, out)
		}
	}
}

// If the source has changed so that written facts do not compile, the next command is named.
func TestOutdatedFacts(t *testing.T) {
	dir := testkit.Module(t, map[string]string{
		"x.go":                 "package x\n",
		"x_test.go":            "package x\n\nimport (\n\t\"testing\"\n\n\t\"github.com/allele-go/allele\"\n)\n\nfunc TestX(t *testing.T) { allele.Check(t, func(t *allele.T, n int) {}) }\n",
		facts.DeclarationsFile: "package x\n\nvar _ = NewGone\n",
	})
	out, exit := allele(t, "test", "-C", dir, ".")
	if exit != exitUsage {
		t.Errorf("exit %d", exit)
	}
	has(t, out, "undefined: NewGone", facts.DeclarationsFile+" is outdated; to write it again, run: go tool allele facts -write ./...")
}

// All commands that read tests say what to do in a module whose go line is too old for a Check.
func TestOldGoLine(t *testing.T) {
	dir := module(t, "list.go", "list_test.go")
	mod := filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(mod)
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, map[string]string{"go.mod": regexp.MustCompile(`(?m)^go .*$`).ReplaceAllString(string(text), "go 1.12")})
	for _, command := range []string{"test", "facts", "score", "dist", "pack"} {
		args := []string{command, "-C", dir, "./..."}
		if command == "pack" {
			args = append(args, "-o", filepath.Join(t.TempDir(), "x"))
		}
		out, exit := allele(t, args...)
		if exit == exitOK {
			t.Errorf("%s: exit %d", command, exit)
		}
		has(t, out, "requires go1.18 or later", "begin the test file with //go:build go1.18, followed by an empty line\n")
	}
}
