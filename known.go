//go:build go1.25

package allele

import (
	"cmp"

	"github.com/allele-go/allele/internal/check/property"
)

// Known says that this run is about a bug that is known already, such as an open issue. Call it if the input shows
// that bug, and go on:
//
//	if usesNestedFilters(in) {
//		t.Known("issue 758")
//	}
//
// If the run fails, the failure is counted under this name and is not reported, so that the search looks for other
// bugs. Such a run never counts as passed, even if it does not fail: a Check with nothing but known bugs is vacuous.
// If no run fails that calls Known with a name, a note says that the bug may be fixed.
//
// If a run calls Known more than once, the first name counts.
//
// Known does not apply to a run that ends its process or does not end.
func (t *T) Known(issue string) {
	t.set(known, "Known")
	t.runner().words.Lock()
	defer t.runner().words.Unlock()
	if x := t.extra(); x.known == "" {
		x.known = cmp.Or(property.Issue(issue), "a bug without a name")
	}
}

// isKnown reports whether the run counts as one about a known bug. state is that of the run.
func isKnown(state uint32) bool {
	return state&known != 0 && (state&failed != 0 || state&discarded == 0)
}

// knownBug returns what the run has shown of a known bug.
func (t *T) knownBug() property.Known {
	t.runner().words.Lock()
	defer t.runner().words.Unlock()
	return property.Known{Issue: t.extra().known, Failed: t.state.Load()&failed != 0}
}
