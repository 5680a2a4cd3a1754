//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Config configures a search.
type Config struct {
	World *schema.World
	Seed  uint64
	Size  int // size of the largest terms
	Tests int // number of passed runs after which the search ends
	Runs  int // maximum number of runs; 0 means no limit
	First int // number of the first run; a resumed search starts higher, to generate other terms than before

	// Strategy configures a search that is guided by the traces of runs. nil means to
	// search without traces.
	Strategy *Strategy

	// Compare runs the property on t once more and returns what the program compared
	// parts of t with. Each call sends a message to another process, so Compare is called
	// only for kept terms. If Compare is nil, or returns nothing, no comparisons are
	// known.
	Compare func(t term.Term) []operand.Compared

	// Literals returns the constants that the program compares values of the type of s
	// with, as terms of s. If Literals is nil, no constants are known.
	Literals func(s *schema.Schema) []term.Term

	// Words lists the letters and texts that the program compares with. Edits of texts insert
	// them.
	Words []string

	// Forger makes bytes for a world with an encoder. If it is nil, only values are changed.
	Forger Forger

	// Saturate ends the search when every one-step change of every kept term was run and nothing
	// new shows, also if the type has infinitely many terms. See Exhausted.
	Saturate bool

	// Experiment is for experiments only.
	Experiment Experiment

	// Log is called with every term that is kept and every term that fails. It must
	// not retain the entry.
	Log func(Entry)
}
