//go:build go1.25

package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testkit"
)

// faulted is a package with internal tests, external tests, an example and an initialiser.
var faulted = map[string]string{
	"a.go": `package a

var table = fill(3)

func fill(n int) (all []int) {
	for i := 0; i < n; i++ {
		all = append(all, i*2)
	}
	return all
}

// HOOK is a word that package build uses.
const HOOK = "HOOK"

func Sum() (n int) {
	for _, x := range table {
		n += x
	}
	return n
}
`,
	"a_test.go": `package a

import "testing"

func TestSum(t *testing.T) {
	if Sum() != 6 || HOOK != "HO"+"OK" {
		t.Fatal(Sum(), HOOK)
	}
}

func Testing(t int) {}
`,
	"x_test.go": `package a_test

import (
	"fmt"
	"testing"

	"MODULE"
)

func TestOutside(t *testing.T) {
	t.Run("sub", func(t *testing.T) {
		if a.Sum() != 6 {
			t.Fatal(a.Sum())
		}
	})
}

func ExampleSum() {
	fmt.Println(a.Sum(), "HOOK.SUITE.")
	// Output: 6 HOOK.SUITE.
}
`,
}

// The tests of a build with faults run and pass while all faults are off, whether the module
// uses the library, other tests of the module use it, or none does.
func TestFaultsOff(t *testing.T) {
	uses := "package b\n\nimport _ \"github.com/allele-go/allele\"\n"
	for _, c := range []struct {
		name, mod string
		more      map[string]string
	}{
		{"no test uses the library", "module example.com/a/v2\n\ngo 1.16\n", nil},
		{"another test uses the library", "", map[string]string{"b/b_test.go": uses}},
		{"the test uses the library", "", map[string]string{"uses_test.go": strings.Replace(uses, "package b", "package a", 1)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path, files := "scratch", map[string]string{}
			if c.mod != "" {
				files["go.mod"], path = c.mod, "example.com/a/v2"
			}
			for _, some := range []map[string]string{faulted, c.more} {
				for name, text := range some {
					files[name] = strings.ReplaceAll(text, "MODULE", path)
				}
			}
			checkFaultsOff(t, testkit.Module(t, files), path)
		})
	}
}

func checkFaultsOff(t *testing.T, dir, path string) {
	work := t.TempDir()
	conf := load.Config{Dir: dir, Patterns: []string{"./..."}, All: true, Env: []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}}
	l, err := load.List(conf)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time everything is in the work folder
		o, err := Make(l, Config{Work: work, Load: conf, Faults: &Faults{}})
		if err != nil {
			t.Fatal(err)
		}
		if len(o.Faults) < 5 || o.Faults[0].Package != path {
			t.Errorf("faults: %v", o.Faults)
		}
		for i, f := range o.Faults {
			if f.ID != i {
				t.Errorf("fault %d has the number %d", i, f.ID)
			}
		}
		binary := filepath.Join(work, "a.test")
		if err := o.Test(path, binary); err != nil {
			t.Fatal(err)
		}
		out := runIn(dir, nil, binary, "-test.v")
		for _, line := range []string{"--- PASS: TestSum", "--- PASS: TestOutside/sub", "--- PASS: ExampleSum", "=== RUN   " + SuiteTest} {
			if !strings.Contains(out, line) {
				t.Errorf("no %s in\n%s", line, out)
			}
		}
		suites, err := filepath.Glob(filepath.Join(work, "src", filepath.FromSlash(path)+"!external", "*_suite_x_test.go"))
		if err != nil || len(suites) != 1 {
			t.Fatal(suites, err)
		}
		if text, err := os.ReadFile(suites[0]); err != nil || !strings.Contains(string(text), `"6 HOOK.SUITE.\n"`) {
			t.Errorf("the output of the example has changed (%v):\n%s", err, text)
		}
		boot := ""
		for _, f := range o.Faults {
			if f.Func == "fill" && f.From == "i*2" {
				boot = BootVariable + "=" + strings.Join([]string{f.Package, strconv.Itoa(f.Site), strconv.Itoa(f.Variant)}, " ")
			}
		}
		if out := runIn(dir, []string{boot}, binary); !strings.Contains(out, "--- FAIL: TestSum") {
			t.Errorf("the fault %q is not on in the initialiser:\n%s", boot, out)
		}
	}
}

func runIn(dir string, env []string, binary string, args ...string) string {
	cmd := exec.Command(binary, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, _ := cmd.CombinedOutput()
	return string(out)
}
