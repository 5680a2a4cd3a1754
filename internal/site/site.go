//go:build go1.25

// Package site defines the table of the instrumented places (sites) of a program: the
// places in its source where allele has inserted a probe.
//
// Rewritten code contains only the number of a place; the table maps the number to a file
// and line. Each package has its own block of numbers and keeps its numbers while its
// source is unchanged. An edit in one package therefore leaves the numbers of all other
// packages unchanged, and these packages are not recompiled.
package site

// Kind is the kind of event that a site records, for example that a function was entered.
type Kind uint8

// Func and Clause sites show a run in outline. The other kinds add every branch.
const (
	Func    Kind = iota // a function or closure was entered
	Clause              // a case of a switch, type switch or select was taken
	Then                // the condition of an if was true
	Else                // the condition of an if was false, and there is an else branch
	Loop                // the body of a loop was entered
	Goto                // a goto was reached
	Operand             // the right operand of && or || was evaluated
)

// String returns the name of the kind.
func (k Kind) String() string {
	names := [...]string{"func", "case", "then", "else", "loop", "goto", "operand"}
	if int(k) >= len(names) {
		return "unknown"
	}
	return names[k]
}

// Coarse reports whether k is Func or Clause.
func (k Kind) Coarse() bool { return k == Func || k == Clause }

// Site is an instrumented place in the source.
type Site struct {
	ID      uint32
	Kind    Kind
	File    string
	Line    int // position of its first token
	Col     int
	EndLine int // position where its block ends
	EndCol  int
	Func    string // the enclosing function
}
