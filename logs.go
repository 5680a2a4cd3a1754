//go:build go1.25

package allele

import (
	"slices"

	"github.com/allele-go/allele/internal/check/property"
)

// The messages of a run are bounded, so that a property that logs in a loop does not use all memory. What explains a
// failure is kept: the first errors, the messages before the first one, and the last messages.
const (
	logMax    = 1000 // messages of a run
	logFirst  = 100
	logBefore = 100 // before the first error
	logErrors = 10
	logLast   = logMax - logFirst - logBefore - logErrors
)

// lineMax bounds a line that is written to Output in several parts, in bytes.
const lineMax = 64 << 10

// appendLine adds a message. It leaves out older ones when there are twice as many as are kept, so that the time for each
// message does not depend on their number.
func appendLine(all []property.Line, l property.Line) []property.Line {
	if all = append(all, l); len(all) == 2*logMax {
		return shortened(all)
	}
	return all
}

// shortened returns at most logMax of the messages of a run, in the same memory. Messages that it leaves out are counted
// in the next one. It may be called again after more messages were added.
func shortened(all []property.Line) []property.Line {
	if len(all) <= logMax {
		return all
	}
	first := slices.IndexFunc(all, func(l property.Line) bool { return l.Fails })
	kept, errors, left := all[:0], 0, 0
	for i, l := range all {
		if l.Fails {
			errors++
		}
		switch {
		case i < logFirst, i < first && i >= first-logBefore, l.Fails && errors <= logErrors, i >= len(all)-logLast:
			l.Left += left
			kept, left = append(kept, l), 0
		default:
			left += 1 + l.Left
		}
	}
	return kept
}
