package e2e

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/e2e/page"
	"github.com/allele-go/allele/internal/testkit"
)

// skipsMax bounds the blocks that are not run, in all pages together.
const skipsMax = 1

// TestPages does what the pages tell a reader to do, and compares what the commands
// print with what the pages show. With -update it writes the outputs into the pages.
func TestPages(t *testing.T) {
	root, update := testkit.Root(t), flag.Lookup("update").Value.String() == "true"
	desk := newDesk(t)
	var skipped []string
	for _, name := range pageNames(t, root) {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		skipped = append(skipped, skips(name, text)...)
		sub := strings.TrimSuffix(strings.TrimPrefix(name, "docs/"), ".md")
		t.Run(sub, func(t *testing.T) {
			t.Parallel()
			got, problems := desk.read(t, name, text, update)
			for _, problem := range problems {
				t.Error(problem)
			}
			if len(problems) > 0 && got != text && !update {
				t.Logf("to accept the outputs: cd e2e && go test -count=1 -run 'TestPages/%s$' -update", sub)
			}
			if update && got != text {
				if err := os.WriteFile(filepath.Join(root, name), []byte(got), 0o666); err != nil {
					t.Error(err)
				}
			}
		})
	}
	t.Logf("%d blocks are not run:\n%s", len(skipped), strings.Join(skipped, "\n"))
	if len(skipped) > skipsMax {
		t.Errorf("%d blocks are not run, at most %d", len(skipped), skipsMax)
	}
}

// pageNames lists the pages: the first one, the guide, and one that tries every directive.
func pageNames(t *testing.T, root string) []string {
	names := []string{"README.md", "e2e/testdata/pages/shelf.md"}
	guide, err := filepath.Glob(filepath.Join(root, "docs", "guide", "*.md"))
	if err != nil || len(guide) == 0 {
		t.Fatal("no guide", err)
	}
	for _, file := range guide {
		names = append(names, "docs/guide/"+filepath.Base(file))
	}
	return names
}

// skips lists the blocks of a page that are not run, with the reasons.
func skips(name, text string) (list []string) {
	p, _ := page.Parse(text)
	for _, s := range p.Steps {
		if s.Kind == page.Skip {
			list = append(list, fmt.Sprintf("%s:%d: %s", name, s.Line, s.Name))
		}
	}
	return list
}

// A page that is wrong fails with its name, the line, the command and the difference.
func TestWrongPages(t *testing.T) {
	desk := newDesk(t)
	const notes = "<!-- file notes.txt -->\n```text\none\ntwo\n```\n"
	for _, c := range []struct{ name, page, want string }{
		{"right", notes + "```console\n$ cat notes.txt\none\n...\n```", ""},
		{"another output", notes + "```console\n$ cat notes.txt\none\nthree\n```", "x.md:7: cat notes.txt: the output differs (- page, + got):\n@ 1\n  one\n- three\n+ two\n"},
		{"an output that is not shown", notes + "```console\n$ ls\n```", "x.md:7: ls: the output differs (- page, + got):\n@ 1\n- \n+ go.mod\n+ notes.txt\n"},
		{"no such file", "```console\n$ cat notes.txt\n```", "notes.txt: no such file or directory"},
		{"no such command", "```console\n$ rm notes.txt\n```", "x.md:2: rm notes.txt: not a command of pages; there are cat, cd,"},
		{"no such folder", "```console\n$ cd ..\n```", "x.md:2: cd ..: .. is not a folder of the module"},
		{"another version", "```console\n$ go get github.com/allele-go/other\n```", "x.md:2: go get github.com/allele-go/other: not a command"},
		{"a failure that the page hides", "<!-- no output shown -->\n```console\n$ go vet .\n```", "x.md:3: go vet .: exit status 1, but the page does not show"},
		{"a failure that does not happen", notes + "<!-- fails -->\n```console\n$ cat notes.txt\none\ntwo\n```", "x.md:8: cat notes.txt: it passed, but the page shows a failure"},
		{"an edit without its old text", notes + "<!-- edit notes.txt: three => four -->", "x.md:6: edit notes.txt: \"three\" occurs 0 times in it, want once"},
		{"code that does not parse", "```go\nfunc {\n```", "x.md:2: this is neither declarations nor statements nor options: x.md:2"},
		{"code that does not compile", "# A\n\n```go\nvar x int\nvar y = z\n```\n", "x.md:5: undefined: z"},
		{"a file that does not compile", "```go\n// a.go\npackage a\n\nvar y = z\n```\n", "a.go:4:9: undefined: z"},
		{"a page that cannot be read", "```\n```", "x.md: line 1: the language of the block is \"\""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, problems := desk.read(t, "x.md", c.page, false)
			if got := strings.Join(problems, "\n"); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("got:\n%s\nwanted:\n%s", got, c.want)
			}
		})
	}
}

// With -update a page gets its outputs, and a second reading finds nothing to change.
func TestUpdatePage(t *testing.T) {
	const text = "<!-- file a.txt -->\n```text\ntook 1.0s\nnew\n```\n\n- x\n\n  ```console\n  $ cat a.txt\n  took 2.0s\n  old\n  $ ls\n  ```\n"
	want := strings.NewReplacer("  old\n", "  new\n", "$ ls\n", "$ ls\n  a.txt\n  go.mod\n").Replace(text)
	desk := newDesk(t)
	for _, from := range []string{text, want} {
		if got, problems := desk.read(t, "x.md", from, true); got != want || len(problems) > 0 {
			t.Errorf("%q\n%s", problems, testkit.Diff(want, got))
		}
	}
}
