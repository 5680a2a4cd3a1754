package overhead

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/build"
)

// Every workload has its source, declares its result, and uses a version that go.mod
// and go.sum pin.
func TestWorkloads(t *testing.T) {
	gomod, _ := module.ReadFile("testdata/go.mod.txt")
	gosum, _ := module.ReadFile("testdata/go.sum.txt")
	s := &scratch{sums: string(gomod)}
	for _, w := range append([]workload{mapped, routines}, workloads...) {
		text, err := module.ReadFile("testdata/" + w.pkg + "/work.go.txt")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), `Name: "`+w.name+`"`) || strings.Contains(string(text), `Want: ""`) {
			t.Errorf("%s: testdata/%s does not declare the workload, or not its result", w.name, w.pkg)
		}
		if pin := w.code + " " + s.version(w.code) + " h1:"; w.code != "" && !strings.Contains(string(gosum), pin) {
			t.Errorf("%s: go.sum has no line %s", w.name, pin)
		}
	}
	if quick := chosen(workloads, true); len(quick) < 2 || len(quick) >= len(workloads) {
		t.Errorf("a quick run takes %d of %d", len(quick), len(workloads))
	}
}

func TestDiffer(t *testing.T) {
	a := &generated{hashes: []string{"1", "2", "3"}}
	b := &generated{hashes: []string{"1", "4"}}
	if got := differ(a, b); !reflect.DeepEqual(got, []int{1, 2}) {
		t.Errorf("runs %v; a missing run must count as different", got)
	}
}

func TestGenerated(t *testing.T) {
	file := filepath.Join(t.TempDir(), "paths")
	if err := os.WriteFile(file, []byte("aa 1 2\nbb\naa\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	g := &generated{}
	if err := g.totals("ok\nRUNS 3 70 1 2\nPASS\n"); err != nil {
		t.Fatal(err)
	}
	if err := g.read(f); err != nil {
		t.Fatal(err)
	}
	want := &generated{hashes: []string{"aa", "bb", "aa"}, symbols: [][]uint32{{1, 2}, nil, nil}, distinct: 2, hits: 70, cut: 1, panicked: 2}
	if !reflect.DeepEqual(g, want) {
		t.Errorf("read %+v", g)
	}
	if err := g.totals("panic"); err == nil {
		t.Error("no error without totals")
	}
}

// Two paths diverge at the first symbol in which they differ. If one path ends there,
// it is the next symbol of the other.
func TestPlace(t *testing.T) {
	s := &scratch{src: t.TempDir()}
	file := filepath.Join(s.src, "a.go")
	if err := os.WriteFile(file, []byte("one\ntwo "+reason+"\nthree\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	o := &build.Overlay{Sites: []site.Site{{ID: 1, File: file, Line: 1}, {ID: 2, File: file, Line: 2}, {ID: 3, File: file, Line: 3}}}
	for _, c := range []struct {
		name    string
		a, b    []uint32
		where   string
		problem string
	}{
		{"a symbol", []uint32{1, 2, 3}, []uint32{1, 3, 2}, "a.go:2", ""},
		{"with its kind", []uint32{1, 2 | 1<<24, 3}, []uint32{1, 3}, "a.go:2", ""},
		{"an end", []uint32{1}, []uint32{1, 2}, "a.go:2", ""},
		{"no reason", []uint32{3}, []uint32{2}, "", "a.go:3, a line without a known reason: three"},
		{"no difference", []uint32{3}, []uint32{3}, "", "not in the first 1"},
		{"no such site", []uint32{9}, []uint32{2}, "", "number 9"},
	} {
		where, err := s.place(o, c.a, c.b)
		if where != c.where || (err == nil) != (c.problem == "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %q, %v", c.name, where, err)
		}
	}
}

// If the patches do not fit the runtime, patch returns an error.
func TestPatch(t *testing.T) {
	source := patches[0][0] + "\n" + patches[1][0]
	if text, err := patch(source); err != nil || text != patches[0][1]+"\n"+patches[1][1] {
		t.Errorf("%s, %v", text, err)
	}
	if _, err := patch("package runtime\n"); err == nil || !strings.Contains(err.Error(), "adapt") {
		t.Errorf("another runtime: %v", err)
	}
}

func TestSummarise(t *testing.T) {
	ratios := map[string][]float64{}
	for _, way := range ways[1:] {
		ratios[way] = []float64{1, 4}
	}
	ratios[budgeted] = []float64{1.2, 1.2}
	res := &lab.Result{Rows: []lab.Row{{lab.Col("workload", "a")}, {lab.Col("workload", "b")}}, Summary: map[string]any{}}
	res, err := summarise(res, ratios)
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Summary["geomean"].(float64); got < 1.999 || got > 2.001 {
		t.Errorf("mean without a budget %v", got)
	}
	if got := res.Summary["worst"]; got != 1.2 || len(res.Rows) != 3 || len(res.Plot) == 0 {
		t.Errorf("worst %v, %d rows", got, len(res.Rows))
	}
	ratios[budgeted] = []float64{3, 3}
	res.Rows = res.Rows[:2]
	if _, err := summarise(res, ratios); err == nil {
		t.Error("no error for a mean of 3")
	}
}
