//go:build go1.25

package engine

// Schedule says which ways are asked for the next term, and how often. Its stages are asked in
// order, until one proposes a term.
type Schedule []Stage

// Stage is a choice between ways. It rolls a die with 64 sides, and asks the way whose sides came
// up. If that way has nothing to propose, its Else is asked, or else the last way of the stage. A
// stage of which no way is ready is skipped, without a roll, and a stage ends if nobody's sides came up.
type Stage []Share

// Share is a way with its share of the die.
type Share struct {
	Way   string // a name in the table of ways.go
	Sides int    // of 64, after those of the shares before it; the way of a stage with one way and no sides is asked without a roll
	Else  string // which way is asked if this one has nothing to propose
}

// Rest is the share of all sides that are left.
const Rest = 64

// only is a stage of a single way, which is asked whenever the stage is reached.
func only(way string) Stage { return Stage{{Way: way}} }
