//go:build go1.25

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/allele-go/allele/internal/source/facts"
	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/words"
)

// leftOut says which packages were left out. It is the last line of a command, and "" if
// there are none.
func leftOut(broken []load.Broken) string {
	var paths []string
	for _, b := range broken {
		paths = append(paths, b.Path)
	}
	switch len(paths) {
	case 0:
		return ""
	case 1:
		return "1 package was left out, because it does not compile: " + paths[0]
	}
	return fmt.Sprintf("%s were left out, because they do not compile: %s", words.Count(len(paths), "package"), strings.Join(paths, ", "))
}

// advice returns what to do about some errors of the compiler, and "" for others: errors in a
// file that facts -write has written, and in a file whose language is too old for a Check.
func advice(text string) string {
	switch {
	case strings.Contains(text, facts.DeclarationsFile+":"):
		return outdated(facts.DeclarationsFile)
	case strings.Contains(text, facts.ExternalFile+":"):
		return outdated(facts.ExternalFile)
	case strings.Contains(text, "requires go1.18 or later"):
		return "the go line of go.mod is below 1.18, and a call of allele.Check needs 1.18: " +
			"begin the test file with //go:build go1.18, followed by an empty line\n"
	}
	return ""
}

func outdated(file string) string {
	return fmt.Sprintf("%s is outdated; to write it again, run: %s facts -write ./...\n", file, self)
}

// warnBroken prints the errors of packages that are left out.
func warnBroken(stderr io.Writer, broken []load.Broken) {
	for _, b := range broken {
		fmt.Fprintf(stderr, "%v\n%s", b, advice(b.Text))
	}
	if last := leftOut(broken); last != "" {
		fmt.Fprintln(stderr, last)
	}
}
