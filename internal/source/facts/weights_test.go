//go:build go1.25

package facts

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testkit"
)

// Types are written as the file must write them, whatever the binary calls their
// packages. Types that the file cannot name are left out.
func TestWeighted(t *testing.T) {
	dir := testkit.Module(t, declaredFiles)
	conf := load.Config{Dir: dir, Patterns: []string{"./..."}, Env: []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}}
	prog, err := load.Packages(conf)
	if err != nil {
		t.Fatal(err)
	}
	two := []Way{{"Num", 0.123456}, {"Bin", 1e-7}}
	for _, c := range []struct {
		name string
		all  []Weights
		left []string
	}{
		{"calc", []Weights{
			{Type: "Expr", From: "TestX", Ways: two},
			{Type: "*neg", From: "TestX", Ways: two},
			{Type: "calc.Expr", Imports: map[string]string{"scratch/calc": "calc"}, External: true, From: "an external test", Ways: two},
			{Type: "l.Op", Imports: map[string]string{"scratch/lang": "l"}, From: "TestX", Ways: two},
			{Type: "Fast", Ways: two}, // in a file with a tag
			{Type: "Expr2", Ways: two},
			{Type: "Num", External: true, Ways: two}, // of the external tests, which have another one
			{Type: "outer.T", Imports: map[string]string{"scratch/outer": "outer"}, Ways: two},
			{Type: "interface{ Eval() int }", Ways: two},
			{Type: "[]l.Op", Imports: map[string]string{"scratch/lang": "l"}, From: "TestX", Ways: two},
		}, []string{"Fast", "Expr2", "Num", "outer.T", "interface{ Eval() int }"}},
		{"outer", []Weights{
			{Type: "calc.Expr", Imports: map[string]string{"scratch/calc": "calc"}, External: true, From: "TestX", Ways: two},
		}, nil},
		{"none", []Weights{{Type: "error", From: "TestX", Ways: two}}, nil},
	} {
		files, left, err := NewIndex(prog).Weighted("scratch/"+c.name, Chosen{[]string{"About."}, c.all})
		if err != nil || !slices.Equal(left, c.left) {
			t.Fatalf("%s: left out %q, %v", c.name, left, err)
		}
		for _, f := range files {
			testkit.Golden(t, filepath.Join("testdata", "weighted_"+c.name+".golden"), f.Text)
			if err := os.WriteFile(filepath.Join(dir, c.name, f.Name), f.Text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := load.Packages(conf); err != nil { // which checks the types
		t.Error(err)
	}
}
