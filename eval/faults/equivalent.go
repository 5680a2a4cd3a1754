package faults

import (
	_ "embed" // for the lists
	"fmt"
	"strings"
)

// equivalents has the reason why a fault of allele's own packages changes nothing that a test can
// notice. The key is the identity of the fault.
var equivalents = func() map[string]string {
	reasons, err := readEquivalents(equivalentText)
	if err != nil {
		panic(err)
	}
	return reasons
}()

var (
	//go:embed equivalent.txt
	equivalentText string

	// chosenText has the identities of faults that once survived and were chosen by the seed.
	//go:embed chosen.txt
	chosenText string
)

// readEquivalents reads the list of equivalent faults. A line with an identity is followed by an
// indented line with the reason.
func readEquivalents(text string) (map[string]string, error) {
	reasons := map[string]string{}
	id, last := "", ""
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		why, indented := strings.CutPrefix(line, "\t")
		switch {
		case indented && id != "" && why != "":
			reasons[id] = why
			id, last = "", id
		case !indented && id == "" && line > last:
			id = line
		default:
			return nil, fmt.Errorf("equivalent.txt:%d: %q: want a fault, then a reason, in order, and each fault once", i+1, line)
		}
	}
	if id != "" {
		return nil, fmt.Errorf("equivalent.txt: no reason for %s", id)
	}
	return reasons, nil
}
