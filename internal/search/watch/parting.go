package watch

import (
	"slices"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/search/trace"
)

// A case that fails once and passes once went two ways. Where these part is what
// somebody who looks for the reason wants to see.

// Path is what is compared of two runs of one case: the path and, if it has no sure
// order, the set of sites as well.
type Path struct{ path, set []uint32 }

// Went is the path of the run that has just ended, which gave run.
func Went(run trace.Run) Path {
	if run.Set {
		return Path{hook.Path(nil), slices.Clone(run.Symbols)}
	}
	return Path{slices.Clone(run.Symbols), nil}
}

// Failed notes the path of the run that failed.
func (w *Watcher) Failed(p Path) { w.failed = p }

// Again reads the path of a run that was made to see a failure again; it counts
// nowhere.
func (w *Watcher) Again() Path { return Went(w.recorder.End()) }

// Passed notes that the case that failed has passed on another path.
func (w *Watcher) Passed(p Path) { w.parted = parting(w.failed, p) }

// Parted is where the two runs of a flaky case part: the last site of both, and where
// each went from there, the one that failed first; 0 stands for none.
func (w *Watcher) Parted() []uint32 { return w.parted }

// parting finds where two paths part. Nothing is found if they are the same.
func parting(failed, passed Path) []uint32 {
	if failed.set == nil && passed.set == nil {
		_, at, found := trace.Unstable(failed.path, passed.path)
		if !found {
			return nil
		}
		return []uint32{siteAt(failed.path, at-1), siteAt(failed.path, at), siteAt(passed.path, at)}
	}
	// Without a sure order it is the first site that only one of them reached.
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

// firstOutside is the first site of a path that another does not have, and the one
// before it.
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
