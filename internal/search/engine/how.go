//go:build go1.25

package engine

// how says in which way a term was made.
type how uint8

const (
	howFresh how = iota
	howSeed
	howPassed // a random change of a fresh term that passed
	howHavoc
	howMutant // a one-step change; reports name its kind instead
)

// hows lists the names that are written to logs, reports and corpus files, so the names
// must not change. Ways add further names.
var hows = []string{"fresh", "seed", "grace", "havoc", "mutant"}

// named returns a how with a name of its own, for the terms of a way. Ways call it when the program starts, as in
// var howClimb = named("climb").
func named(name string) how {
	hows = append(hows, name)
	return how(len(hows) - 1)
}
