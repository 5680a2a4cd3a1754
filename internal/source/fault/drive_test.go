//go:build go1.25

package fault

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/edit"
	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/source/probe"
)

// probeSupport declares what gates use of the support file of probes.
const probeSupport = `
//go:linkname alleleBuf_ HOOK.Buf
var alleleBuf_ [131072]uint32

//go:linkname allelePos_ HOOK.Pos
var allelePos_ uint32

//go:linkname alleleLim_ HOOK.Lim
var alleleLim_ uint32

//go:linkname alleleSlow_ HOOK.Slow
func alleleSlow_() uint32

//go:linkname alleleGo_ HOOK.Go
func alleleGo_()

func alleleHit_(i uint32) {
	alleleBuf_[allelePos_&131071] = i
	allelePos_++
}

func alleleCheck_(i uint32) {
	if allelePos_ >= alleleLim_ {
		alleleSlow_()
	}
	alleleHit_(i)
}

func alleleOperand_(i uint32) bool { alleleHit_(i); return 0 == 0 }
`

// driver is a test file that is added to each package. It makes runs record, or runs the
// function Run of the package with each fault.
const driver = `package PACKAGE

import (
	"fmt"
	"os"
	"testing"

	hook "HOOK"
)

func init() {
	if os.Getenv("ALLELE_MODE") == "record" {
		hook.RecordFaults(0 == 0)
	}
}

func TestZzAlleleDrive(t *testing.T) {
	hit, differ := 0, 0
	for _, g := range hook.Gates {
		for i := range g.Hit {
			hit += int(g.Hit[i])
			if g.Diff[i]&127 == g.All[i]&127 {
				differ++
			}
		}
	}
	fmt.Fprintln(os.Stderr, "reached", hit, "differ", differ)
}
`

// driveEach runs the cases of the package with each fault. A line of its output is the number of
// a gate and of a variant, the number of a case, and the result. A run that records comes
// first; an x before the line says that it found no difference, and a ? that there may be one, but was not.
const driveEach = `
func TestZzAlleleEach(t *testing.T) {
	hook.Spent = func() { hook.Extend(1 << 40); panic("budget") }
	g := hook.Gates[0]
	for c, f := range Cases() {
		hook.Reset(10000)
		hook.RecordFaults(true)
		want := Try(f)
		hook.RecordFaults(false)
		diff := append([]uint8(nil), g.Diff...)
		hook.Reset(1 << 40)
		fmt.Println("original", c, want)
		for s := range g.Site {
			for v := 0; 1<<v <= int(g.All[s]&127); v++ {
				hook.Reset(10000)
				g.SwitchFault(s, v, true)
				got := Try(f)
				g.SwitchFault(s, v, false)
				switch {
				case diff[s]>>v&1 == 0:
					fmt.Print("x ")
				case g.All[s] > 127 && (diff[s]|g.Diff[s]) < 128:
					fmt.Print("? ")
				}
				fmt.Println("fault", s, v, c, got)
			}
		}
	}
}
`

// module is a rewritten module.
type module struct {
	dir, work, hook string
	overlay         string
	faults          []site.Fault
	declined        map[string]int
}

// probed returns the insertions of probes for the files of a package.
func probed(prog *load.Program, pkg *load.Package) (all [][]Edit) {
	id := uint32(0)
	p := probe.New(prog.Fset, pkg.Info, probe.Options{Site: func(site.Site) uint32 { id++; return id }})
	for _, f := range pkg.Files {
		var b edit.Buffer
		p.File(f.AST, &b)
		var edits []Edit
		for offset, text := range b.All() {
			edits = append(edits, Edit{offset, text})
		}
		all = append(all, edits)
	}
	return all
}

// rewritten rewrites the packages of a module in a folder. If probes is true, they get
// probes too.
func rewritten(t testing.TB, dir string, probes bool, patterns ...string) *module {
	t.Helper()
	return rewrittenWith(t, dir, Options{}, probes, patterns...)
}

