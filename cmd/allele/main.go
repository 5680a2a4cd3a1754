// Command allele searches for inputs that make the properties of a module fail. The paths
// that runs take through the code guide the search.
//
//	allele test [flags] [packages]
//	allele show [-test] FILE
//	allele dist [flags] PROPERTY [package]
//	allele corpus list|show|min|merge|export|import
//	allele facts [-write] [-weights] [packages]
//
// It adds probes to the module's code through an overlay, builds test binaries and runs
// them. It changes none of the module's own files; facts -write adds a test file.
//
// To add a subcommand, write its function in a file of its own, call it in the switch of
// run, and add a line to each of the two lists in usage. Subcommands that build tests
// share build.go.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// The exit codes are those of go test: 1 if a property failed, and 2 if the command could
// not do its work.
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
    test    search for failures of the properties of packages
    show    print a stored case, or a test that reproduces it
    dist    show how often each constructor is generated
    corpus  list, minimise and move the inputs that searches saved
    facts   print facts about types, or write them to a file for go test

Example:
    go tool allele test ./...

allele COMMAND -h prints the help of a command.
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
	fmt.Fprintf(stderr, "allele: unknown command %q\n\n%s", args[0], usage)
	return exitUsage
}
