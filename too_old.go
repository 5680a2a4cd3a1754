//go:build !go1.25

package allele

// This file is compiled only by Go releases that are too old for allele. All other files
// begin with "//go:build go1.25", so without this file the compiler would report that every
// name of the package is undefined. The file refers to a name that does not exist, and the
// name is the message.
//
// The version is not in go.mod, because requiring a module with a newer go line raises the
// go line of the module that requires it.
var _ = allele_needs_Go_1_25_or_newer__see_go_dev_dl
