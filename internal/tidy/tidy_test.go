//go:build go1.25

package tidy

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/allele-go/allele/internal/testkit"
)

// TestRepository applies every rule to this repository.
func TestRepository(t *testing.T) {
	tree := repository(t)
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			for _, problem := range r.check(tree) {
				t.Error(problem)
			}
		})
	}
}

// TestPublicNames compares the API with the list agreed on.
func TestPublicNames(t *testing.T) {
	tree := repository(t)
	if len(tree.public()) == 0 {
		t.Skip("the root package does not exist yet")
	}
	if n := declaredNames(tree); n > namesMax {
		t.Errorf("the root package declares %d names, want at most %d", n, namesMax)
	}
	testkit.Golden(t, "testdata/public.golden", []byte(strings.Join(publicNames(tree), "\n")+"\n"))
}

// TestProgramNames does so with the API of package program.
func TestProgramNames(t *testing.T) {
	testkit.Golden(t, "testdata/program.golden", []byte(strings.Join(namesOf(repository(t).packageIn("program")), "\n")+"\n"))
}

// TestTypeSizes compares types with many fields or methods with their listed sizes, which may only fall.
func TestTypeSizes(t *testing.T) {
	const file = "testdata/sizes.golden"
	tree, listed := repository(t), readSizes(read(t, file))
	for _, problem := range sizes(tree, listed) {
		t.Error(problem)
	}
	testkit.Golden(t, file, []byte(lowerSizes(tree, listed)))
}

// TestArrowsBetweenFiles compares the arrows that run up with a list of them, which may not grow.
func TestArrowsBetweenFiles(t *testing.T) {
	const file = "testdata/arrows.golden"
	tree, listed := repository(t), readArrows(read(t, file))
	for _, problem := range arrows(tree, listed) {
		t.Error(problem)
	}
	testkit.Golden(t, file, []byte(lowerArrows(tree, listed)))
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestVariables compares the environment variables with the list agreed on. Users may set
// all of them except the job, which the command sets.
func TestVariables(t *testing.T) {
	testkit.Golden(t, "testdata/variables.golden", []byte(strings.Join(variables(repository(t)), "\n")+"\n"))
}

func TestClosureOfRoot(t *testing.T) {
	if len(repository(t).public()) == 0 {
		t.Skip("the root package does not exist yet")
	}
	for _, problem := range closure(linked(t, testkit.Root(t))) {
		t.Error(problem)
	}
}

// repository parses this repository. It checks that the tree contains this file, because a
// walk that starts in the wrong folder would find no problems at all.
func repository(t *testing.T) *Tree {
	t.Helper()
	tree, err := Load(os.DirFS(testkit.Root(t)))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(tree.Files, func(f *File) bool { return f.Path == "internal/tidy/tidy_test.go" }) {
		t.Fatal("the walk did not find this test")
	}
	return tree
}

// linked lists the packages that the package in dir links, with the go command. Unlike the
// go.mod of a scratch module, the repository's own must not be written to.
func linked(t *testing.T, dir string) []string {
	t.Helper()
	out, exit := testkit.Go(t, dir, []string{"GOFLAGS=-mod=readonly"}, "list", "-deps", ".")
	if exit != 0 {
		t.Fatal(out)
	}
	return strings.Fields(out)
}

// fake builds a tree from "-- path --" headings, each followed by a file.
func fake(t *testing.T, archive string) *Tree {
	t.Helper()
	files := fstest.MapFS{}
	var name string
	for line := range strings.Lines(archive) {
		if inner, ok := strings.CutPrefix(line, "-- "); ok {
			name = strings.TrimSuffix(inner, " --\n")
			files[name] = &fstest.MapFile{}
			continue
		}
		files[name].Data = append(files[name].Data, line...)
	}
	tree, err := Load(files)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// A row is a tiny tree and the problems that the rule finds in it, one per line.
type row struct{ name, tree, problems string }

func table(t *testing.T, check func(*Tree) []string, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Helper()
			got := strings.Join(check(fake(t, r.tree)), "\n")
			if got != r.problems {
				t.Errorf("got:\n%s\nwanted:\n%s", got, r.problems)
			}
		})
	}
}

func TestLoad(t *testing.T) {
	tree := fake(t, `-- a.go --
package allele
-- .git/x.go --
not Go, and not read
-- testdata/x.go --
not Go either, but text
-- .ci/run --
#!/bin/bash
-- LICENSE --
long
-- eval/go.mod --
module x
-- eval/lab/lab_test.go --
package lab
`)
	var files, texts []string
	for _, f := range tree.Files {
		files = append(files, f.Path)
		if f.Nested != strings.HasPrefix(f.Path, "eval/") || f.Test != (path.Base(f.Path) == "lab_test.go") {
			t.Errorf("%s: nested %v, test %v", f.Path, f.Nested, f.Test)
		}
	}
	for _, text := range tree.Texts {
		texts = append(texts, text.Path)
	}
	if got := strings.Join(files, " "); got != "a.go eval/lab/lab_test.go" {
		t.Errorf("Go files: %s", got)
	}
	if got := strings.Join(texts, " "); got != ".ci/run a.go eval/go.mod eval/lab/lab_test.go testdata/x.go" {
		t.Errorf("texts: %s", got)
	}
	if _, err := Load(fstest.MapFS{"a.go": {Data: []byte("packag")}}); err == nil {
		t.Error("a file that does not parse must be an error")
	}
}
