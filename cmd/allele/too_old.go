//go:build !go1.25

package main

// This file is compiled only by Go releases that are too old for allele; see the file of
// the same name in the root package.
func main() { allele_needs_Go_1_25_or_newer__see_go_dev_dl() }
