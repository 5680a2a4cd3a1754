//go:build go1.25

package score

import (
	"strings"

	"github.com/allele-go/allele/internal/site"
)

// InSet reports whether a fault belongs to a set of operators: all, or pit for the default
// operators of the mutation tester PIT. These are boundaries and negations of comparisons,
// reversed increments, removed minus signs, arithmetic, and changed results.
func InSet(f site.Fault, set string) bool {
	if set != "pit" {
		return true
	}
	switch f.Operator {
	case "boundary", "negate", "math", "return":
		return true
	case "increment":
		return f.To != "(deleted)"
	case "invert":
		return strings.HasPrefix(f.From, "-")
	}
	return false
}
