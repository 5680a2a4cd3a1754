//go:build go1.25

package stack

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// reports returns the stacks in testdata by name.
func reports(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile("testdata/reports.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, part := range strings.Split(strings.ReplaceAll(string(data), "GOROOT", runtime.GOROOT()), "\n-- ")[1:] {
		name, text, _ := strings.Cut(part, " --\n")
		all[name] = text + "\n"
	}
	return all
}

func functions(fs []Frame) string {
	var names []string
	for _, f := range fs {
		names = append(names, f.Function()+" "+f.At[strings.LastIndexByte(f.At, '/')+1:])
	}
	return strings.Join(names, ", ")
}

// A panic has the same culprit and the same frames whether it was recovered or crashed
// its process. Frames are compared down to tree.run, which both stacks contain.
func TestReportsAgree(t *testing.T) {
	all, pairs := reports(t), 0
	for name, text := range all {
		failure, died := strings.CutPrefix(name, "died ")
		if !died {
			continue
		}
		pairs++
		recovered, dead := Origin(all["recovered "+failure]), Origin(Goroutines(text)[0])
		common := func(fs []Frame) []Frame {
			return fs[:1+slices.IndexFunc(fs, func(f Frame) bool { return f.Function() == "tree.run" })]
		}
		if a, b := functions(common(recovered)), functions(common(dead)); a != b || a == "" {
			t.Errorf("%s\nrecovered %s\ndied      %s", failure, a, b)
		}
		a, _ := Culprit(recovered)
		b, _ := Culprit(dead)
		if a.At != b.At || !strings.HasPrefix(a.At, "/home/me/tree/") {
			t.Errorf("%s: blames %s and %s", failure, a.At, b.At)
		}
	}
	if pairs != 6 {
		t.Errorf("%d pairs", pairs)
	}
}

func TestOrigin(t *testing.T) {
	for name, want := range map[string]string{
		"recovered Nil":      "tree.(*Tree).Insert tree.go:13, tree.run tree_test.go:12, tree.one.func1 tree_test.go:29",
		"recovered Repeat":   "strings.Repeat strings.go:628, tree.Repeat tree.go:17, tree.run tree_test.go:16, tree.one.func1 tree_test.go:29",
		"recovered Deferred": "tree.Deferred tree.go:29, tree.run tree_test.go:20, tree.one.func1 tree_test.go:29",
		"died Deferred":      "tree.Deferred tree.go:29, tree.run tree_test.go:20, tree.elsewhere.func1.1 tree_test.go:43, tree.elsewhere.func1 tree_test.go:43",
	} {
		if got := functions(Origin(reports(t)[name])); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", name, got, want)
		}
	}
}

// Under -trimpath the file names of the standard library have no leading folder.
func TestStd(t *testing.T) {
	for _, c := range []struct {
		call, at string
		want     bool
	}{
		{"strings.Repeat({0x1?}, 0x2)", runtime.GOROOT() + "/src/strings/strings.go:628", true},
		{"strings.Repeat({0x1?}, 0x2)", "strings/strings.go:628", true},
		{"encoding/json.Marshal(...)", "encoding/json/encode.go:2", true},
		{"example.com/tree.Repeat(...)", "/home/me/tree/tree.go:17", false},
		{"example.com/tree.Repeat(...)", "example.com/tree/tree.go:17", false},
		{"example.com/tree.(*Tree).Insert(0x1)", "example.com/tree@v1.2.3/tree.go:17", false},
		{"github.com/allele-go/allele/internal/stack.F()", "github.com/allele-go/allele/internal/stack/x.go:1", false},
		{"tree.F()", "/home/me/tree/tree.go:1", false},
		{"command-line-arguments.F()", "command-line-arguments/x_test.go:1", false},
	} {
		if got := (Frame{c.call, c.at}).Std(); got != c.want {
			t.Errorf("%s %s: %v", c.call, c.at, got)
		}
	}
}

// All can read the stack that Here writes.
func TestHere(t *testing.T) {
	fs := All(Here(0))
	if len(fs) == 0 || fs[0].Function() != "stack.TestHere" {
		t.Errorf("%q", fs)
	}
}
