//go:build go1.25

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/proc/launch"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/testbin"
	"github.com/allele-go/allele/internal/testbin/list"
	"github.com/allele-go/allele/internal/words"
)

// reportStrays prints a line about each folder of stored cases that no test runs. It reports
// false if this is an error, because ALLELE_STRICT is 1, or because the test exists and ran, but
// without the property.
func reportStrays(l *list.Lister, all []launch.Property, part map[string]bool) (ok bool) {
	commands := commandsWith(l.Program, "")
	ok = true
	for _, s := range l.Strays(all, part) {
		ok = ok && !s.Ran && os.Getenv("ALLELE_STRICT") != "1"
		fmt.Fprintln(l.Stderr, "allele test:", words.Printable(s.Text(commands, filepath.ToSlash(l.Relative(s.Dir)), s.Of)))
	}
	return ok
}

// reportUnsure prints the tests that were not listed, with the command that lists them, and returns
// their number. It reports false if one of them has stored cases, and no property was found for them.
func reportUnsure(l *list.Lister, all []launch.Property) (n int, ok bool) {
	ok = true
	for _, test := range l.Overlay.Tests {
		names, open := l.Unsure(test.Path, all)
		if len(names) == 0 {
			continue
		}
		n += len(names)
		ok = ok && !open
		verb, they := "was", "it crashes or takes"
		if len(names) > 1 {
			verb, they = "were", "they crash or take"
		}
		fmt.Fprintf(l.Stderr, "allele test: %s of %s %s not listed to the end, because %s more than %v: %s; "+
			"to list all their properties, run: %s-run %s %s\n",
			words.Count(len(names), "test"), test.Path, verb, they, list.TryMax, strings.Join(names, ", "),
			commandsWith(l.Program, "").Test, words.Shell("^("+strings.Join(names, "|")+")(/|#|$)"), test.Path)
	}
	return n, ok
}

// scopeShown is how many packages the hint about -scope names.
const scopeShown = 3

// hintScope says that the code under test has no probes, because it belongs to other modules: then
// the search is blind. It names the packages that the tests import from other modules.
func hintScope(p *testbin.Program) {
	if slices.ContainsFunc(p.Overlay.Sites, func(s site.Site) bool { return !strings.HasSuffix(s.File, "_test.go") }) {
		return
	}
	outside := p.Listing.Outside()
	if len(outside) == 0 {
		return
	}
	fmt.Fprintf(p.Stderr, "allele test: only the tests have probes, so the search does not see the code of other modules; "+
		"to trace it, add -scope %s\n", words.Shell(strings.Join(outside[:min(scopeShown, len(outside))], ",")))
}
