// Package site is the table of instrumented places of a program.
//
// Rewritten code knows a place by its number alone; the table says which file
// and line it is. A package keeps its numbers as long as it keeps its source,
// because each has a block of numbers of its own: an edit in one package does
// not renumber, and so does not recompile, the others.
package site

// Kind says what about the program a site shows.
type Kind uint8

// Function and clause sites are enough to tell what a run did in outline; the
// others tell every branch.
const (
	Func    Kind = iota // a function or closure was entered
	Clause              // a case of a switch, type switch or select was taken
	Then                // the condition of an if was true
	Else                // it was false, and there is code for that
	Loop                // the body of a loop was entered
	Goto                // a goto was reached
	Operand             // the right operand of && or || was evaluated
)

// String names the kind.
func (k Kind) String() string {
	names := [...]string{"func", "case", "then", "else", "loop", "goto", "operand"}
	if int(k) >= len(names) {
		return "unknown"
	}
	return names[k]
}

// Coarse reports whether a kind is a function or clause site.
func (k Kind) Coarse() bool { return k == Func || k == Clause }

// Site is one place.
type Site struct {
	ID      uint32
	Kind    Kind
	File    string
	Line    int // of the first token it stands for
	Col     int
	EndLine int // where its block ends
	EndCol  int
	Func    string // the function around it
}
