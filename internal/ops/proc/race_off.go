//go:build !race

package proc

const raced = false
