package tidy

import (
	"fmt"
	"slices"
	"strings"
)

// heavy are packages that the library must not pull into a user's test binary,
// with what it would cost them.
var heavy = map[string]string{
	"go/types":      "a type checker belongs to build time",
	"net/http":      "megabytes of binary, and goroutines that blur traces",
	"html/template": "reports are made by the command, not by the test binary",
}

// closure takes every package that the root package links, itself included, as
// "go list -deps" prints them.
func closure(deps []string) []string {
	var problems []string
	for _, dep := range slices.Sorted(slices.Values(deps)) {
		if why, bad := heavy[dep]; bad {
			problems = append(problems, fmt.Sprintf("the root package links %s: %s", dep, why))
		}
	}
	return problems
}

// requires keeps the main module free of dependencies: a tool inside it is then
// added to a user's module without moving any other version there.
func requires(tree *Tree) []string {
	var problems []string
	for _, text := range tree.Texts {
		if text.Path != "go.mod" {
			continue
		}
		for i, line := range strings.Split(text.Body, "\n") {
			if words := strings.Fields(line); len(words) > 0 && words[0] == "require" {
				problems = append(problems, fmt.Sprintf("go.mod:%d: the main module requires nothing outside the standard library", i+1))
			}
		}
	}
	return problems
}
