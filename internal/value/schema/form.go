//go:build go1.25

package schema

import (
	"reflect"
	"unsafe"
)

// Form is what the code of a builder is in Go. There is one type for each form:
//
//	Call      a call or another expression, as its template has it
//	Parser    a call of a function that parses a text
//	Spelled   an expression with one text that stands for the arguments
//	Mutator   a method that changes its receiver
//	Reader    a method that sets its receiver from a text
//	Start     &T{}, which Mutators change
//	Literal   T{}
//	Given     the value itself
//	Variable  the name of a variable or a function
//	Filter    a regular expression
//	Calls     a list of calls of the methods of a machine
//	Operation one of these calls
//
// A new form needs a way to be printed and read, see call.go and made.go of package codec.
// TestEveryForm fails until all code that distinguishes forms handles it.
type Form interface{ isForm() }

// Is reports whether a builder has the form F.
func Is[F Form](m *Func) bool {
	_, ok := m.Form.(F)
	return ok
}

// Call is a call of a function. The template of a builder that comes with allele may be any expression.
type Call struct{}

// Parser is a call of a function that parses a text. Its argument has a form that the function accepts, see learned.
type Parser struct{}

// Spelled is an expression with a text, in place of textHole in the template, instead of the arguments. See spelling.
type Spelled struct {
	spell   func(args unsafe.Pointer) string
	unspell func(text string) (args []reflect.Value, ok bool)
}

// Mutator is a method that changes what its first argument points to, and this argument is the result.
type Mutator struct{}

// Reader is a method that sets the value from its argument, which is a text. See reading.
type Reader struct {
	Method  string
	samples []string // texts that it accepts
}

// Start is the expression &T{}. The arguments set some of its fields.
type Start struct{ Fields []string }

// Literal is a composite literal. The arguments set its fields.
type Literal struct {
	Fields []string
	Fixed  string  // a field that is set to true
	text   *string // of the zero value of a type that reads texts: the text of the zero value
}

// Given is the value itself, made from its fields. See asGiven.
type Given struct{}

// Variable is the name of a variable or, of a declared value, of a function.
type Variable struct{ Listed Listed }

// Listed returns where a declared value comes from. It is zero for builders that are no Variable.
func (m *Func) Listed() Listed {
	v, _ := m.Form.(Variable)
	return v.Listed
}

// Filter is a regular expression that some derivations do not match. It makes no values, but refuses them.
type Filter struct{}

func (Call) isForm()      {}
func (Parser) isForm()    {}
func (Spelled) isForm()   {}
func (Mutator) isForm()   {}
func (Reader) isForm()    {}
func (Start) isForm()     {}
func (Literal) isForm()   {}
func (Given) isForm()     {}
func (Variable) isForm()  {}
func (Filter) isForm()    {}
func (Calls) isForm()     {}
func (Operation) isForm() {}
