//go:build race

package proc

const raced = true
