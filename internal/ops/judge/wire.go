//go:build go1.25

package judge

// The types and words of this file are those of package suite, which runs in the test
// binary. That package is also compiled into modules that do not know this one, so neither
// imports the other. A test compares them.

// variable is the environment variable with the name of the file that holds a request.
const variable = "ALLELE_REQUEST"

// BootVariable names a fault that is switched on when the program starts, and SuiteTest is the
// test that does requests. Package build defines them too.
const (
	SuiteTest    = "TestAlleleSuite_"
	BootVariable = "ALLELE_FAULT"
)

// bootSpent is the panic of initialisers that take too many steps. Package hook defines it too.
const bootSpent = "allele: with this fault, the initialisers take too many steps"

const (
	modeBaseline = "baseline"
	modeJudge    = "judge"
	modeOff      = "off"
)

type request struct {
	Mode     string            `json:"mode"`
	Results  string            `json:"results"`
	Baseline string            `json:"baseline"`
	Faults   []fault           `json:"faults"`
	Wall     int64             `json:"wall"`
	Memory   int64             `json:"memory"`
	Leave    map[string]string `json:"leave,omitempty"`
	Fresh    bool              `json:"fresh,omitempty"`
	Boot     bool              `json:"boot,omitempty"`
	All      bool              `json:"all,omitempty"`
}

type fault struct {
	ID      int    `json:"id"`
	Package string `json:"package"`
	Site    int    `json:"site"`
	Variant int    `json:"variant"`
}

const (
	begin    = "begin"
	start    = "start"
	note     = "note"
	judged   = "judged"
	check    = "check"
	good     = "good"
	polluted = "polluted"
	busy     = "busy"
	stuck    = "stuck"
	tested   = "tested"
	killer   = "killer"
	done     = "done"
)

const noFault = -1

type line struct {
	Event  string `json:"event"`
	Fault  int    `json:"fault"`
	Test   string `json:"test,omitempty"`
	Kind   string `json:"kind,omitempty"`
	By     string `json:"by,omitempty"`
	Detail string `json:"detail,omitempty"`
	Tests  int    `json:"tests,omitempty"`
	Runs   int    `json:"runs,omitempty"`
	Once   bool   `json:"once,omitempty"`
	Init   bool   `json:"init,omitempty"`
	Open   bool   `json:"open,omitempty"`
	Passed bool   `json:"passed,omitempty"`
	Steps  int64  `json:"steps,omitempty"`
	Nanos  int64  `json:"nanos,omitempty"`
	Input  string `json:"input,omitempty"`
}
