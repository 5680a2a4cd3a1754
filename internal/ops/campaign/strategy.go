package campaign

import (
	"fmt"
	"strings"
)

// Strategy names an algorithm of package engine.
type Strategy string

// The strategies. Those of the papers are there to compare with.
const (
	Guided    Strategy = "guided" // by the paths of runs
	Random    Strategy = "random"
	Mutagen   Strategy = "mutagen"
	FuzzChick Strategy = "fuzzchick"
)

var strategies = []Strategy{Guided, Random, Mutagen, FuzzChick}

// ParseStrategy reads the name of a strategy. None stands for the default.
func ParseStrategy(name string) (Strategy, error) {
	var known []string
	for _, s := range strategies {
		if name == "" || name == string(s) {
			return Strategy(name), nil
		}
		known = append(known, string(s))
	}
	return "", fmt.Errorf("there is no %q; there are %s", name, strings.Join(known, ", "))
}

// Keeps reports whether a search goes on with saved inputs, and saves and shares
// others. The strategies that others are compared with start from nothing.
func (s Strategy) Keeps() bool { return s == "" || s == Guided }
