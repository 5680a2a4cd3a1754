// Package buildcost measures what it costs to build a test with probes.
//
// The experiment copies a module from the proxy and adds one package: a property that
// imports all other packages of the module. The test of that package is built in two
// ways. The plain build is go test -c. The build with probes consists of the three calls
// that the command makes (load.List, build.Make, Overlay.Test), in this process. The cost
// is the CPU time, user and system, of this process and of the go command, the compilers
// and the linker that it starts.
//
// A cold build starts with a build cache that has the standard library and the
// dependencies, but nothing of the module itself. A user has such a cache after go
// mod download and a build of anything else. A cache without the dependencies
// would add the same half minute to both sides and bring the ratio closer to 1.
// Each cold build gets its own copy of the cache. The no-op build repeats the cold
// build without a change.
//
// The cache of dependencies is kept in the user's cache folder, because filling it
// takes most of the time of the experiment. Packages of the module itself are
// never stored there.
package buildcost

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/load"
)

// Experiment builds one module alternately with and without probes.
var Experiment = lab.Experiment{
	Name: "buildcost",
	Doc:  "CPU time to build a test with probes against go test -c, on a module of a hundred packages and more",
	Run:  run,
}

// The modules to build: cue has more than a hundred packages of all kinds. goldmark has a
// dozen packages and no dependencies.
var (
	full  = subject{path: "cuelang.org/go", version: "v0.14.2"}
	quick = subject{path: "github.com/yuin/goldmark", version: "v1.7.13"}
)

func run(cfg lab.Config) (*lab.Result, error) {
	s, rounds := full, 3
	if cfg.Quick {
		s, rounds = quick, 1
	}
	dir, err := os.MkdirTemp("", "buildcost")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	s.dir, s.warm = dir, filepath.Join(cache, "allele-eval", "buildcost")
	if err := s.prepare(cfg); err != nil {
		return nil, err
	}
	var plain, probes best
	for i := range rounds {
		cfg.Logf("round %d of %d", i+1, rounds)
		if err := s.round(&plain, s.plain); err != nil {
			return nil, err
		}
		if err := s.round(&probes, s.probes); err != nil {
			return nil, err
		}
	}
	prog, err := load.Packages(load.Config{Dir: s.src(), Patterns: []string{"./" + folder}, Env: s.env(s.warm)})
	if err != nil {
		return nil, err
	}
	row := lab.Row{lab.Col("module", s.path+" "+s.version), lab.Col("packages", s.packages),
		lab.Col("lines", lines(prog)), lab.Col("sites", s.sites),
		lab.Col("plain cold s", plain.cold.all()), lab.Col("allele cold s", probes.cold.all()),
		lab.Col("cold ratio", probes.cold.all()/plain.cold.all()),
		lab.Col("plain no-op s", plain.noop.all()), lab.Col("allele no-op s", probes.noop.all()),
		lab.Col("no-op ratio", probes.noop.all()/plain.noop.all())}
	return &lab.Result{Seeds: []uint64{1}, Rows: []lab.Row{row}, Summary: map[string]any{"rounds": rounds,
		"cold ratio": probes.cold.all() / plain.cold.all(), "no-op ratio": probes.noop.all() / plain.noop.all(),
		"cold list s": probes.cold.list, "cold rewrite s": probes.cold.rewrite, "cold build s": probes.cold.build,
		"no-op list s": probes.noop.list, "no-op rewrite s": probes.noop.rewrite, "no-op build s": probes.noop.build}}, nil
}

// cost is the CPU time of a build in seconds, by phase.
type cost struct{ list, rewrite, build float64 }

func (c cost) all() float64 { return c.list + c.rewrite + c.build }

// best is the cheapest of several builds: a disturbance can only make a build more
// expensive.
type best struct {
	cold, noop cost
	seen       bool
}

func (b *best) add(cold, noop cost) {
	if !b.seen || cold.all() < b.cold.all() {
		b.cold = cold
	}
	if !b.seen || noop.all() < b.noop.all() {
		b.noop = noop
	}
	b.seen = true
}

// round builds twice: a cold build, which starts with a fresh copy of the warm cache,
// then a no-op build.
func (s *subject) round(b *best, build func(where place) (cost, error)) error {
	where := place{cache: filepath.Join(s.dir, "cache"), work: filepath.Join(s.dir, "work")}
	for _, dir := range []string{where.cache, where.work} {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	if err := os.CopyFS(where.cache, os.DirFS(s.warm)); err != nil {
		return err
	}
	cold, err := build(where)
	if err != nil {
		return err
	}
	noop, err := build(where)
	if err != nil {
		return err
	}
	b.add(cold, noop)
	return nil
}

// place names the folders that a build reads from and writes to.
type place struct{ cache, work string }

func (s *subject) plain(where place) (c cost, err error) {
	c.build = spent(func() {
		err = s.run(where.cache, "test", "-c", "-vet=off", "-o", filepath.Join(s.dir, "plain.test"), "./"+folder)
	})
	return c, err
}

func (s *subject) probes(where place) (c cost, err error) {
	conf := build.Config{Work: where.work, Load: load.Config{Dir: s.src(), Patterns: []string{"./" + folder}, Env: s.env(where.cache)}}
	var listing *load.Listing
	c.list = spent(func() { listing, err = load.List(conf.Load) })
	if err != nil {
		return c, err
	}
	var o *build.Overlay
	c.rewrite = spent(func() { o, err = build.Make(listing, conf) })
	if err != nil {
		return c, err
	}
	c.build = spent(func() { err = o.Test(s.path+"/"+folder, filepath.Join(s.dir, "probes.test")) })
	s.packages, s.sites = listing.Len(), len(o.Sites)
	return c, err
}

// spent returns the CPU time of a function in seconds.
func spent(f func()) float64 { return lab.Spent(f).Round(time.Millisecond).Seconds() }

func lines(prog *load.Program) (n int) {
	for _, pkg := range prog.Scope {
		for _, f := range pkg.Files {
			if !f.Test {
				n += strings.Count(string(f.Src), "\n")
			}
		}
	}
	return n
}
