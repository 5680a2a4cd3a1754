//go:build go1.25

// Package testbin builds, keeps and finds the test binaries of packages, for every command that
// needs the types of a property. It also builds programs with probes.
//
// The folder is a room: test binaries: built, kept and found.
//
//	target         the test of a program in any language, which allele run searches with
//	  |   weigh    the odds that test binaries compute for constructors
//	  |     |
//	  |   list     which properties the test binaries have
//	  |     |
//	  |   testbin  this package
//	  |     |
//	cache          what stays in the user's cache folder, and for how long
//
// A Program is made of Settings, most of which are flags of the command. Build sets its other
// fields.
//
//	p := &testbin.Program{Settings: settings}
//	defer p.Close()
//	err := p.Build()                 // packages that do not compile are in p.Overlay.Broken
//	p.Exec(property, conf)           // runs the test binary of the property's package
//	b := testbin.Binaries{Program: p}
//	b.PrepareOperands(...)           // further binaries, for a campaign
//
// A build falls back in three steps. Tests that do not compile are left out, and the others are
// built. A package that compiles only without probes is left as it is, and the build starts over
// (make.go). A binary that a search can do without, such as the one that reports operands, is left
// out with a warning (binaries.go, encoders.go).
//
// The one idea: binaries are built in a work folder that all commands with the same settings share,
// so a second build has nothing to do; but each command runs binaries of its own name, links to
// those in the work folder. So a later build does not change what an earlier command runs
// (compile.go).
package testbin
