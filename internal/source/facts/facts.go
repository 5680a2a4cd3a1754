//go:build go1.25

// Package facts reads from the source what a program cannot find out about itself
// at run time.
//
// Three kinds of facts help to generate inputs: which values a type has (variants of
// interfaces, constants), how the package itself makes such values (builders), and what
// its code looks for in them (literals, constants of fields, patterns).
//
//	names, maybe := facts.NewCalls(prog).Tests("example.com/tree") // tests that call Check
//	x := facts.NewIndex(prog)
//	builders, rejected := x.Builders(pkg) // rejected functions have a reason
//	shapes := x.Patterns(pkg)
//
// Facts are written as Go code, in a file that is added to the package or in a test
// file that the user keeps. The type Names writes facts for a particular file. If a
// fact needs a name that cannot be used in that file, such as an unexported one, the
// fact is left out.
package facts
