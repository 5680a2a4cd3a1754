//go:build go1.25 && !race

package proc

const raced = false
