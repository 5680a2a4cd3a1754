//go:build go1.25

package tidy

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	codeBlock = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	codeSpan  = regexp.MustCompile("`[^`\n]*`")
	// linkTarget matches a link in the text, or the definition of a link at the start of a line.
	linkTarget = regexp.MustCompile(`\]\(([^)\s]+)(?: "[^"]*")?\)|(?m:^ *\[[^\]]+\]: *(\S+))`)
	elsewhere  = regexp.MustCompile(`^([a-z]+:|//)`)

	heading     = regexp.MustCompile(`(?m)^ {0,3}#{1,6} +(.+?)(?: +#+)? *$`)
	headingLink = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	notInSlug   = regexp.MustCompile(`[^\p{L}\p{M}\p{N}_ -]`)
)

// links checks links between files of the repository: the file or folder must exist, and so
// must the heading that #anchor names.
func links(tree *Tree) (problems []string) {
	pages := map[string]string{}
	for _, t := range tree.Texts {
		if path.Ext(t.Path) == ".md" {
			pages[t.Path] = codeBlock.ReplaceAllStringFunc(t.Body, keepLines)
		}
	}
	for _, t := range tree.Texts {
		body := codeSpan.ReplaceAllStringFunc(pages[t.Path], keepLines)
		for _, at := range linkTarget.FindAllStringSubmatchIndex(body, -1) {
			begin, end := max(at[2], at[4]), max(at[3], at[5])
			if problem := link(tree, pages, t.Path, body[begin:end]); problem != "" {
				line := 1 + strings.Count(body[:begin], "\n")
				problems = append(problems, fmt.Sprintf("%s:%d: %s", t.Path, line, problem))
			}
		}
	}
	return problems
}

// keepLines returns as many newlines as the text has, so that lines are counted right.
func keepLines(text string) string { return strings.Repeat("\n", strings.Count(text, "\n")) }

func link(tree *Tree, pages map[string]string, from, target string) (problem string) {
	if elsewhere.MatchString(target) {
		return ""
	}
	name, anchor, _ := strings.Cut(target, "#")
	file := from
	switch {
	case strings.HasPrefix(name, "/"):
		file = path.Clean(name[1:])
	case name != "":
		file = path.Join(path.Dir(from), name)
	}
	page, isPage := pages[file]
	switch {
	case !tree.Paths[file]:
		return fmt.Sprintf("link to %s: there is no %s", target, file)
	case anchor != "" && isPage && !slices.Contains(anchors(page), anchor):
		return fmt.Sprintf("link to %s: %s has no such heading", target, file)
	}
	return ""
}

// anchors returns the names that GitHub gives to the headings of a page: letters, digits,
// "_" and "-" in lower case, "-" for a space, and a number at the end of a repeated name.
func anchors(page string) []string {
	var names []string
	count := map[string]int{}
	for _, m := range heading.FindAllStringSubmatch(page, -1) {
		text := headingLink.ReplaceAllString(m[1], "$1")
		name := strings.ReplaceAll(notInSlug.ReplaceAllString(strings.ToLower(text), ""), " ", "-")
		count[name]++
		if n := count[name]; n > 1 {
			name = fmt.Sprintf("%s-%d", name, n-1)
		}
		names = append(names, name)
	}
	return names
}

// readmeMax is two screens, about as much as people read before they decide whether to go
// on.
const readmeMax = 125

// readme bounds the visible lines of README.md above the heading "How it compares".
func readme(tree *Tree) []string {
	for _, text := range tree.Texts {
		before, _, ok := strings.Cut(text.Body, "\n## How it compares\n")
		if text.Path != "README.md" || !ok {
			continue
		}
		before = htmlComment.ReplaceAllString(before, "")
		if n := strings.Count(before, "\n"); n > readmeMax {
			return []string{fmt.Sprintf("README.md: %d lines before \"How it compares\", want at most %d", n, readmeMax)}
		}
	}
	return nil
}

var htmlComment = regexp.MustCompile(`(?s)<!--.*?-->\n`)
