//go:build go1.25

package finding

import (
	"time"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/value/term"
)

// Finding is a failing input with what is known about it.
type Finding struct {
	Term    term.Term
	Outcome property.Outcome
	History History
	Shrinking
	Storage

	Sign     string // identifies the failure: see func Sign
	Cells    int    // number of nodes before shrinking
	Flaky    bool   // the input failed, but passed when it was run again
	Tries    int    // maximal number of runs until the input fails, if one is not enough
	Isolated bool   // the case file requires a process of its own
	Steps    int64  // how many steps the first run took, if these were more than the limit

	// An endless run went on after its last allowed step: see property.Cut.
	Waited time.Duration
	Memory int64
}

// Storage is where the input of a finding is stored.
type Storage struct {
	Case    string // the stored case that the input came from; empty if the input is new
	File    string // the file that the input was stored in
	Unsaved error  // why the input could not be stored
	Kept    bool   // the corpus has the input, because it could not be stored
}

// History is where an input came from.
type History struct {
	From      string  // a file, an example or the corpus; empty if the search generated the input
	Run       int     // number of the run that found the input
	Earlier   int     // how many of these runs were made by earlier searches
	Passed    int     // earlier runs that passed
	Discarded int     // earlier runs that were discarded
	Rejects   string  // which assumption discarded how many runs, as text
	Origin    string  // how the input was generated, if the search was guided
	Replay    bool    // the user requested this input alone
	Source    *Source // how its bytes were made; nil if it is not given bytes, or if that is not known
}

// Stored returns the file that holds the input, or "".
func (f Finding) Stored() string {
	switch {
	case f.Unsaved != nil:
		return ""
	case f.File == "":
		return f.Case
	}
	return f.File
}

// needsProcess reports whether the input must be run in a process of its own, because it
// ends the process or never returns.
func (f Finding) needsProcess() bool {
	k := f.Outcome.Kind()
	return f.Isolated || f.Outcome.Death != nil || k == proc.Cut || k == proc.Hang
}
