//go:build go1.25

package site

// Fault is a small deliberate change of the program. A test or an input that notices the
// change kills the fault. All faults of a package are compiled into one binary, where each
// is switched on by a gate: Site is the number of the gate in its package, and Variant
// selects one of the changes at that place.
type Fault struct {
	ID      int    `json:"id"`      // index in the list of all faults of a build
	Package string `json:"package"` // import path
	Site    int    `json:"site"`
	Variant int    `json:"variant"`

	File    string `json:"file"` // absolute
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	EndLine int    `json:"endLine"`
	EndCol  int    `json:"endCol"`
	Func    string `json:"func"` // for example (*Parser).next

	Operator string `json:"operator"`         // for example boundary
	Number   int    `json:"number,omitempty"` // number of the operator in the MutaGen paper, or 0
	From     string `json:"from"`             // the source at the place, shortened
	To       string `json:"to"`               // what the change makes of it
}