func rewrittenWith(t testing.TB, dir string, o Options, probes bool, patterns ...string) *module {
	t.Helper()
	prog, err := load.Packages(load.Config{Dir: dir, Patterns: patterns})
	if err != nil {
		t.Fatal(err)
	}
	m := &module{dir: dir, work: t.TempDir(), declined: map[string]int{}}
	replace := map[string]string{}
	put := func(original string, content []byte) {
		file := filepath.Join(m.work, fmt.Sprintf("%d_%s", len(replace), filepath.Base(original)))
		if err := os.WriteFile(file, content, 0o666); err != nil {
			t.Fatal(err)
		}
		replace[original] = file
	}
	for _, pkg := range prog.Scope {
		if pkg.Module == nil || pkg.Declined != nil {
			continue
		}
		m.hook = pkg.Module.Path + "/internal/zzallele/hook"
		named := strings.NewReplacer("HOOK", m.hook, "PACKAGE", pkg.Name)
		if probes {
			o.Probes = probed(prog, pkg)
		}
		r := Rewrite(prog.Fset, pkg, o)
		for why, n := range r.Declined {
			m.declined[why] += n
		}
		m.faults = append(m.faults, r.Faults...)
		for i, f := range pkg.Files {
			var b edit.Buffer
			for _, e := range r.Edits[i] {
				b.InsertLines(e.Offset, e.Text)
			}
			if probes {
				for _, e := range o.Probes[i] {
					b.Insert(e.Offset, e.Text)
				}
			}
			put(f.Path, b.Apply(f.Src))
		}
		names := pkg.Support()
		head := "//go:build go1.21\n\npackage PACKAGE\n\nimport _ \"unsafe\"\n"
		put(filepath.Join(pkg.Dir, names[0]), []byte(named.Replace(head+probeSupport+r.Support)))
		last := names[len(names)-1]
		put(filepath.Join(pkg.Dir, strings.Replace(last, "zz_allele", "zz_allele_more", 1)), []byte(named.Replace(head+r.TestSupport)))
		if !pkg.External {
			text := driver
			if pkg.Types.Scope().Lookup("Cases") != nil {
				text += driveEach
			}
			put(filepath.Join(pkg.Dir, "zz_allele_drive_test.go"), []byte(named.Replace(text)))
		}
	}
	m.addHook(t, prog.Scope[0].Module.Dir, put)
	text, _ := json.Marshal(map[string]any{"Replace": replace})
	m.overlay = filepath.Join(m.work, "overlay.json")
	if err := os.WriteFile(m.overlay, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return m
}

// addHook adds the source of package hook to the module.
func (m *module) addHook(t testing.TB, root string, put func(string, []byte)) {
	for _, name := range []string{"hook.go", "fault.go", "move.go", "move_race.go"} {
		src, err := os.ReadFile(filepath.Join("../../hook", name))
		if err != nil {
			t.Fatal(err)
		}
		put(filepath.Join(root, "internal/zzallele/hook", name), src)
	}
}

// build builds the test binary of a package, rewritten or not.
func (m *module) build(t testing.TB, pkg string, flags ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "x.test")
	args := append([]string{"test", "-c", "-vet=off", "-o", out}, flags...)
	cmd := exec.Command("go", append(args, pkg)...)
	cmd.Dir = m.dir
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go test -c %s: %v\n%s", pkg, err, text)
	}
	return out
}

// run runs a test binary in a folder and returns what it printed.
func run(t testing.TB, dir, binary, mode string, args ...string) string {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "ALLELE_MODE="+mode)
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("mode %q: %v", mode, err)
	}
	return string(text)
}

func sum(m map[string]int) (n int) {
	for v := range maps.Values(m) {
		n += v
	}
	return n
}

// TestModule rewrites the module in the folder ALLELE_MODULE and runs its tests: without
// faults, and while all gates record. With ALLELE_KEEP, the test binary is written to that file.
func TestModule(t *testing.T) {
	dir := os.Getenv("ALLELE_MODULE")
	if dir == "" {
		t.Skip("set ALLELE_MODULE to the folder of a module")
	}
	pattern := "."
	if p := os.Getenv("ALLELE_PATTERN"); p != "" {
		pattern = p
	}
	m := rewritten(t, dir, os.Getenv("ALLELE_PROBES") != "", pattern)
	t.Log(len(m.faults), "faults; declined:", sum(m.declined), m.declined)
	binary := m.build(t, pattern, "-overlay", m.overlay)
	if keep := os.Getenv("ALLELE_KEEP"); keep != "" {
		if err := os.Rename(binary, keep); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, mode := range []string{"off", "record"} {
		out := run(t, filepath.Join(dir, pattern), binary, mode, "-test.failfast")
		if len(out) > 3000 {
			out = out[len(out)-3000:]
		}
		t.Log(mode, out)
	}
}
