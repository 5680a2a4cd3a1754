//go:build go1.25

package site

import "strings"

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
	Line    int    `json:"line"` // where From begins and ends; columns count bytes, from 1
	Col     int    `json:"col"`
	EndLine int    `json:"endLine"`
	EndCol  int    `json:"endCol"`
	Func    string `json:"func"` // for example (*Parser).next

	Operator string `json:"operator"`         // for example boundary
	Number   int    `json:"number,omitempty"` // number of the operator in the MutaGen paper, or 0
	From     string `json:"from"`             // the source at the place
	To       string `json:"to"`               // what the change makes of it, or (deleted)
	Edit     Edit   `json:"edit"`             // the same change, without what stays at both ends
}

// Edit is a change of a file: Old, which begins at the byte with a number, becomes New.
type Edit struct {
	Offset int    `json:"offset"`
	Old    string `json:"old"`
	New    string `json:"new"`

	Unlikely string `json:"unlikely,omitempty"` // why hardly any test would notice it, if there is a reason: "the capacity of a map"
}

// Apply makes the change. It returns false if the source is not the one that the edit was made for.
func (e Edit) Apply(src string) (string, bool) {
	if e.Offset < 0 || e.Offset > len(src) || !strings.HasPrefix(src[e.Offset:], e.Old) {
		return src, false
	}
	return src[:e.Offset] + e.New + src[e.Offset+len(e.Old):], true
}
