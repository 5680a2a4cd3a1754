//go:build go1.25

// Package internal embeds the source of packages that are added to programs which do not
// link them. The tests of a module that does not use allele can be run with faults that way,
// and a program can be built with probes.
package internal

import "embed"

// Sources contains the folders hook and probed, and score/suite with what it imports.
//
//go:embed hook/*.go fate/*.go probed/*.go proc/scoring/*.go score/suite/*.go
var Sources embed.FS
