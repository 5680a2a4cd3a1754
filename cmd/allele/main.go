// Command allele runs the properties of a module under trace.
//
//	allele test [flags] [packages]
//	allele show [-test] FILE
//	allele dist [flags] PROPERTY [package]
//	allele corpus list|show|min|merge|export|import
//	allele facts [-write] [-weights] [packages]
//
// It rewrites the module's code through an overlay, builds test binaries from
// it and runs them. The module's own files are not touched, but that facts -write adds a
// test file where it is asked to.
//
// A subcommand is a function in the switch of run, a file of its own, and a line in each of
// the two lists of usage. build.go has what those that build tests share.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// Exit codes are those of go test: a property failed, or the command could not
// do its work.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

const usage = `usage: allele test [flags] [packages]
       allele show [-test] FILE
       allele dist [flags] PROPERTY [package]
       allele corpus list|show|min|merge|export|import ...
       allele facts [-write] [-weights] [packages]

Commands:
    test    run the properties of packages under trace
    show    print a stored case, or the test to paste for it
    dist    show how often each constructor comes in the inputs of a property
    corpus  look at, tidy and move what searches have kept
    facts   print what the source says about types, or write it down for go test

allele test -h lists the flags, and so for other commands.
`

func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stderr, usage)
		return exitUsage
	}
	switch args[0] {
	case "test":
		return testCommand(args[1:], stdout, stderr)
	case "show":
		return showCommand(args[1:], stdout, stderr)
	case "dist":
		return distCommand(args[1:], stdout, stderr)
	case "corpus":
		return corpusCommand(args[1:], stdout, stderr)
	case "facts":
		return factsCommand(args[1:], stdout, stderr)
	case "help", "-h", "-help", "--help":
		fmt.Fprint(stdout, usage)
		return exitOK
	}
	fmt.Fprintf(stderr, "allele: there is no command %q\n\n%s", args[0], usage)
	return exitUsage
}
