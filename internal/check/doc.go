//go:build go1.25

// Package check is a room: what a Check does. Its packages are linked into the test binaries of
// users; worker and oracle only into those that the command builds.
//
//	worker                           the jobs that the command requests
//	  |    \
//	  |     oracle                   whether a run notices a fault
//	  |        |
//	plain      |                     the search of plain go test, and what all searches have
//	  |   \    |
//	  |  verdict                     of a Check without a failure: passed, or vacuous and why
//	  |    |   |
//	finding|   |                     what is done with a failing input
//	  |    |   |
//	isolated   |                     how a run in a separate process ended
//	  |    |   |
//	  +----+---+
//	       |
//	   property                      its name, place, inputs, settings and stored cases
//
// The root package calls plain.Do for every Check, and runs the inputs.
package check
