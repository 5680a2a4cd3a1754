//go:build go1.25

package engine

import "github.com/allele-go/allele/internal/value/term"

// Forger makes the bytes that the search needs beside the terms of values.
type Forger interface {
	// Freeze returns the bytes of an encoded value, as a term of given bytes. It returns nil
	// if the value cannot be encoded.
	Freeze(t term.Term) term.Term
	// Keep is called with every encoded value that is kept. Forge makes more of it.
	Keep(t term.Term)
	// Forge returns bytes that an encoder with a fault has made, what they were made from, and
	// how many steps that took. The term is nil if nothing was made; then more reports whether
	// another call may make something.
	Forge() (t term.Term, from *Source, steps int, more bool)
}

// Source is what given bytes were made from.
type Source struct {
	Value term.Term // the encoded value
	Fault any       // the fault in the encoder, as the Forger describes it; nil means none
}

// howFault is bytes that an encoder with a fault has made.
var howFault = named("fault")
