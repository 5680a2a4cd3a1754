package schema

import "time"

// timeUnits are what durations are counted in. A duration stays a number, not a
// call of a builder: a Range, the constants of a package and what a program
// compares it with mean numbers.
var timeUnits = []uint64{
	uint64(time.Nanosecond), uint64(time.Microsecond), uint64(time.Millisecond),
	uint64(time.Second), uint64(time.Minute), uint64(time.Hour),
}
