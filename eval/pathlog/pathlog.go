// Package pathlog stores the paths of runs and reports what a new path adds: the log of the MUTAGEN paper.
//
// A Log keeps all paths in a tree. Adding a path returns how much of the path is new, and at what depth the
// path branches off the known paths:
//
//	added, depth := log.Add(path)
//	if added > 0 { ... } // keep the case that took this path
//
// Nearly every path of a long search is known already, so a set of hashes of
// whole paths is checked first. A known path costs a hash and a lookup, and
// only new paths reach the tree.
//
// Paths are the finest notion of what is new. On a program with a probe in every branch
// they are too fine: a search that keeps every new path keeps too many cases. So the search
// of allele uses novelty.Features.
package pathlog

import "github.com/allele-go/allele/internal/search/novelty"

// Log holds paths. The zero value is empty and has no limit.
type Log struct {
	// BytesMax bounds the memory. When more would be needed, the log is emptied, so
	// everything is new again. The memory for one path is used in any case. 0 means no
	// limit.
	BytesMax int

	known  novelty.Hashes
	tree   tree
	resets int
}

// Add adds a path. It returns how many nodes of the tree are new, including one
// for the end of the path, and at what depth the path branches off the known
// paths. A known path adds nothing.
func (l *Log) Add(path []uint32) (added, depth int) {
	h := novelty.Hash(path)
	if !l.known.Add(h) {
		return 0, len(path)
	}
	if l.BytesMax > 0 && l.known.Bytes()+l.tree.bytesFor(len(path)) > l.BytesMax {
		l.known.Reset()
		l.known.Add(h)
		l.tree = tree{}
		l.resets++
	}
	return l.tree.add(path)
}

// Len returns how many different paths are in the log.
func (l *Log) Len() int { return l.known.Len() }

// Bytes returns how much memory the log uses.
func (l *Log) Bytes() int { return l.known.Bytes() + l.tree.bytes() }

// Resets returns how often the log was emptied because it was full.
func (l *Log) Resets() int { return l.resets }
