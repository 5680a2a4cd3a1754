//go:build go1.25

package tidy

import (
	"go/version"
	"path"
	"strings"
)

// The go line of go.mod is old, so that requiring this module does not raise the go line of
// another module. The language version of the code is set by a build constraint in each
// file. A file without it would be compiled as old Go: newer syntax is an error, but a loop
// whose variable is shared by all iterations is not.
const (
	languageLine = "go 1.18"
	languageTag  = "go1.25"
	// tooOld is the name of the files that old releases of Go compile instead of all others.
	tooOld = "too_old.go"
)

// languages checks the go line of go.mod, and that every file of the main module has the
// build constraint.
func languages(tree *Tree) []string {
	var problems []string
	for _, t := range tree.Texts {
		if t.Path == "go.mod" && !strings.Contains(t.Body, "\n"+languageLine+"\n") {
			problems = append(problems, "go.mod: want the line \""+languageLine+"\": a newer one changes modules that require this one")
		}
	}
	for _, f := range tree.Files {
		if !f.Nested && path.Base(f.Path) != tooOld && version.Compare(f.AST.GoVersion, languageTag) != 0 {
			problems = append(problems, f.Path+": add the build constraint \""+languageTag+"\", or combine it with the one there")
		}
	}
	return problems
}
