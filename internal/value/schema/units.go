package schema

import "time"

// timeUnits are the units of durations. A duration remains a number and is not a
// builder call, because a Range, the constants of a package and the operands of
// comparisons are numbers.
var timeUnits = []uint64{
	uint64(time.Nanosecond), uint64(time.Microsecond), uint64(time.Millisecond),
	uint64(time.Second), uint64(time.Minute), uint64(time.Hour),
}
