//go:build go1.25

package tidy

import (
	"fmt"
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
)

// The architecture page has walks through the code: "Follow one input" and others, each a
// list of stops. A newcomer follows the stops with the code beside the page. So every stop
// must exist, and each must be in a new package. A stop that returns to an earlier package
// must say why.
const (
	walksPage  = "docs/ARCHITECTURE.md"
	walkTitle  = "## Follow one "
	walksMin   = 3
	stopsMax   = 10
	backMarker = "(back: "
)

var (
	stopLine = regexp.MustCompile("^[0-9]+\\. `([a-z/]+\\.go)` `([A-Za-z.]+)`")
	// namedFile matches the path of a Go file, relative to the top of the repository.
	namedFile = regexp.MustCompile("`((?:[a-z]+/)*[a-z_]+\\.go)`")
)

func walks(tree *Tree) []string {
	page := ""
	for _, t := range tree.Texts {
		if t.Path == walksPage {
			page = t.Body
		}
	}
	if page == "" {
		return nil
	}
	var problems []string
	parts := strings.Split(page, "\n"+walkTitle)[1:]
	if len(parts) < walksMin {
		problems = append(problems, fmt.Sprintf("%s: %d walks, at least %d", walksPage, len(parts), walksMin))
	}
	for _, part := range parts {
		title, body, _ := strings.Cut(part, "\n")
		body, _, _ = strings.Cut(body, "\n## ")
		for _, problem := range walk(tree, body) {
			problems = append(problems, fmt.Sprintf("%s: follow one %s: %s", walksPage, title, problem))
		}
	}
	return problems
}

// walk checks the stops of one walk.
func walk(tree *Tree, body string) (problems []string) {
	seen, stops := map[string]bool{}, 0
	for line := range strings.Lines(body) {
		if line[0] < '0' || line[0] > '9' {
			continue
		}
		stops++
		m := stopLine.FindStringSubmatch(line)
		if m == nil {
			problems = append(problems, "want a stop in the form `file.go` `Function` description, got: "+strings.TrimSpace(line))
			continue
		}
		file, function := m[1], m[2]
		if !declares(tree, file, function) {
			problems = append(problems, fmt.Sprintf("%s has no %s", file, function))
		}
		if dir := path.Dir(file); seen[dir] && !strings.Contains(line, backMarker) {
			problems = append(problems, fmt.Sprintf("%s was a stop before; say why with %s...)", dir, backMarker))
		}
		seen[path.Dir(file)] = true
	}
	if stops == 0 || stops > stopsMax {
		problems = append(problems, fmt.Sprintf("%d stops, want 1 to %d", stops, stopsMax))
	}
	return problems
}

func declares(tree *Tree, file, function string) bool {
	for _, f := range tree.Files {
		if f.Path != file {
			continue
		}
		for _, decl := range f.AST.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && functionName(fn) == function {
				return true
			}
		}
	}
	return false
}

// pageFiles checks that the files named in the tables of the page exist.
func pageFiles(tree *Tree) (problems []string) {
	for _, t := range tree.Texts {
		if t.Path != walksPage {
			continue
		}
		for line := range strings.Lines(t.Body) {
			if !strings.HasPrefix(line, "| ") {
				continue
			}
			for _, m := range namedFile.FindAllStringSubmatch(line, -1) {
				if !isFile(tree, m[1]) {
					problems = append(problems, fmt.Sprintf("%s: there is no %s", walksPage, m[1]))
				}
			}
		}
	}
	return problems
}

func isFile(tree *Tree, name string) bool {
	return slices.ContainsFunc(tree.Files, func(f *File) bool { return f.Path == name })
}
