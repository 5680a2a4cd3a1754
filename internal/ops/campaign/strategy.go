//go:build go1.25

package campaign

import (
	"fmt"
	"slices"
	"strings"
)

// Strategy names an algorithm of package engine.
type Strategy string

// The strategies. Mutagen and FuzzChick are algorithms from papers and exist for
// comparison.
const (
	Guided    Strategy = "guided" // by the paths of runs
	Random    Strategy = "random"
	Mutagen   Strategy = "mutagen"
	FuzzChick Strategy = "fuzzchick"

	// GuidedAtoms is Guided without edits of texts. It and the next ones are for the experiments of
	// this repository, and messages do not offer them.
	GuidedAtoms Strategy = "guided-atoms"

	// Faults makes nothing but faults in the encoder of a property, each once. FaultsPaper makes those of the MutaGen
	// paper, and FaultsSlice only those in the slice.
	Faults      Strategy = "faults"
	FaultsPaper Strategy = "faults-paper"
	FaultsSlice Strategy = "faults-slice"
)

var (
	strategies   = []Strategy{Guided, Random, Mutagen, FuzzChick}
	experimental = []Strategy{GuidedAtoms, Faults, FaultsPaper, FaultsSlice}
)

// ParseStrategy reads the name of a strategy. The empty name is the default.
func ParseStrategy(name string) (Strategy, error) {
	if slices.Contains(experimental, Strategy(name)) {
		return Strategy(name), nil
	}
	var known []string
	for _, s := range strategies {
		if name == "" || name == string(s) {
			return Strategy(name), nil
		}
		known = append(known, string(s))
	}
	return "", fmt.Errorf("unknown strategy %q; use one of %s", name, strings.Join(known, ", "))
}

// Keeps reports whether the strategy uses a corpus: it starts from the saved inputs, and
// saves and shares new ones. The strategies for comparison start from scratch.
func (s Strategy) Keeps() bool { return s == "" || s == Guided || s == GuidedAtoms }

// Breaks reports whether the strategy makes faults in encoders.
func (s Strategy) Breaks() bool {
	return s.Keeps() || s == Faults || s == FaultsPaper || s == FaultsSlice
}
