//go:build go1.25

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

// banned is a pattern that no text may match, and what to write instead. The patterns are
// spelled in pieces so that this file does not contain what it bans.
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
	// A note for later without a name. The first group excludes context.TODO, the function.
	{regexp.MustCompile(`(?:^|[^.\w])TO` + `DO\b(?:[^(]|\(\W|$)`),
		"write it with a name in parentheses and a condition"},
}

// plainWords lists words and phrases that readers had to read twice, with the plain term.
// Spaces match any gap, so that a line break does not hide a phrase.
var plainWords = []struct{ pattern, instead string }{
	{`men` + `d(?:s|ed|ing)?`, "fix, fixed"},
	{`ane` + `w`, "start over, from scratch, again"},
	{`is no mo` + `re`, "exited, crashed, is gone"},
	{`as never befo` + `re`, "more often than ever before"},
	{`patien` + `ce`, "per-run timeout"},
	{`giv(?:es|ing) nothing ba` + `ck`, "returns nothing"},
	{`hea` + `rs`, "reads, receives"},
	{`under w` + `ay`, "current, in progress"},
	{`of la` + `te`, "lately, recently"},
	{`(?:made|make|makes|making)(?: it| them)? sma` + `ll`, "shrink, minimise"},
	{`(?:took|went|takes|goes|go) (?:a|another) (?:new )?w` + `ay`, "took a new path"},
	{`which w` + `ay (?:a|each|the) runs?`, "which path"},
	{`how often (?:a|each|the) constructors? com` + `es?`, "is generated"},
	{`turned do` + `wn`, "rejected"},
	{`several process` + `ors`, "multicore, several cores"},
	{`what came o` + `f`, "the result, the outcome"},
	{`comes o` + `f it`, "the result"},
	{`hold(?:s)? no \S+ the` + `re`, "no field has type T"},
	{`looked in` + `to`, "confirmed, investigated"},
	{`when it cannot be to` + `ld`, "if allele cannot tell"},
}

// plain has a rule for each of plainWords. anyPlain matches if one of the rules does: most
// texts contain none of the words, and for those texts this one match is enough.
var plain, anyPlain = func() (rules []banned, anyOf *regexp.Regexp) {
	var all []string
	for _, w := range plainWords {
		expr := strings.ReplaceAll(w.pattern, " ", between)
		rules = append(rules, banned{regexp.MustCompile(`(?i)\b(?:` + expr + `)\b`), "write " + w.instead})
		all = append(all, expr)
	}
	return rules, regexp.MustCompile(`\b(?:` + strings.Join(all, "|") + `)\b`)
}()

func words(tree *Tree) []string {
	var problems []string
	for _, text := range tree.Texts {
		problems = append(problems, text.uses(bannedWords)...)
		if anyPlain.MatchString(strings.ToLower(text.Body)) {
			problems = append(problems, text.uses(plain)...)
		}
	}
	return problems
}

// uses lists where a text contains what is banned.
func (text Text) uses(bans []banned) (problems []string) {
	for _, ban := range bans {
		for _, at := range ban.pattern.FindAllStringIndex(text.Body, -1) {
			// The match may begin with the newline before the word.
			line := 1 + strings.Count(text.Body[:at[0]+1], "\n")
			problems = append(problems, fmt.Sprintf("%s:%d: %s", text.Path, line, ban.instead))
		}
	}
	return problems
}
