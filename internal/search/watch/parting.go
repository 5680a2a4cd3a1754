//go:build go1.25

package watch

import (
	"slices"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/search/trace"
)

// A flaky case fails in one run and passes in another, so the two runs took different
// paths. The place where the paths diverge points to the reason.

// Path is the part of a run that is compared with another run of the same case: the
// path and, if its order is not reliable, the set of sites as well.
type Path struct{ path, set []uint32 }

// Went returns the path of the run that has just ended. run is the trace of that run.
func Went(run trace.Run) Path {
	if run.Set {
		return Path{hook.Path(nil), slices.Clone(run.Symbols)}
	}
	return Path{slices.Clone(run.Symbols), nil}
}

// Parting is where two runs of one case diverge.
type Parting struct {
	// At is the last common site, the next site of the run that failed, and the next site of the run that passed. 0 stands
	// for none. It is nil if the paths are the same.
	At    []uint32
	Known bool // two runs were compared
}

// Same reports whether the two runs took the same path.
func (p Parting) Same() bool { return p.Known && p.At == nil }

// parting finds where two paths diverge. It returns nil if they are the same.
func parting(failed, passed Path) []uint32 {
	if failed.set == nil && passed.set == nil {
		_, at, found := trace.Unstable(failed.path, passed.path)
		if !found {
			return nil
		}
		return []uint32{siteAt(failed.path, at-1), siteAt(failed.path, at), siteAt(passed.path, at)}
	}
	// The order is not reliable, so use the first site that only one of the two runs
	// reached.
	before, f := firstOutside(failed, passed)
	_, p := firstOutside(passed, failed)
	if f == 0 && p == 0 {
		return nil
	}
	return []uint32{before, f, p}
}

func siteAt(path []uint32, at int) uint32 {
	if at < 0 || at >= len(path) {
		return 0
	}
	id, ok := trace.Site(path[at])
	if !ok {
		return 0
	}
	return id
}

// firstOutside returns the first site of w that other does not have, and the site before
// it in w.
func firstOutside(w, other Path) (before, id uint32) {
	theirs := map[uint32]bool{}
	for _, symbol := range slices.Concat(other.path, other.set) {
		if id, ok := trace.Site(symbol); ok {
			theirs[id] = true
		}
	}
	for _, symbol := range slices.Concat(w.path, w.set) {
		id, ok := trace.Site(symbol)
		if ok && !theirs[id] {
			return before, id
		}
		before = id
	}
	return 0, 0
}
