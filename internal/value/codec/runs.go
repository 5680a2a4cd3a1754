package codec

import (
	"fmt"
	"strconv"
	"strings"
)

// Runs is how a case must be run, if not like others. Header.Runs holds its text:
//
//	// runs     isolated             in a process of its own, which the run may end
//	// runs     isolated 100 times   and that often, on several processors: it may pass by chance
type Runs struct {
	Isolated bool
	Tries    int // at least 1 if Isolated
}

// triesMost bounds what a file may ask for.
const triesMost = 10_000

// String is the text of r, empty for the zero value.
func (r Runs) String() string {
	switch {
	case !r.Isolated:
		return ""
	case r.Tries > 1:
		return fmt.Sprintf("isolated %d times", r.Tries)
	}
	return "isolated"
}

// ParseRuns reads what String wrote. Anything else is an error: a case that is run
// in another way than it asks for may pass, or end the test.
func ParseRuns(text string) (Runs, error) {
	if text == "" {
		return Runs{}, nil
	}
	r := Runs{Isolated: true, Tries: 1}
	words := strings.Fields(text)
	if len(words) == 3 && words[2] == "times" {
		n, err := strconv.Atoi(words[1])
		if err == nil && n > 0 {
			r.Tries, words = min(n, triesMost), words[:1]
		}
	}
	if len(words) != 1 || words[0] != "isolated" {
		return Runs{}, fmt.Errorf("runs: want isolated, or isolated N times, not %q", text)
	}
	return r, nil
}
