package facts

import (
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/facts"
	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testkit"
)

// goVersion is the version of Go whose standard library the golden file describes.
const goVersion = "go1.26"

// linesMax keeps a golden file short enough to be read.
const linesMax = 400

func TestListings(t *testing.T) {
	for _, s := range subjects {
		t.Run(path.Base(s.pkg), func(t *testing.T) {
			if s.pkg == "go/ast" && !strings.HasPrefix(runtime.Version(), goVersion) {
				t.Skipf("the golden file describes the standard library of %s", goVersion)
			}
			prog, err := load.Packages(s.config())
			if err != nil {
				t.Fatal(err)
			}
			x := facts.NewIndex(prog)
			for _, pkg := range prog.Scope {
				if err := typeCheck(prog.Fset, pkg, build.FactsOf(x, pkg)); err != nil {
					t.Error(err)
				}
				if pkg.Path == s.pkg && !pkg.External {
					name := strings.NewReplacer("/", "_", "github.com/", "").Replace(s.pkg)
					testkit.Golden(t, filepath.Join("testdata", name+".golden"), []byte(listing(x.Package(pkg))))
				}
			}
		})
	}
}

// listing returns the number of lines of each kind, followed by the lines that
// allele facts -v prints for one package, without folders.
func listing(p facts.Package) string {
	counts, order := map[string]int{}, []string{}
	var lines []string
	for _, l := range p.Lines() {
		if counts[l.Kind]++; counts[l.Kind] == 1 {
			order = append(order, l.Kind)
		}
		lines = append(lines, fmt.Sprintf("%-10s %s:%d: %s\n", l.Kind, filepath.Base(l.Pos.Filename), l.Pos.Line, l.Text))
	}
	head := p.Path + "\n"
	for _, kind := range order {
		head += fmt.Sprintf("%d of kind %s\n", counts[kind], kind)
	}
	if more := len(lines) - linesMax; more > 0 {
		lines = append(lines[:linesMax], fmt.Sprintf("and %d more\n", more))
	}
	return head + "\n" + strings.Join(lines, "")
}
