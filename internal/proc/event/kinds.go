//go:build go1.25

package event

import (
	"slices"

	"github.com/allele-go/allele/internal/proc"
)

// To add a kind, declare its type here, with comments and its method kind, and add it to public or private. Method
// print of package report (lines.go) shows it if there is a case for it; -json prints every public kind. A campaign emits
// an event with its method report. A test binary emits one with Property.Emit, and it is dropped unless method onEvent of
// package campaign (search.go) has a case for it. The tests of this package write the kind to a golden file and to
// the page of events, with -update.
//
// A string has at most nameMax bytes, unless the tag max has another bound. A list needs a
// tag max: how many elements it has at most. The rest is cut off. A field that only the command reads has a
// comment that ends with "missing in -json", and is not on the page.

// public has a body of each kind that the command prints with -json, and private one of each that only test binaries
// write, for the command. The page of events describes the public ones.
var (
	public = []Body{
		Started{}, Listed{}, Omitted{}, Chosen{}, Skipped{}, Progress{}, Died{}, Unconfirmed{}, Found{}, Repeated{}, Reached{}, Finished{},
		Saved{}, Note{}, Stopped{}, Ended{},
	}
	private = []Body{Stored{}, Rerun{}, Dropped{}, Answered{}, Wanted{}}
	bodies  = slices.Concat(public, private)
)

// Started reports that a campaign began.
type Started struct {
	Seconds float64 `json:"seconds,omitempty"`          // how long it took to build the test binaries
	Budget  float64 `json:"budget,omitempty"`           // seconds of the campaign, if it has a budget
	Workers int     `json:"workers,omitempty"`          // processes that run at a time
	Text    string  `json:"text,omitempty" max:"65536"` // what was built
}

// Listed reports that a test binary contains a property.
type Listed struct {
	Test    string `json:"test,omitempty"`    // the Go test that contains the property
	Type    string `json:"type,omitempty"`    // the type of the inputs; missing in -json
	Encoder bool   `json:"encoder,omitempty"` // an encoder makes the inputs; missing in -json
}

// Omitted reports that a package does not compile and is left out.
type Omitted struct {
	Text string `json:"text,omitempty" max:"65536"` // the errors of the compiler
}

// Chosen reports that -since has chosen to run a property.
type Chosen struct {
	Why string `json:"why,omitempty"` // how the change affects it
}

// Skipped reports that -since has skipped a property. If it is about the campaign, it reports
// how many were skipped.
type Skipped struct {
	Why string `json:"why,omitempty"` // the reason
}

// Progress reports how far the search of a property is.
type Progress struct {
	State    State   `json:"state,omitempty"`    // what it does now
	Counts   Counts  `json:"counts,omitzero"`    // its runs so far
	Seconds  float64 `json:"seconds,omitempty"`  // time that the property has used
	Quiet    float64 `json:"quiet,omitempty"`    // seconds of the property's own time, however many workers, since something new
	Failures int     `json:"failures,omitempty"` // distinct failures so far
	Workers  int     `json:"workers,omitempty"`  // processes that work on the property now
}

// Died reports that a process that searched died.
type Died struct {
	Deaths int       `json:"deaths,omitempty"`           // processes of the same worker that have died so far
	Run    int       `json:"run,omitempty"`              // number of the run; missing if the process died outside of a run
	Death  proc.Kind `json:"death,omitempty"`            // how the process ended
	Text   string    `json:"text,omitempty" max:"65536"` // how the process ended, for people
}

// Unconfirmed reports that the input of a process that died passes when it is run again.
type Unconfirmed struct {
	Input string `json:"input,omitempty" max:"16384"` // as Go
	Why   string `json:"why,omitempty"`               // why the input could not be tried; missing in -json
}

// Found reports that an input fails. If a search found it, it is shrunk already.
type Found struct {
	Verdict  Verdict   `json:"verdict,omitempty"`           // failed; or flaky, if two runs of the input differ
	Known    bool      `json:"known,omitempty"`             // the same failure was reported before; only its sign and input are there
	Sign     string    `json:"sign,omitempty"`              // identifies the failure: findings with the same sign are the same failure
	Failures int       `json:"failures,omitempty"`          // distinct failures so far
	Run      int       `json:"run,omitempty"`               // number of the run that failed
	Case     string    `json:"case,omitempty"`              // file of the stored case
	Input    string    `json:"input,omitempty" max:"16384"` // as Go, shortened if it is long
	Death    proc.Kind `json:"death,omitempty"`             // how the run or its process ended
	Traced   bool      `json:"traced,omitempty"`            // found with tracing, so plain go test may not reproduce it
	Places   Places    `json:"places,omitzero"`             // where in the program it fails
	Text     string    `json:"text,omitempty" max:"65536"`  // the report; missing if the finished event of the property has it
	Silent   bool      `json:"silent,omitempty"`            // the text is the only output: the process has closed standard output
}

