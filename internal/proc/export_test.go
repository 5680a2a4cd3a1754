//go:build go1.25

package proc

// Raced reports whether the tests were built with the race detector.
const Raced = raced
