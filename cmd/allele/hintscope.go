//go:build go1.25

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/site"
)

// scopeShown is how many packages the hint about -scope names.
const scopeShown = 3

// hintScope says that the code under test has no probes, because it belongs to other modules: then
// the search is blind. It names the packages that the tests import from other modules.
func (t *tester) hintScope() {
	if slices.ContainsFunc(t.overlay.Sites, func(s site.Site) bool { return !strings.HasSuffix(s.File, "_test.go") }) {
		return
	}
	outside := t.listing.Outside()
	if len(outside) == 0 {
		return
	}
	fmt.Fprintf(t.stderr, "allele test: only the tests have probes, so the search does not see the code of other modules; "+
		"to trace it, add -scope %s\n", shellWord(strings.Join(outside[:min(scopeShown, len(outside))], ",")))
}
