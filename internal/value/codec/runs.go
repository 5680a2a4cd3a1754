//go:build go1.25

package codec

import (
	"fmt"
	"strconv"
	"strings"
)

// Runs describes how a case must be run, if not in the usual way. Header.Runs is its
// text, for example:
//
//	// runs     isolated             in its own process, because the run may end the process
//	// runs     isolated 100 times   100 times, on several cores, because a run may pass by chance
type Runs struct {
	Isolated bool
	Tries    int // number of runs; at least 1 if Isolated
}

// triesMax bounds the number of runs that a file may request.
const triesMax = 10_000

// String returns the text of r for Header.Runs. It is empty for the zero value.
func (r Runs) String() string {
	switch {
	case !r.Isolated:
		return ""
	case r.Tries > 1:
		return fmt.Sprintf("isolated %d times", r.Tries)
	}
	return "isolated"
}

// ParseRuns parses a text that String returned. Any other text is an error: if the
// case were run in another way than its file requires, it might pass by chance or
// end the test process.
func ParseRuns(text string) (Runs, error) {
	if text == "" {
		return Runs{}, nil
	}
	r := Runs{Isolated: true, Tries: 1}
	words := strings.Fields(text)
	if len(words) == 3 && words[2] == "times" {
		n, err := strconv.Atoi(words[1])
		if err == nil && n > 0 {
			r.Tries, words = min(n, triesMax), words[:1]
		}
	}
	if len(words) != 1 || words[0] != "isolated" {
		return Runs{}, fmt.Errorf("runs: want \"isolated\" or \"isolated N times\", got %q", text)
	}
	return r, nil
}
