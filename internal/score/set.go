//go:build go1.25

package score

import (
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/site"
)

// InSet reports whether a fault belongs to a set of operators: all, or pit for the default
// operators of the mutation tester PIT. These are boundaries and negations of comparisons,
// reversed increments, removed minus signs, arithmetic, and changed results.
//
// A sample such as 1/10 is for experiments, and the documentation does not list it.
func InSet(f site.Fault, set string) bool {
	if n := sample(set); n > 0 {
		return f.ID%n == 0
	}
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

// IsSet reports whether there is a set of this name.
func IsSet(set string) bool { return set == "all" || set == "pit" || sample(set) > 0 }

// sample returns n if a set is one in n faults, or 0.
func sample(set string) int {
	if of, ok := strings.CutPrefix(set, "1/"); ok {
		n, _ := strconv.Atoi(of) // 0 for what is not a number
		return max(0, n)
	}
	return 0
}
