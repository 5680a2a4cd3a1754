package allele

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/term"
)

// place is where a property lives: its package, and the folder of its cases.
type place struct {
	dir string // testdata/allele/<name>
	pkg string // import path of the package the property is in, with _test if external
	src *codec.PackageConsts

	styled *codec.Style // what style gives, once it was asked for
}

// locate finds the place of a Check.
func locate(c *check, prop uintptr) place {
	return place{dir: filepath.Join("testdata", "allele", fileName(c.name)), pkg: packageOf(prop), src: codec.SourceConsts(home)}
}

// style is how values are written there. It reads go.mod and the source, which
// a Check that passes has no use for.
func (p *place) style() codec.Style {
	if p.styled == nil {
		style := p.makeStyle()
		p.styled = &style
	}
	return *p.styled
}

func (p *place) makeStyle() codec.Style {
	return codec.Style{Pkg: p.pkg, New: hasNewExpr(home), Consts: p.src, Declared: func(pkg, name string) bool {
		return strings.TrimSuffix(pkg, "_test") != strings.TrimSuffix(p.pkg, "_test") || p.src.Declares(name)
	}}
}

// home is the folder of the package under test, where a test binary starts. A
// test may go elsewhere later, by itself or in a property that never ends.
var home = func() string {
	wd, err := os.Getwd()
	if err != nil {
		return "."
	}
	return wd
}()

// at is where a path that is shown relative to the package really is.
func at(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(home, file)
}

// packageOf is the import path in a function's symbol name, where dots of the
// last element are written %2e.
func packageOf(pc uintptr) string {
	name := runtime.FuncForPC(pc).Name()
	slash := strings.LastIndexByte(name, '/') + 1
	dot := strings.IndexByte(name[slash:], '.')
	if dot < 0 {
		return name
	}
	path, err := url.PathUnescape(name[:slash+dot])
	if err != nil {
		return name[:slash+dot]
	}
	return path
}

// flags are those of the go command that decide what the test is, as the
// binary remembers them.
func (p *place) flags() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	text := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "-tags" && s.Value != "":
			text += "-tags=" + s.Value + " "
		case s.Key == "-race" && s.Value == "true":
			text += "-race "
		}
	}
	return text
}

