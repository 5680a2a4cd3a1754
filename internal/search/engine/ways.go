//go:build go1.25

package engine

// openers is the table of the ways that an opening can name. No trace is looked at for them, and most of shared
// is not made yet.
var openers = map[string]func(*shared) way{
	"visit":  newVisitors, // terms of other hosts
	"plain":  newPlain,    // fresh terms that need no search
	"faults": newFaults,   // faults in an encoder, each once
}

// ways is the table of all other ways, by the names that schedules use.
var ways = map[string]func(*shared) way{
	"fresh":   newFresh,   // random terms
	"passed":  newPassed,  // changes of fresh terms that passed
	"firsts":  newFirsts,  // the first changes of terms with a new edge
	"havoc":   newHavoc,   // several random changes of kept terms
	"batches": newBatches, // all one-step changes of kept terms
	"copies":  newCopies,  // a number or text from another place of the same term
	"climb":   newClimb,   // changes of discarded terms, while hardly any term passes
	"encoder": newEncoder, // faults in an encoder, and changes of bytes
}
