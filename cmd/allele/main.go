//go:build go1.25

// Without this line, the settings of the runtime and of go/types would be those of the go
// line of the user's module, if that module has allele as a tool.
//
//go:debug default=go1.25

// Command allele searches for inputs that make the properties of a module fail. The paths
// that runs take through the code guide the search.
//
//	allele test [flags] [packages]
//	allele run [flags] -format NAME -- PROGRAM [ARGUMENTS]
//	allele build [flags] [package]
//	allele pack [flags] -o FILE [packages]
//	allele show [-test] FILE
//	allele score [flags] [packages]
//	allele dist [flags] PROPERTY [package]
//	allele corpus list|show|min|merge|export|import|mv
//	allele facts [-write] [-weights] [packages]
//	allele clean [flags]
//	allele version
//
// It adds probes to the module's code through an overlay, builds test binaries and runs
// them. It changes none of the module's own files; facts -write adds a test file.
//
// To add a subcommand, write its function in a file of its own, add it to the list in
// commands, and add a line to each of the two lists in usage. Subcommands that build tests
// share build.go.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
)

func main() {
	self = called()
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// The exit codes are those of go test: 1 if a property failed, and 2 if the command could
// not do its work.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

const usage = `usage: allele test [flags] [packages]
       allele run [flags] -format NAME -- PROGRAM [ARGUMENTS]
       allele build [flags] [package]
       allele pack [flags] -o FILE [packages]
       allele show [-test] FILE
       allele score [flags] [packages]
       allele dist [flags] PROPERTY [package]
       allele corpus list|show|min|merge|export|import|mv ...
       allele facts [-write] [-weights] [packages]
       allele clean [-n] [-corpus]
       allele version

Commands:
    test     search for failures of the properties of packages
    run      search for failures of a program in any language
    build    build a Go program that guides the search of run
    pack     pack test binaries into a file, for other hosts
    show     print a stored case, or a test that reproduces it
    score    measure how good properties and tests are
    dist     show how often each constructor is generated
    corpus   list, minimise and move the inputs that searches saved
    facts    print facts about types, or write them to a file for go test
    clean    remove builds from the cache
    version  print the version

Example:
    go tool allele test ./...

allele COMMAND -h prints the help of a command.
`

// commands returns the subcommands and their names, as usage lists them.
func commands() (names []string, of map[string]func(args []string, stdout, stderr io.Writer) int) {
	return []string{"test", "run", "build", "pack", "show", "score", "dist", "corpus", "facts", "clean", "version"},
		map[string]func([]string, io.Writer, io.Writer) int{
			"test": testCommand, "run": runCommand, "build": buildCommand, "pack": packCommand,
			"show": showCommand, "score": scoreCommand, "dist": distCommand, "corpus": corpusCommand,
			"facts": factsCommand, "clean": cleanCommand, "version": versionCommand,
		}
}

func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stderr, inOurWords(usage))
		return exitUsage
	}
	names, of := commands()
	if isHelp(args[0]) && len(args) > 1 && of[args[1]] != nil {
		args = []string{args[1], "-h"}
	}
	if command := of[args[0]]; command != nil {
		return command(args[1:], stdout, stderr)
	}
	if isHelp(args[0]) {
		fmt.Fprint(stdout, inOurWords(usage))
		return exitOK
	}
	fmt.Fprint(stderr, unknownCommand("allele", args[0], names), inOurWords(usage))
	return exitUsage
}

const versionUsage = `usage: allele version

Prints the version of the module, the version of Go that built the command, the system, and
the revision of the source if it is known.
`

// versionCommand runs allele version.
func versionCommand(args []string, stdout, stderr io.Writer) int {
	f := newFlags("allele version", versionUsage, stdout)
	err := f.parse(args)
	if err == nil && f.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if err == nil {
		info, _ := debug.ReadBuildInfo()
		fmt.Fprintln(stdout, version(info))
	}
	return ended("allele version", err, stderr)
}
