//go:build go1.25

package shrink

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Config configures shrinking. World and Fails are required.
type Config struct {
	World *schema.World

	// Fails runs the property and reports whether the term still fails in the
	// same way. It must not retain the term. The outcome must not depend on earlier
	// runs, because each term is tried only once.
	Fails func(term.Term) bool

	RunsMax int         // maximum number of runs; 0 means the constant RunsMax
	Stop    func() bool // called before every run; true ends shrinking; nil means never
}

// RunsMax is the default maximum number of runs. The public challenges took 374 at most,
// from 300 seeds each, and a term with a single relevant node among 10^5 nodes took about
// a hundred. If a term has some 10^4 nodes and thousands of them matter, most other nodes
// are removed after 3,000 runs, and after that the term shrinks slowly.
const RunsMax = 10_000
