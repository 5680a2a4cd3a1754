//go:build go1.25

package tidy

import (
	"fmt"
	"slices"
	"strings"
)

// heavy lists packages that the library must not link into a user's test binary, with the
// reason.
var heavy = map[string]string{
	"go/types":      "a type checker belongs to build time",
	"net/http":      "megabytes of binary, and goroutines that blur traces",
	"html/template": "reports are made by the command, not by the test binary",
}

// forCommand lists the folders of packages that a plain test binary must not link: campaigns,
// other hosts, judging, and the jobs that only the allele command requests. Binaries that the
// command builds link some of them, by the tag allele_jobs.
var forCommand = []string{
	"internal/campaign", "internal/score", "internal/source", "internal/show",
	"internal/check/worker", "internal/check/oracle", "internal/proc/launch", "internal/proc/share", "internal/proc/dist",
	"internal/search/cover", "internal/store/corpus", "internal/store/dict",
}

// closure checks the packages that the root package links, as "go list -deps" prints them.
func closure(deps []string) []string {
	var problems []string
	for _, dep := range slices.Sorted(slices.Values(deps)) {
		if why, bad := heavy[dep]; bad {
			problems = append(problems, fmt.Sprintf("the root package links %s: %s", dep, why))
		}
		if dir, ours := ourDir(dep); ours && mayHold(forCommand, dir) {
			problems = append(problems, fmt.Sprintf("the root package links %s: only the allele command needs it", dep))
		}
	}
	return problems
}

// requires checks that the main module has no dependencies. Then a user can add the
// command as a tool without changing the version of any other module.
func requires(tree *Tree) []string {
	var problems []string
	for _, text := range tree.Texts {
		if text.Path != "go.mod" {
			continue
		}
		for i, line := range strings.Split(text.Body, "\n") {
			if words := strings.Fields(line); len(words) > 0 && words[0] == "require" {
				problems = append(problems, fmt.Sprintf("go.mod:%d: the main module must not require other modules", i+1))
			}
		}
	}
	return problems
}
