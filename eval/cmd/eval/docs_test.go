package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/eval/lab"
)

const page = "# Results\n<!-- eval:echo -->\nold\n<!-- /eval -->\nThe end, with `<!-- eval:none -->` inline.\n"

// repository makes a temporary repository with a page, and with a result unless
// result is "".
func repository(t *testing.T, page, result string) (root string) {
	t.Helper()
	root = t.TempDir()
	files := map[string]string{"eval/go.mod": "module e\n", "README.md": "# Hello\n", "docs/guide/results.md": page}
	if result != "" {
		files["eval/results/echo.json"] = result
	}
	for name, body := range files {
		if err := replace(filepath.Join(root, name), []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

const result = `{"experiment":"echo","machine":"Fast 9, 2 cores","seeds":[1,2],"rows":[{"tool":"b","ns":12.5},{"tool":"a","ns":3}]}`

func TestDocs(t *testing.T) {
	root := repository(t, page, result)
	var out strings.Builder
	if err := docs(root, false, &out); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, "docs/guide/results.md"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "# Results\n<!-- eval:echo -->\n\n" +
		"| tool | ns |\n|---|---:|\n| b | 12.5 |\n| a | 3 |\n\n" +
		"2 seeds; Fast 9, 2 cores. Again: `cd eval && go run ./cmd/eval echo -json results/echo.json`.\n\n" +
		"<!-- /eval -->\nThe end, with `<!-- eval:none -->` inline.\n"
	if string(got) != want {
		t.Errorf("got:\n%s", got)
	}
	if out.String() != "rewrote docs/guide/results.md\n" {
		t.Errorf("printed %q", out.String())
	}
	out.Reset()
	if err := docs(root, false, &out); err != nil || out.Len() > 0 {
		t.Errorf("the second call must change nothing: %v, %s", err, out.String())
	}
}

func TestDocsCheck(t *testing.T) {
	root := repository(t, page, result)
	err := docs(root, true, os.Stdout)
	if err == nil || !strings.Contains(err.Error(), "docs/guide/results.md") {
		t.Errorf("a stale page must be named: %v", err)
	}
	if got, _ := os.ReadFile(filepath.Join(root, "docs/guide/results.md")); string(got) != page {
		t.Errorf("the check changed the page: %s", got)
	}
	if err := docs(root, false, &strings.Builder{}); err != nil {
		t.Fatal(err)
	}
	if err := docs(root, true, os.Stdout); err != nil {
		t.Errorf("a fresh page is fine: %v", err)
	}
}

func TestDocsProblems(t *testing.T) {
	for _, c := range []struct{ name, page, result, problem string }{
		{"no result", page, "", "echo.json"},
		{"a broken result", page, "{", "read result"},
		{"a block without an end", "<!-- eval:echo -->\n", result, "eval:echo is not closed"},
		{"a block without an end before another", "<!-- eval:echo -->\ntext\n" + page, result, "eval:echo is not closed"},
	} {
		err := docs(repository(t, c.page, c.result), false, os.Stdout)
		if err == nil || !strings.Contains(err.Error(), c.problem) || !strings.Contains(err.Error(), "results.md") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if err := docs(t.TempDir(), false, os.Stdout); err == nil || !strings.Contains(err.Error(), "eval folder") {
		t.Errorf("in the wrong folder: %v", err)
	}
}

// A page may show some rows, or the summary.
func TestDocsParts(t *testing.T) {
	for _, c := range []struct{ part, want string }{
		{"tool=a", "| tool | ns |\n|---|---:|\n| a | 3 |\n"},
		{"summary", "- best: a\n- n: 2\n"},
	} {
		r := lab.Result{Rows: []lab.Row{{lab.Col("tool", "b"), lab.Col("ns", 12.5)}, {lab.Col("tool", "a"), lab.Col("ns", 3)}}, Summary: map[string]any{"n": 2, "best": "a"}}
		if got, err := shownOf(&r, c.part); err != nil || got != c.want {
			t.Errorf("%s: %q, %v", c.part, got, err)
		}
		if _, err := shownOf(&r, "tool=c"); err == nil {
			t.Error("no error although no row matches")
		}
	}
}

// The command under a table makes that table: it has the flags of the run, and no others.
func TestDocsFlags(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "go run ./cmd/eval echo -json results/echo.json`"},
		{[]string{"-seeds", "7", "-budget", "15s"}, "go run ./cmd/eval echo -seeds 7 -budget 15s -json results/echo.json`"},
		{[]string{"-only", "yaml"}, "go run ./cmd/eval echo -json results/echo.json`"},
	} {
		file := filepath.Join(t.TempDir(), "echo.json")
		if _, stderr, exit := call(append([]string{"echo", "-json", file}, c.args...)...); exit != 0 {
			t.Fatalf("%v: exit %d: %s", c.args, exit, stderr)
		}
		if text, err := block(file, ""); err != nil || !strings.Contains(text, c.want) {
			t.Errorf("%v: %v\n%s", c.args, err, text)
		}
	}
}
