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
//	allele score show|apply|undo KEY
//	allele dist [flags] PROPERTY [package]
//	allele corpus list|show|min|merge|export|import|mv ...
//	allele facts [-write] [-weights] [packages]
//	allele clean [-n] [-corpus]
//	allele version
//
// It adds probes to the module's code through an overlay, builds test binaries and runs
// them. It changes none of the module's own files; facts -write adds a test file.
//
// The table of subcommands is in commands.go. Each has a file of its own, with its flags and what
// it prints; what it does is in the packages of internal.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	self = called()
	os.Exit(execute(os.Args[1:], os.Stdout, os.Stderr))
}

// The exit codes are those of go test: 1 if a property failed, and 2 if the command could
// not do its work.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// execute runs the command with arguments, and returns the exit code.
func execute(args []string, stdout, stderr io.Writer) int {
	table := subcommands()
	if len(args) > 1 && isHelp(args[0]) && rowOf(table, args[1]) != nil {
		args = []string{args[1], "-h"}
	}
	return dispatch("allele", usageText(), table, args, stdout, stderr)
}

// dispatch runs the row of a table that the first argument names. The help is that of the table.
func dispatch(of, help string, table []subcommand, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stderr, inOurWords(help))
		return exitUsage
	}
	c := rowOf(table, args[0])
	switch {
	case c == nil && isHelp(args[0]):
		fmt.Fprint(stdout, inOurWords(help))
		return exitOK
	case c == nil:
		fmt.Fprint(stderr, unknownCommand(of, args[0], commandNames(table)), inOurWords(help))
		return exitUsage
	case c.sub != nil:
		return dispatch(of+" "+c.name, groupHelp(*c), c.sub, args[1:], stdout, stderr)
	}
	if c.help == "" {
		c.help = help + "\nflags of " + c.name + ":\n"
	}
	f := newFlags(of+" "+c.name, c.help, stdout)
	do := c.setup(f)
	call := &call{flagSet: f, command: f.Name(), stdout: stdout, stderr: stderr}
	err := f.parse(args[1:])
	if err == nil {
		err = do(call)
	}
	code := exitCode(f.Name(), err, stderr)
	if call.last != nil {
		call.last()
	}
	return code
}

// rowOf returns the row of a table with a name, or nil.
func rowOf(table []subcommand, name string) *subcommand {
	for i := range table {
		if table[i].name == name {
			return &table[i]
		}
	}
	return nil
}

// exitCode prints the error of a command and returns the exit code.
func exitCode(name string, err error, stderr io.Writer) int {
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return exitOK
	case errors.Is(err, errFailed):
		return exitFailed
	}
	fmt.Fprintf(stderr, "%s: %v\n", name, err)
	io.WriteString(stderr, advice(err.Error()))
	return exitUsage
}
