// Package tracelog measures what it costs to find out whether a path is new.
package tracelog

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/lens"
	"github.com/allele-go/allele/eval/pathlog"
	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/novelty"
)

// Experiment measures the CPU time for each block of a path, and the memory after a
// million paths. The time is the minimum of several rounds. It fails if a memory limit is
// exceeded.
var Experiment = lab.Experiment{Name: "tracelog", Doc: "cost per block of a known and of a new path; memory after a million", Run: run}

const mega = 1 << 20

func run(cfg lab.Config) (*lab.Result, error) {
	lengths, rounds, insertions := []int{100, 1000, 10_000, 100_000}, 9, 1_000_000
	if cfg.Quick {
		lengths, rounds, insertions = []int{100, 10_000}, 1, 50_000
	}
	res := &lab.Result{Seeds: []uint64{1}, Summary: map[string]any{"rounds": rounds, "insertions": insertions}}
	for _, n := range lengths {
		cfg.Logf("paths of %d", n)
		for i, t := range lab.Interleave(rounds, subjects(n)...) {
			if i == len(res.Rows) {
				res.Rows = append(res.Rows, lab.Row{lab.Col("cpu ns per block, path of so many", t.Name)})
			}
			res.Rows[i] = append(res.Rows[i], lab.Col(fmt.Sprint(n), slices.Min(t.Rounds)/float64(n)))
		}
	}
	var broken []error
	for _, c := range []struct{ newIn, bytesMax int }{{20, 64 * mega}, {2, 64 * mega}, {2, 8 * mega}} {
		for _, s := range []store{newLog(c.bytesMax), newFeatures(c.bytesMax)} {
			cfg.Logf("memory of %s", s.name())
			row, err := memory(s, c.newIn, c.bytesMax, insertions)
			res.Rows = append(res.Rows, row)
			broken = append(broken, err)
		}
	}
	return res, errors.Join(broken...)
}

// subjects returns the subjects for paths of one length. A new path differs from the
// others at 8 places, each of which has 16 possible symbols. So it shares its edges
// with other paths, as paths of a real search do.
func subjects(n int) []lab.Subject {
	known, fresh := walk(n, 1), walk(n, 2)
	var all []lab.Subject
	for _, empty := range []func(bytesMax int) store{newLog, newFeatures} {
		old, limited, next := empty(0), empty(64*mega), uint64(0)
		old.add(known)
		all = append(all, lab.Subject{Name: old.name() + ", known", Run: func(n int) {
			for range n {
				old.add(known)
			}
		}}, lab.Subject{Name: old.name() + ", new", Run: func(n int) {
			for range n {
				stamp(fresh, next)
				limited.add(fresh)
				next++
			}
		}})
	}
	for _, c := range []struct {
		name string
		lens lens.Lens
	}{
		{"view: all, loops by log2", lens.Lens{Loops: lens.Log2}},
		{"view: all, loops once", lens.Lens{Loops: lens.Once}},
		{"view: coarse, loops by log2", lens.Lens{Level: lens.Coarse, Loops: lens.Log2}},
	} {
		view := c.lens
		all = append(all, lab.Subject{Name: c.name, Run: func(n int) {
			for range n {
				view.View(known)
			}
		}})
	}
	return all
}

// stamp writes a number into eight places in the second half of a path.
func stamp(path []uint32, number uint64) {
	for d := range 8 {
		path[len(path)/2+d*len(path)/20] = uint32(number >> (4 * d) & 15)
	}
}

// walk makes a path of length n, as of a program with nested loops. Some of the sites
// that do not start a loop are marked as coarse (hook.Coarse).
func walk(n int, seed uint64) []uint32 {
	r := rng.New(seed)
	var path []uint32
	for len(path) < n {
		path = block(path, &r, 3)
	}
	return path[:n]
}

// block appends a few sites or a loop. The first site determines the other sites of a
// block, so that blocks repeat.
func block(path []uint32, r *rng.Rand, depth int) []uint32 {
	site := uint32(16 + 16*r.Below(60))
	if depth == 0 || r.OneIn(2) {
		for i := range uint32(1 + r.Below(6)) {
			path = append(path, site+i)
		}
		path[len(path)-1] |= hook.Coarse * uint32(r.Below(2))
		return path
	}
	body := block(nil, r, depth-1)
	for range 1 + r.Below(12) {
		path = append(append(path, site|hook.Loop), body...)
		if r.OneIn(8) { // an iteration that differs from the others
			path = append(path, site+1)
		}
	}
	return path
}

// A store records paths and reports which are new.
type store interface {
	name() string
	add(path []uint32) (fresh bool)
	Bytes() int
	Resets() int
}

type log struct{ pathlog.Log }

func newLog(bytesMax int) store { return &log{pathlog.Log{BytesMax: bytesMax}} }

func (l *log) name() string { return "Log" }

func (l *log) add(path []uint32) bool {
	added, _ := l.Add(path)
	return added > 0
}

type features struct{ novelty.Features }

func newFeatures(bytesMax int) store { return &features{novelty.Features{BytesMax: bytesMax}} }

func (f *features) name() string { return "Features" }

func (f *features) add(path []uint32) bool { return f.Add(path).Set }

// slop is the number of bytes by which the heap may exceed the limit, because allocations
// are rounded up.
const slop = mega / 8

// memory inserts a path of 100 blocks many times. It changes the path before one in newIn
// insertions.
func memory(s store, newIn, bytesMax, insertions int) (lab.Row, error) {
	r := rng.New(3)
	path := walk(100, 3)
	fresh, most, heap := 0, 0, 0
	before := alive()
	for i := range insertions {
		if i%newIn == 0 {
			path[r.Below(len(path))] = uint32(r.Below(1000))
		}
		if s.add(path) {
			fresh++
		}
		most = max(most, s.Bytes())
		if (i+1)%(insertions/20) == 0 {
			heap = max(heap, alive()-before)
		}
	}
	runtime.KeepAlive(s)
	var err error
	if most > bytesMax || heap > bytesMax+slop {
		err = fmt.Errorf("%s: %d bytes, %d of heap, with a limit of %d", s.name(), most, heap, bytesMax)
	}
	return lab.Row{lab.Col("cpu ns per block, path of so many", fmt.Sprintf("memory: %s, one path in %d changed", s.name(), newIn)),
		lab.Col("paths", insertions), lab.Col("share new", float64(fresh)/float64(insertions)),
		lab.Col("MB", float64(most)/mega), lab.Col("MB of heap", float64(heap)/mega),
		lab.Col("limit", bytesMax/mega), lab.Col("resets", s.Resets())}, err
}

func alive() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
