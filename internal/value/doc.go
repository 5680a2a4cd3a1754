//go:build go1.25

// Package value is a room: what an input is. Its packages describe the inputs of a type, make them,
// change them and write them down. They do not know why an input is wanted.
//
//	codec    mutate        a term as Go code, and back; every small change of a term
//	  |       |   \
//	  |      gen   text    a term from random numbers; the parts of a text, and its small edits
//	  |       |      |
//	  |    weight    |     how often each constructor is generated
//	  |       |      |
//	  +--- schema    |     what a type allows, and how a term becomes a Go value
//	       /  |  \   |
//	   pure   |  term      whether the source of a method shows that it only computes; a flat tree
//	       attempt         calls of a method on trial
//
//	same   whether two values that runs have computed are equal, or share memory
package value
