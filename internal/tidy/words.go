package tidy

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// noIdea lists package names that do not say what the package does.
var noIdea = []string{"util", "common", "helpers", "types"}

// packageNames checks the package clause and the folder, because a reader may see either.
func packageNames(tree *Tree) []string {
	var problems []string
	for _, f := range tree.Files {
		name := strings.TrimSuffix(f.AST.Name.Name, "_test")
		if slices.Contains(noIdea, name) || slices.Contains(noIdea, path.Base(f.Dir)) {
			problems = append(problems, fmt.Sprintf("%s: package %s: choose a name that says what the package does", f.Path, name))
		}
	}
	return problems
}

// A banned pattern and what to write instead. The patterns are spelled in pieces
// so that this file does not contain what it bans.
type banned struct {
	pattern *regexp.Regexp
	instead string
}

// between matches the gap between two words, a line break in a comment included.
const between = `[\s/#*>]+`

var bannedWords = []banned{
	// One word, one meaning: a mutant is a changed term, a fault is a changed program.
	{regexp.MustCompile(`(?i)\bmutants?` + between + `of` + between + `(?:the|a|your)` + between + `programs?\b`),
		"a changed program is called a fault"},
	// The first group excludes the function of that name in package context.
	{regexp.MustCompile(`(?:^|[^.\w])TO` + `DO\b(?:[^(]|\(\W|$)`),
		"write it with a name in parentheses and a condition"},
}

func words(tree *Tree) []string {
	var problems []string
	for _, text := range tree.Texts {
		for _, ban := range bannedWords {
			for _, at := range ban.pattern.FindAllStringIndex(text.Body, -1) {
				// The match may begin with the newline before the word.
				line := 1 + strings.Count(text.Body[:at[0]+1], "\n")
				problems = append(problems, fmt.Sprintf("%s:%d: %s", text.Path, line, ban.instead))
			}
		}
	}
	return problems
}