// hasNewExpr reports whether the language version of the module around dir has
// new(expr), which came with Go 1.26.
func hasNewExpr(dir string) bool {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	for {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil {
			return newEnough(data)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}

func newEnough(gomod []byte) bool {
	for line := range bytes.Lines(gomod) {
		var major, minor int
		if n, _ := fmt.Sscanf(string(line), "go %d.%d", &major, &minor); n == 2 {
			return major > 1 || minor >= 26
		}
	}
	return false
}

// nameMax keeps file names below what every file system allows.
const nameMax = 100

// fileName turns the name of a property into one for a folder on every file
// system: letters, digits and a few signs stay, the rest is written as %XX. A
// name that Windows keeps for a device, or that is too long, gets a hash. Names
// that differ only in case share a folder there, so a case also says whose it is.
func fileName(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("_-=+,#", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	s := b.String()
	if len(s) > nameMax || device(s) {
		h := fnv.New64a()
		h.Write([]byte(name))
		s = fmt.Sprintf("%.*s-%08x", nameMax-9, s, uint32(h.Sum64()))
	}
	return s
}

func device(s string) bool {
	switch s = strings.ToLower(s); s {
	case "", "con", "prn", "aux", "nul":
		return true
	}
	return len(s) == 4 && (strings.HasPrefix(s, "com") || strings.HasPrefix(s, "lpt"))
}

// seed is an input to try first.
type seed struct {
	term   term.Term
	from   string // what to call it
	shrunk bool
	saved  bool // its file says that it passed
	apart  bool // it must run in a process of its own,
	tries  int  // so many times if once is not enough
}

// seeds gathers the examples and the stored cases. It reports false if one
// cannot be used, because a regression test that silently stops testing is
// worse than none.
func (c *check) seeds() (seeds []seed, ok bool) {
	c.t.Helper()
	ok = true
	for i, v := range c.settings.seeds {
		x, err := c.example(v)
		if err != nil {
			c.t.Errorf("allele: Example %d: %v", i+1, err)
			ok = false
			continue
		}
		seeds = append(seeds, seed{term: x, from: fmt.Sprintf("Example %d", i+1)})
	}
	entries, err := os.ReadDir(at(c.place.dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		c.t.Errorf("allele: %v", err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".case") {
			continue
		}
		file := filepath.Join(c.place.dir, e.Name())
		s, mine, err := c.load(file, func(test string) bool { return test == c.name })
		if err != nil {
			hint := ""
			if c.job.Mode == job.Plain {
				hint = "\nif allele test has stored it, go test does not know the functions that made it: go tool allele facts -write"
			}
			c.t.Errorf("allele: cannot read a stored case: %v\nmend the file, or delete it if it is not needed any more%s", err, hint)
			ok = false
		} else if mine {
			seeds = append(seeds, s)
		}
	}
	return seeds, ok
}

func (c *check) example(v reflect.Value) (term.Term, error) {
	if v.Type() != c.world.Root.Type {
		return nil, fmt.Errorf("it is a %v, but the property takes %v", v.Type(), c.world.Root.Type)
	}
	return c.world.Read(v)
}

// load reads a case file if it belongs here, which one written by hand need not
// say. A field that the type has no more is left out and told; anything else
// that does not fit would make it another input than was meant.
func (c *check) load(file string, belongs func(test string) bool) (s seed, mine bool, err error) {
	c.t.Helper()
	data, err := read(file)
	if err != nil {
		return s, false, err
	}
	if h, err := codec.ReadHeader(file, data); err != nil {
		return s, false, err
	} else if h.Test != "" && !belongs(h.Test) {
		c.say("%s belongs to %s", file, h.Test)
		return s, false, nil
	}
	k, err := codec.Decode(c.world, file, data, c.place.src)
	if err != nil {
		return s, false, err
	}
	for _, l := range k.Losses {
		if !l.Gone {
			return s, false, fmt.Errorf("%s:%s", file, l)
		}
		c.t.Logf("allele: %s:%s", file, l)
	}
	runs, err := codec.ParseRuns(k.Header.Runs)
	if err != nil {
		return s, false, fmt.Errorf("%s: %w", file, err)
	}
	s = seed{term: k.Term, from: file, shrunk: k.Header.Shrunk != "", saved: k.Header.Verdict == string(event.Passed), apart: runs.Isolated, tries: max(1, runs.Tries)}
	return s, true, nil
}

// readMax is one byte more than a case file may have, so that a longer one is
// refused without being read whole.
const readMax = 16<<20 + 1

func read(file string) ([]byte, error) {
	// A pipe, say, would keep us waiting.
	if info, err := os.Stat(at(file)); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s:1: not a regular file", file)
	}
	f, err := os.Open(at(file))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, readMax))
}

// trySeeds runs the seeds. It reports false if there is to be no search, because one
// failed, which it has shown by then.
func (c *check) trySeeds(seeds []seed) bool {
	c.t.Helper()
	c.runner.detail = true
	defer func() { c.runner.detail = false }()
	for _, s := range seeds {
		o := c.trySeed(s)
		switch o.verdict() {
		case engine.Passed:
			rich := c.engine.Rich
			c.engine.Pass(s.term)
			c.seeded++
			c.saved.count(s, c.engine.Rich > rich || !c.engine.CanBeRich())
		case engine.Discarded:
			c.saved.lost(s)
			c.say("%s was discarded by %s", s.from, c.discardedBy(o))
		case engine.Failed:
			if !c.failedSeed(s, o) {
				return false
			}
		}
		if c.t.Failed() {
			return false
		}
	}
	return true
}

// failedSeed deals with a seed that fails, and reports whether to go on. Several may
// show the same failure; one of them is enough.
func (c *check) failedSeed(s seed, o outcome) (goOn bool) {
	c.t.Helper()
	f := finding{term: s.term, outcome: o, from: c.world.Cells(s.term), seed: s.from, tries: s.tries, sign: o.sign()}
	if !o.hung && !c.failures.claim(f.sign) {
		c.failures.count(c.failures.known[f.sign])
		return true
	}
	if !s.shrunk && !o.hung {
		f.file, f.unsaved = c.save(f)
		c.shrinkSeed(s, &f)
	}
	c.report(f)
	return c.goOn() && !o.hung
}

// trySeed runs a seed, and has the search begin with it.
func (c *check) trySeed(s seed) outcome {
	c.t.Helper()
	if s.apart {
		return c.runSeedApart(s)
	}
	o := c.runner.alone(s.term, c.stop)
	if !o.hung {
		var run trace.Run
		if c.watch != nil {
			run = c.watch.end(o.verdict())
		}
		c.engine.Seed(s.term, o.verdict(), run)
	}
	return o
}

// runSeedApart runs a seed in a process that it may end.
func (c *check) runSeedApart(s seed) outcome {
	c.t.Helper()
	p := c.newPen(s.tries)
	defer p.close()
	o := p.run(s.term)
	if p.err != nil {
		c.t.Errorf("allele: %s was not run: %v", s.from, p.err)
	}
	return o
}

// discardedBy names who discarded the run that has just ended.
func (c *check) discardedBy(o outcome) string {
	if o.rejected != "" {
		return o.rejected // in another process
	}
	return c.rejected(reject{c.runner.refused, o.given})
}

func (c *check) shrinkSeed(s seed, f *finding) {
	if s.apart {
		c.shrinkApart(f)
		return
	}
	c.shrink(f)
}

// save stores a finding. A case is complete on disk or not there at all.
func (c *check) save(f finding) (file string, err error) {
	h := codec.Header{Test: c.name, Verdict: string(f.outcome.kind()), Message: bounded(f.outcome.headline(), messageMax),
		Found: fmt.Sprintf("run %d, seed %d", f.run, c.config.seed)}
	if f.seed != "" {
		h.Found = f.seed
	}
	h.Runs = codec.Runs{Isolated: f.tries > 1 || f.apart(), Tries: f.tries}.String()
	if f.shrunk > 0 {
		h.Shrunk = fmt.Sprintf("from %d to %d nodes in %d runs", f.from, c.world.Cells(f.term), f.shrunk)
	}
	data := codec.Encode(h, c.caseText(f.term))
	if len(data) >= readMax {
		return "", fmt.Errorf("the input takes %s bytes as text, more than a case may have", number(len(data)))
	}
	file = c.caseFile(f.term)
	return file, c.place.write(file, data)
}

// caseFile is where an input is stored that fails.
func (c *check) caseFile(x term.Term) string {
	return filepath.Join(c.place.dir, "fail-"+c.mark(x)+".case")
}

// caseText is a term as case files have it.
func (c *check) caseText(x term.Term) string {
	style := c.place.style()
	style.Case = true
	return codec.Print(c.world, x, style).Expr
}

// messageMax bounds what a case says about its failure.
const messageMax = 1000

func bounded(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "..."
}

// mark is a short name for an input of this property.
func (c *check) mark(x term.Term) string {
	return fmt.Sprintf("%06x", (term.Hash(x)^nameSeed(c.name)*0x9e3779b97f4a7c15)>>40)
}

func (p *place) write(file string, data []byte) error {
	if err := os.MkdirAll(at(p.dir), 0o777); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(at(p.dir), ".writing-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), at(file))
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}

func (p *place) remove(file string) {
	if file == "" {
		return
	}
	if err := os.Remove(at(file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return // a case too many does no harm
	}
	os.Remove(at(p.dir)) // if it is empty
}
