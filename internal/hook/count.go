//go:build go1.25

package hook

// A program that was built to be run by package program counts its hits instead of
// recording a path: another process reads the counts after the program has ended, in
// whatever way. The counts are in memory that both processes share (package probed), so
// they are complete after a panic, a call of os.Exit or a signal.

// CountsMax is the number of counts. Sites whose numbers are larger share counts with others. The other numbers of sites
// remain for the process that reads the counts (package outside).
const CountsMax = Sites / 2

// CountsVariable is the variable of the environment that names the shared memory.
const CountsVariable = "ALLELE_COUNTS"

// Counts has the number of hits of each site, up to 255.
var Counts = &ownCounts

// ownCounts has the hits before Counts is shared, and of a program that nobody watches.
var ownCounts [CountsMax]uint8

// Count is the probe of a program that counts. If two goroutines hit a site at the same
// time, one hit may be missing. Like Hit, it is exempt from the race detector.
//
//go:norace
//go:noinline
func Count(id uint32) {
	if n := &Counts[id%CountsMax]; *n != 255 {
		*n++
	}
}
