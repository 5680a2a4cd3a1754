//go:build go1.25

// Package score decides what became of every fault of a package, and says what that means
// for the tests.
//
// The folder is a room: how good tests are, measured with faults.
//
//	members  who judges the faults of a package: properties and tests in test binaries
//	  |   \
//	  |  score    this package: which faults a suite kills, and what to do about the rest
//	  |
//	judge    which faults a member of the suite notices, in other processes
//	  | \
//	  |  ledger  which verdicts of before an edit still hold
//	  :
//	  : proc/scoring: requests and lines
//	  :
//	suite    in these processes: runs ordinary tests with a fault switched on
//
// All of them use the words of package fate for what became of a fault.
//
// Faults are put into the source by source/fault. A property is a member too: check/worker runs its
// inputs with a fault, and check/oracle decides whether a run has noticed it.
//
// A fault is a small deliberate change of the program. The suite of a package has members:
// its properties, each with its corpus and stored cases, and its ordinary tests. Each member
// is asked about faults, and its verdicts are merged.
//
//	p := score.Package{Path: path, Faults: faults, Members: members}
//	p.Judge(score.Run{...})           // asks the members about what is left to decide
//	r := score.Report{Packages: []score.Package{p}}
//	fmt.Print(score.Text(r, style))   // numbers, survivors, advice
//	data, err := score.Encode(r, ...) // the same as JSON
//
// The one idea: a member is asked only about faults that no member before it has killed, and
// merging reads the verdicts in the same order and stops at the same place. So the result is
// the same whether a verdict was computed, read from the cache, or not needed.
//
// A kill by budget does not end the search for another kill: a later member may notice the
// fault without running out of steps. So the score without budget kills leaves out only
// the faults that nothing else has killed.
package score
