//go:build go1.25

// Package store is a room: what stays on disk between two runs.
//
//	corpora            moves saved inputs and stored cases: to files, machines and tests
//	   |      \
//	corpus    fuzzinput    arguments of a fuzz test as an input of a property, and back
//	   |       |
//	   |     gofuzz        corpus files of Go's native fuzzing
//	   |
//	   |   strays          which stored cases no test runs
//	   |   /
//	casefile               stored cases as text, for code without the types
//
//	dict                   dictionaries of other fuzzers
//
// Files are untrusted: whoever reads one expects anything in it.
package store
