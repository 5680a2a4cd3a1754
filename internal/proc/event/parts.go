//go:build go1.25

package event

// The parts of larger kinds.

// Counts counts the runs of a property and what they showed.
type Counts struct {
	Runs      int     `json:"runs,omitempty"`      // all runs
	Passed    int     `json:"passed,omitempty"`    // runs that passed
	Discarded int     `json:"discarded,omitempty"` // runs in which an assumption was false
	Distinct  int     `json:"distinct,omitempty"`  // distinct inputs that passed
	AtLeast   bool    `json:"atLeast,omitempty"`   // there may be more distinct inputs; counting stops at 1,024
	Paths     int     `json:"paths,omitempty"`     // distinct paths through the program
	Features  int     `json:"features,omitempty"`  // number of new features of runs
	Kept      int     `json:"kept,omitempty"`      // inputs that the search kept because they showed something new
	Spawned   int     `json:"spawned,omitempty"`   // runs that started goroutines
	Long      Long    `json:"long,omitzero"`       // runs that took many steps
	Resumed   Resumed `json:"resumed,omitzero"`    // saved inputs that were run again
}

// Long counts runs that took more steps than a limit, and ended.
type Long struct {
	Runs  int `json:"runs,omitempty"`  // their number
	Limit int `json:"limit,omitempty"` // the step limit
}

// Resumed counts inputs saved by earlier campaigns that were run again.
type Resumed struct {
	Inputs  int     `json:"inputs,omitempty"`  // their number
	Seconds float64 `json:"seconds,omitempty"` // time of these runs
}

// Add adds the counts of another process: runs are added. For paths, features, and distinct, kept
// and saved inputs it takes the maximum, because many are the same in all processes.
func (c *Counts) Add(o Counts) {
	c.Runs, c.Passed, c.Discarded = c.Runs+o.Runs, c.Passed+o.Passed, c.Discarded+o.Discarded
	c.AtLeast = c.AtLeast || o.AtLeast || c.Distinct > 0 && o.Distinct > 0 // each process counts its own
	c.Distinct, c.Paths, c.Spawned = max(c.Distinct, o.Distinct), max(c.Paths, o.Paths), c.Spawned+o.Spawned
	c.Features, c.Kept = max(c.Features, o.Features), max(c.Kept, o.Kept)
	c.Long.Runs, c.Long.Limit = c.Long.Runs+o.Long.Runs, max(c.Long.Limit, o.Long.Limit)
	c.Resumed.Inputs, c.Resumed.Seconds = max(c.Resumed.Inputs, o.Resumed.Inputs), max(c.Resumed.Seconds, o.Resumed.Seconds)
}

// Reach is the sites that runs of a property reached.
type Reach struct {
	Sites   []uint32 `json:"sites,omitempty" max:"16384"` // sites that runs reached; more are in reached events before this one
	Before  []uint32 `json:"before,omitempty" max:"4096"` // sites that the test reached before the first run of the property
	Partial bool     `json:"partial,omitempty"`           // the sites are incomplete: some runs were too long, or their process died
}

// Places is the sites that matter for a failure.
type Places struct {
	Hot    uint32   `json:"hot,omitempty"`            // the site that was hit most in a run that was stopped after too many steps
	Parted []uint32 `json:"parted,omitempty" max:"3"` // where two runs of one input diverge: the last common site, and the next of each run
	Same   bool     `json:"same,omitempty"`           // two runs of one input, of which one failed and one passed, took the same path
	Last   []uint32 `json:"last,omitempty" max:"256"` // the last sites before a process died, the latest first
}

// Search is the statistics of a guided search.
type Search struct {
	Kept     int       `json:"kept,omitempty"`           // inputs that the search kept because they showed something new
	Whole    int       `json:"whole,omitempty"`          // kept inputs of which every one-step change was run
	Bounded  int       `json:"bounded,omitempty"`        // the same, except for changes that exceed a bound
	Dropped  int       `json:"dropped,omitempty"`        // kept inputs that were dropped or forgotten
	Share    float64   `json:"share,omitempty"`          // in other kept inputs, the average share of changed places; -1 if not defined
	Kinds    []Count   `json:"kinds,omitempty" max:"32"` // a count for each way to make inputs
	Operands *Operands `json:"operands,omitempty"`       // the process that reports operands
	Encoded  *Encoded  `json:"encoded,omitempty"`        // the process with faults in the encoder
	Shared   int       `json:"shared,omitempty"`         // inputs sent to other workers
	Heard    int       `json:"heard,omitempty"`          // inputs received from other workers
	Unlogged string    `json:"unlogged,omitempty"`       // why the log of -log is incomplete
	Unkept   string    `json:"unkept,omitempty"`         // why the corpus is incomplete
}

// Count counts the results of the inputs that were made in one way, such as fresh or
// havoc.
type Count struct {
	Kind   string `json:"kind"`   // how they were made
	Tried  int    `json:"tried"`  // runs
	Passed int    `json:"passed"` // runs that passed
	New    int    `json:"new"`    // runs that took a new path
	Failed int    `json:"failed"` // runs that failed
}

// Encoded is the statistics of the process that encodes values with faults in the encoder.
type Encoded struct {
	Reached int    `json:"reached,omitempty"`       // faults at places that the encoder reached, summed over all encoded values
	Faults  int    `json:"faults,omitempty"`        // of these, how many changed a value
	Sliced  int    `json:"sliced,omitempty"`        // of these, how many are in the slice
	Runs    int    `json:"runs,omitempty"`          // runs of the encoder with a fault
	Made    int    `json:"made,omitempty"`          // of these, how many made bytes that none had made before
	Same    int    `json:"same,omitempty"`          // made known bytes
	Refused int    `json:"refused,omitempty"`       // returned an error
	Panics  int    `json:"panics,omitempty"`        // panicked
	Spent   int    `json:"spent,omitempty"`         // took too many steps, or too much memory
	Died    int    `json:"died,omitempty"`          // how often the process ended
	Off     string `json:"off,omitempty"`           // why it is not used any more
	By      []int  `json:"by,omitempty" max:"1024"` // runs with faults that are always on, by the number in the MutaGen paper; 0 is ours
}

// Operands is the statistics of the process that reports operands.
type Operands struct {
	Asked int    `json:"asked,omitempty"` // how often it was asked
	Died  int    `json:"died,omitempty"`  // how often it ended
	Off   string `json:"off,omitempty"`   // why it is not used any more
}
