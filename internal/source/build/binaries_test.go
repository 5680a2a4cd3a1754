//go:build go1.25

package build

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testkit"
)

// shop is a module whose tests print everything that they are built from. Its tests are in top,
// which imports mid, which imports leaf; in mid; and in side, which imports nothing of these.
type shop struct {
	*testing.T
	dir    string
	config Config
	built  int // number of packages in go commands that build
	go_    int // number of go commands that build
}

const printing = "package %s\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n\n\t\"github.com/allele-go/allele\"\n)\n\n" +
	"func Test%s(t *testing.T) {\n\tfmt.Println(\"is\", %s)\n\tallele.Check(t, func(t *allele.T, n int) {})\n}\n"

func newShop(t *testing.T) *shop {
	s := &shop{T: t}
	s.dir = testkit.Module(t, map[string]string{
		"leaf/leaf.go":     "package leaf\n\nconst Value = 1\n",
		"leaf/plain.go":    "//go:build !special\n\npackage leaf\n\nconst Tag = \"plain\"\n",
		"leaf/special.go":  "//go:build special\n\npackage leaf\n\nconst Tag = \"special\"\n",
		"mid/mid.go":       "package mid\n\nimport (\n\t_ \"embed\"\n\n\t\"scratch/leaf\"\n\t\"example.com/other\"\n)\n\n//go:embed text\nvar text string\n\nfunc All() []any { return append(extra, leaf.Value, leaf.Tag, text, other.Value) }\n\nvar extra []any\n",
		"mid/text":         "1",
		"mid/mid_test.go":  fmt.Sprintf(printing, "mid", "Mid", "1"),
		"top/top.go":       "package top\n\nimport \"scratch/mid\"\n\nfunc All() []any { return mid.All() }\n",
		"top/top_test.go":  fmt.Sprintf(printing, "top", "Top", "All(), 1"),
		"side/side.go":     "package side\n",
		"side/a_test.go":   fmt.Sprintf(printing, "side", "Side", "1"),
		"other/go.mod":     "module example.com/other\n\ngo 1.25\n",
		"other/other.go":   "package other\n\nconst Value = 1\n",
		"another/go.mod":   "module example.com/other\n\ngo 1.25\n",
		"another/other.go": "package other\n\nconst Value = 2\n",
	})
	goMod, err := os.ReadFile(s.in("go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	s.put("go.mod", string(goMod)+"\nrequire example.com/other v1.0.0\n\nreplace example.com/other => ./other\n")
	s.config = Config{Work: t.TempDir(), Strip: true, Load: load.Config{Dir: s.dir, Patterns: []string{"./..."},
		Env: []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}, Show: s.show}}
	return s
}

// show counts the go commands that build.
func (s *shop) show(command []string) {
	if slices.Contains(command, "-c") {
		s.go_++
		for _, arg := range command {
			if strings.HasPrefix(arg, "scratch/") {
				s.built++
			}
		}
	}
}

func (s *shop) in(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

func (s *shop) put(name, text string) {
	s.Helper()
	if err := os.WriteFile(s.in(name), []byte(text), 0o666); err != nil {
		s.Fatal(err)
	}
}

func (s *shop) swap(name, from, to string) {
	s.Helper()
	data, err := os.ReadFile(s.in(name))
	if err != nil || !strings.Contains(string(data), from) {
		s.Fatalf("%s has no %q: %v", name, from, err)
	}
	s.put(name, strings.ReplaceAll(string(data), from, to))
}

// age makes all files older than the next listing. A binary that is built while a file may still
// change gets no record.
func (s *shop) age() {
	s.Helper()
	then := time.Now().Add(-time.Minute)
	err := filepath.Walk(s.dir, func(path string, _ os.FileInfo, err error) error {
		if err == nil {
			err = os.Chtimes(path, then, then)
		}
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
}

// build builds the tests as a command does, and returns how: the number of binaries that were
// built, and of go commands.
func (s *shop) build(kind Kind) (b *Binaries, how string) {
	s.Helper()
	s.age()
	l, err := load.List(s.config.Load)
	if err != nil {
		s.Fatal(err)
	}
	o, err := Make(l, s.config)
	if err != nil {
		s.Fatal(err)
	}
	s.built, s.go_ = 0, 0
	b = &Binaries{Overlay: o, Temp: s.TempDir()}
	b.Ready(kind, o.Paths())
	for _, pkg := range o.Paths() {
		if err := b.One(kind, pkg); err != nil {
			s.Fatal(err)
		}
	}
	return b, fmt.Sprintf("%d by %d", s.built, s.go_)
}

// prints returns what the tests print.
func (s *shop) prints(b *Binaries, kind Kind) (all string) {
	s.Helper()
	for _, pkg := range b.Paths() {
		cmd := exec.Command(b.File(kind, pkg), "-test.v")
		cmd.Dir = s.in(strings.TrimPrefix(pkg, "scratch/"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			s.Fatalf("%v\n%s", err, out)
		}
		for line := range strings.SplitSeq(string(out), "\n") {
			if text, ok := strings.CutPrefix(line, "is "); ok {
				all += fmt.Sprintln(strings.TrimPrefix(pkg, "scratch/")+":", text)
			}
		}
	}
	return all
}

// world is what the tests of a shop should print.
type world struct {
	leaf, text, other, top, mid, side string
	special                           bool
	extra                             bool
}

func (w world) String() string {
	tag := "plain"
	if w.special {
		tag = "special"
	}
	extra := ""
	if w.extra {
		extra = "extra "
	}
	return fmt.Sprintf("mid: %s\nside: %s\ntop: [%s%s %s %s %s] %s\n", w.mid, w.side, extra, w.leaf, tag, w.text, w.other, w.top)
}

// changes lists edits of everything that a test is built from, by name. Each has the new world,
// and how many binaries depend on it.
var changes = map[string]func(s *shop, w *world, n string) (binaries int){
	"nothing": func(*shop, *world, string) int { return 0 },
	"a package two levels below": func(s *shop, w *world, n string) int {
		s.swap("leaf/leaf.go", "Value = "+w.leaf+"\n", "Value = "+n+"\n")
		w.leaf = n
		return 2
	},
	"an embedded file": func(s *shop, w *world, n string) int { s.put("mid/text", n); w.text = n; return 2 },
	"a test file": func(s *shop, w *world, n string) int {
		s.swap("side/a_test.go", "\"is\", "+w.side+")", "\"is\", "+n+")")
		w.side = n
		return 1
	},
	"a test file of a package that others import": func(s *shop, w *world, n string) int {
		s.swap("mid/mid_test.go", "\"is\", "+w.mid+")", "\"is\", "+n+")")
		w.mid = n
		return 1
	},
	"a test file above others": func(s *shop, w *world, n string) int {
		s.swap("top/top_test.go", "All(), "+w.top+")", "All(), "+n+")")
		w.top = n
		return 1
	},
	"a module in another folder": func(s *shop, w *world, n string) int {
		s.swap("other/other.go", "Value = ", "Value = "+n+" // ")
		s.swap("another/other.go", "Value = ", "Value = 5"+n+" // ")
		if w.other = n; strings.Contains(s.read("go.mod"), "./another") {
			w.other = "5" + n
		}
		return 2
	},
	"the target of a replace directive": func(s *shop, w *world, n string) int {
		from, to := "=> ./other\n", "=> ./another\n"
		if !strings.Contains(s.read("go.mod"), from) {
			from, to = to, from
		}
		s.swap("go.mod", from, to)
		value := strings.Fields(s.read(strings.TrimSpace(strings.TrimPrefix(to, "=> ")) + "/other.go"))
		w.other = value[slices.Index(value, "=")+1]
		return 3 // go.mod counts for all
	},
	"a file is added or removed": func(s *shop, w *world, n string) int {
		if w.extra = !w.extra; !w.extra {
			os.Remove(s.in("mid/extra.go"))
		} else {
			s.put("mid/extra.go", "package mid\n\nfunc init() { extra = append(extra, \"extra\") }\n")
		}
		return 2
	},
	"a tag in GOFLAGS": func(s *shop, w *world, n string) int {
		if w.special = !w.special; w.special {
			s.config.Load.Env[0] = "GOFLAGS=-mod=mod -tags=special"
		} else {
			s.config.Load.Env[0] = "GOFLAGS=-mod=mod"
		}
		return 3
	},
}

func (s *shop) read(name string) string {
	s.Helper()
	data, err := os.ReadFile(s.in(name))
	if err != nil {
		s.Fatal(err)
	}
	return string(data)
}

// edited is how many random edits TestBinariesAreCurrent makes. There are few, because each links
// up to three binaries; -edits 100 tries them all, many times.
var edited = flag.Int("edits", 2, "number of random edits")

// After any edit, the binaries are those of the current source, and only those are built again
// that contain the edit. The twin of a binary is what its test must print.
func TestBinariesAreCurrent(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	s := newShop(t)
	w := world{leaf: "1", text: "1", other: "1", top: "1", mid: "1", side: "1"}
	b, how := s.build(WithProbes)
	if got := s.prints(b, WithProbes); got != w.String() || how != "3 by 1" {
		t.Fatalf("built %s, prints\n%s\nwant\n%s", how, got, w)
	}
	if _, how = s.build(WithProbes); how != "0 by 0" {
		t.Errorf("after no edit: built %s", how)
	}
	names := slices.Sorted(maps.Keys(changes))
	for i := range *edited {
		if i%len(names) == 0 {
			r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		}
		name := names[i%len(names)]
		binaries := changes[name](s, &w, fmt.Sprint(2+i))
		b, how := s.build(WithProbes)
		if got := s.prints(b, WithProbes); got != w.String() {
			t.Errorf("seed %d: after %q the tests print\n%swant\n%s", seed, name, got, w)
		}
		if want := fmt.Sprintf("%d by %d", binaries, min(binaries, 1)); how != want {
			t.Errorf("after %q: built %s, want %s", name, how, want)
		}
	}
	s.plant(w)
}

// plant gives an old binary the key of the new source. If prints did not see that, the test above
// would see nothing.
func (s *shop) plant(w world) {
	s.Helper()
	s.put("mid/text", "planted")
	w.text = "planted"
	s.age()
	l, err := load.List(s.config.Load)
	if err != nil {
		s.Fatal(err)
	}
	o, err := Make(l, s.config)
	if err != nil {
		s.Fatal(err)
	}
	for _, pkg := range o.Paths() {
		now := o.look(WithProbes)
		if err := o.note(WithProbes, pkg, now, now); err != nil {
			s.Fatal(err)
		}
	}
	if b, how := s.build(WithProbes); how != "0 by 0" || s.prints(b, WithProbes) == w.String() {
		s.Errorf("a planted binary was not used, or its output is right: built %s", how)
	}
}

// A file that is changed while the go command runs, and then changed back, makes a binary that no
// source has. It is not used a second time.
func TestBinariesOfMovingSource(t *testing.T) {
	s := newShop(t)
	s.config.Load.Patterns = []string{"./top"}
	count := s.config.Load.Show
	moving := false
	s.config.Load.Show = func(command []string) {
		count(command)
		switch {
		case slices.Contains(command, "-c"):
			s.put("mid/text", "9")
			moving = true
		case moving:
			s.put("mid/text", "1")
			moving = false
		}
	}
	const moved, back = "top: [1 plain 9 1] 1\n", "top: [1 plain 1 1] 1\n"
	if b, _ := s.build(Unprobed); s.prints(b, Unprobed) != moved {
		t.Fatal("the go command has not read the other text")
	}
	s.config.Load.Show = count
	b, how := s.build(Unprobed)
	if got := s.prints(b, Unprobed); got != back {
		t.Errorf("built %s, prints\n%swant\n%s", how, got, back)
	}
}

// If a package does not compile any more, its old binary is not used, and the others are built.
// The flag in GOFLAGS makes allele ask the go command each time.
func TestBinariesOfBrokenPackages(t *testing.T) {
	s := newShop(t)
	s.config.Load.Patterns = []string{"./top", "./side"}
	s.config.Load.Env[0] += " -ldflags=-w"
	b, how := s.build(Unprobed)
	if how != "2 by 1" {
		t.Errorf("built %s at first", how)
	}
	old := b.Sum(Unprobed, "scratch/top")
	s.swap("side/a_test.go", "\"is\", 1)", "\"is\", 2)")
	s.swap("mid/mid.go", "var extra []any", "var extra []any = 1")
	s.age()
	l, err := load.List(s.config.Load)
	if err != nil {
		t.Fatal(err)
	}
	// Make would leave the package out.
	b = &Binaries{Overlay: &Overlay{Tests: b.Tests, config: b.config, listing: l, overlays: b.overlays}, Temp: t.TempDir()}
	b.Ready(Unprobed, b.Paths())
	if got := b.Sum(Unprobed, "scratch/top"); got != "" {
		t.Errorf("a package that does not compile has the binary %s, and had %s", got, old)
	}
	if b.Sum(Unprobed, "scratch/side") == "" {
		t.Error("a package that compiles has no binary")
	}
	if err := b.One(Unprobed, "scratch/top"); err == nil || !strings.Contains(err.Error(), "mid.go") {
		t.Errorf("got %v", err)
	}
}
