//go:build go1.25

package schema

import "time"

// timeUnits are the units of durations. A duration is a scalar and not a builder
// call, because ranges, constants and operands of comparisons apply to scalars only.
var timeUnits = []uint64{
	uint64(time.Nanosecond), uint64(time.Microsecond), uint64(time.Millisecond),
	uint64(time.Second), uint64(time.Minute), uint64(time.Hour),
}
