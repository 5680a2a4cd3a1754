// Package decode has examples of properties of decoders: six of the standard library, three of
// other modules. The encoder of the same package makes the inputs (see allele.Through). Each
// property says what must be true of data that was decoded without an error.
//
//	go test ./decode
//	go tool allele test -scope image/png ./decode -run PNG
package decode