// Repeated reports that saved inputs were run again on several cores.
type Repeated struct {
	Verdict Verdict `json:"verdict,omitempty"`          // passed, failed, flaky, or crashed if it could not be tried
	Inputs  int     `json:"inputs,omitempty"`           // inputs that were run again
	Runs    int     `json:"runs,omitempty"`             // runs of these inputs
	Sign    string  `json:"sign,omitempty"`             // identifies the failure, if one failed
	Why     string  `json:"why,omitempty"`              // why the property could not be tried
	Text    string  `json:"text,omitempty" max:"65536"` // the report, if an input failed
}

// Reached reports sites that do not fit into the line of the next event of the property.
type Reached struct {
	Sites []uint32 `json:"sites,omitempty" max:"16384"` // numbers of sites
}

// Finished reports the result of a property.
type Finished struct {
	Verdict   Verdict  `json:"verdict,omitempty"`          // the result
	Why       string   `json:"why,omitempty"`              // reason why the property is exhausted, vacuous, stopped or crashed
	Exhausted bool     `json:"exhausted,omitempty"`        // nothing is left to try
	Certain   bool     `json:"certain,omitempty"`          // vacuous: more runs would not change it
	Enough    bool     `json:"enough,omitempty"`           // few distinct inputs are enough: all were tried, or saved ones pass
	Failures  int      `json:"failures,omitempty"`         // distinct failures
	Seconds   float64  `json:"seconds,omitempty"`          // time that the property has used
	Counts    Counts   `json:"counts,omitzero"`            // its runs
	Search    Search   `json:"search,omitzero"`            // how its inputs were found
	Reach     Reach    `json:"reach,omitzero"`             // sites that its runs reached
	Places    Places   `json:"places,omitzero"`            // where in the program it fails
	Notes     []string `json:"notes,omitempty" max:"8"`    // remarks about the property; for instance, a field that is always zero
	Text      string   `json:"text,omitempty" max:"65536"` // what its process has printed
	Silent    bool     `json:"silent,omitempty"`           // the text is the only output: the process has closed standard output
}

// Saved reports that passing inputs were written to files.
type Saved struct {
	Folder     string `json:"folder,omitempty"`           // where the files are
	Inputs     int    `json:"inputs,omitempty"`           // files that are there now
	Removed    int    `json:"removed,omitempty"`          // older files that were removed
	Unreadable int    `json:"unreadable,omitempty"`       // inputs left out because plain go test could not read them
	Error      string `json:"error,omitempty"`            // why nothing was written; missing in -json
	Text       string `json:"text,omitempty" max:"65536"` // the same, for people
}

// Note reports a message for the user.
type Note struct {
	Text string `json:"text,omitempty" max:"65536"` // the message
	Slow string `json:"slow,omitempty"`             // the run of an input is slow; the bound that the input exceeds
}

// Stopped reports that the campaign was stopped early.
type Stopped struct {
	Text string `json:"text,omitempty" max:"65536"` // why, and how to continue
}

// Ended reports that the campaign is over.
type Ended struct {
	Seconds  float64 `json:"seconds,omitempty"`  // duration of the campaign
	Workers  int     `json:"workers,omitempty"`  // processes that ran at a time
	Runs     int     `json:"runs,omitempty"`     // runs of all properties
	Failures int     `json:"failures,omitempty"` // distinct failures of all properties
}

// Stored reports to the command that a failing input is on disk. The process shrinks it next, and then reports
// that it has found it. If the process ends before, the command reports what is here.
type Stored struct {
	Found Found `json:"found,omitzero"` // as the process would report it now
}

// Rerun reports to the command that a saved input is run next.
type Rerun struct {
	Case string `json:"case,omitempty"` // ID of the saved input, or its file
}

// Dropped reports to the command that a saved input is not needed any more.
type Dropped struct {
	Case   string `json:"case,omitempty"`   // ID of the saved input, or its file
	Misfit bool   `json:"misfit,omitempty"` // it does not fit the type any more
}

// Answered reports to the command that a job that writes a file is done.
type Answered struct {
	Error string `json:"error,omitempty" max:"65536"` // why the file was not written
}

// Wanted reports to the command that a process waits for the binary that reports operands.
type Wanted struct{}

func (Started) kind() Kind     { return "started" }
func (Listed) kind() Kind      { return "listed" }
func (Omitted) kind() Kind     { return "omitted" }
func (Chosen) kind() Kind      { return "chosen" }
func (Skipped) kind() Kind     { return "skipped" }
func (Progress) kind() Kind    { return "progress" }
func (Died) kind() Kind        { return "died" }
func (Unconfirmed) kind() Kind { return "unconfirmed" }
func (Found) kind() Kind       { return "found" }
func (Repeated) kind() Kind    { return "repeated" }
func (Reached) kind() Kind     { return "reached" }
func (Finished) kind() Kind    { return "finished" }
func (Saved) kind() Kind       { return "saved" }
func (Note) kind() Kind        { return "note" }
func (Stopped) kind() Kind     { return "stopped" }
func (Ended) kind() Kind       { return "ended" }
func (Stored) kind() Kind      { return "stored" }
func (Rerun) kind() Kind       { return "rerun" }
func (Dropped) kind() Kind     { return "dropped" }
func (Answered) kind() Kind    { return "answered" }
func (Wanted) kind() Kind      { return "wanted" }
