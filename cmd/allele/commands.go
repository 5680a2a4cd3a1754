//go:build go1.25

package main

import (
	"fmt"
	"strings"
)

// subcommand is a row of the tables below. The help of allele, the help of each
// subcommand, and the check of the reference page come from these tables.
type subcommand struct {
	name    string
	args    string                  // what follows the name in a list of commands; a line for each form
	summary string                  // what it does; one line, or several
	help    string                  // printed before the flags
	setup   func(f *flagSet) action // registers the flags, and returns what the command does
	sub     []subcommand            // instead of setup
}

// subcommands returns the table of subcommands. To add one, write its setup in a file of its own and
// its help in help.go, and add a row. TestReferencePage and TestPackageComment then name what is missing: in
// docs/guide/command.md a section and the text of allele help, and lines in the comment of main.go.
func subcommands() []subcommand {
	return []subcommand{
		{"test", "[flags] [packages]", "search for failures of the properties of packages", testHelp, testCommand, nil},
		{"run", "[flags] -format NAME -- PROGRAM [ARGUMENTS]", "search for failures of a program in any language",
			runHelp, runCommand, nil},
		{"build", "[flags] [package]", "build a Go program that guides the search of run", buildHelp, buildCommand, nil},
		{"pack", "[flags] -o FILE [packages]", "pack test binaries into a file, for other hosts", packHelp, packCommand, nil},
		{"show", "[-test] FILE", "print a stored case, or a test that reproduces it", showHelp, showCommand, nil},
		{"score", "[flags] [packages]\nshow|apply|undo KEY", "measure how good properties and tests are", scoreHelp, scoreCommand, nil},
		{"dist", "[flags] PROPERTY [package]", "show how often each constructor is generated", distHelp, distCommand, nil},
		{"corpus", "", "list, minimise and move the inputs that searches saved", corpusHelp, nil, corpusCommands()},
		{"facts", "[-write] [-weights] [packages]", "print facts about types, or write them to a file for go test",
			factsHelp, factsCommand, nil},
		{"clean", "[-n] [-corpus]", "remove builds from the cache", cleanHelp, cleanCommand, nil},
		{"version", "", "print the version", versionHelp, versionCommand, nil},
	}
}

// corpusCommands returns the table of the subcommands of allele corpus, whose help precedes their
// flags.
func corpusCommands() []subcommand {
	return []subcommand{
		{"list", "[PATTERN]", "list the properties that have saved inputs, with counts", "", corpusList, nil},
		{"show", "[-n NUMBER] PATTERN [ID...]", "print saved inputs as Go", "", corpusShow, nil},
		{"min", "[flags] [packages]", "remove saved inputs that add nothing to the others", "", corpusMin, nil},
		{"merge", "DIR...", "add the saved inputs of corpora in other folders", "", corpusMerge, nil},
		{"export", "-o DIR [PATTERN]\n-go FUZZTEST [-o DIR] TEST [package]",
			"write saved inputs to files, with -go as a corpus of go test -fuzz", "", corpusExport, nil},
		{"import", "[flags] DIR [packages]\n-go FUZZTEST TEST [package]",
			"read files that export wrote, with -go a corpus of go test -fuzz", "", corpusImport, nil},
		{"mv", "OLDTEST NEWTEST [package [new package]]",
			"move the saved inputs, and the stored cases in testdata/allele, of a test that\nyou renamed or moved to another package",
			"", corpusMove, nil},
	}
}

// usageText returns the help of the command: how each subcommand is called, and what it does.
func usageText() string {
	table := subcommands()
	return "usage: " + callForms("allele", table) + "\nCommands:\n" + summaries(table) + `
Example:
    go tool allele test ./...

allele COMMAND -h prints the help of a command.
`
}

// groupHelp returns the help of a command that has subcommands.
func groupHelp(c subcommand) string {
	return fmt.Sprintf(c.help, callForms("allele "+c.name, c.sub), summaries(c.sub))
}

// callForms returns a line for each form of a call. All but the first are indented.
func callForms(of string, table []subcommand) string {
	var lines []string
	for _, c := range table {
		args := c.args
		if c.sub != nil {
			args = strings.Join(commandNames(c.sub), "|") + " ..."
		}
		for form := range strings.SplitSeq(args, "\n") {
			lines = append(lines, strings.TrimSpace(of+" "+c.name+" "+form)+"\n")
		}
	}
	return strings.Join(lines, "       ")
}

// summaries returns a list of commands with what they do.
func summaries(table []subcommand) string {
	width := 0
	for _, c := range table {
		width = max(width, len(c.name))
	}
	var b strings.Builder
	for _, c := range table {
		lines := strings.ReplaceAll(c.summary, "\n", "\n"+strings.Repeat(" ", width+6))
		fmt.Fprintf(&b, "    %-*s  %s\n", width, c.name, lines)
	}
	return b.String()
}

func commandNames(table []subcommand) (names []string) {
	for _, c := range table {
		names = append(names, c.name)
	}
	return names
}
