//go:build go1.25

package score

import (
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/words"
)

// advice prints what to do about each kind of survivor. The difference matters: inputs that
// never show a fault are too weak, and a property that sees a fault and passes is too weak.
func (t *text) advice(all []survivor) {
	t.line("\n%s", t.paint(bold, "what to do"))
	of := func(kind string) (some []survivor, faults int) {
		for _, s := range all {
			if s.Kind == kind {
				some = append(some, s)
				faults += s.faults
			}
		}
		return some, faults
	}
	if some, n := of(fate.Survived); n > 0 {
		what := "the tests are too weak. The changed code ran and computed another value, and nothing failed. " +
			"Check more of the result"
		if searchable(some) {
			what = "the property is too weak. The changed code ran and computed another value, and nothing failed. " +
				"Check more of the result, or record it with t.Observe, so that a run that computes something else counts as different"
		}
		t.counsel("survived", n, what+". A change that no test could notice needs nothing.")
	}
	if some, n := of(fate.NotInfected); n > 0 {
		t.counsel("never infected", n, "the inputs are too weak. They reach the changed code, but none of them makes it compute "+
			"another value. "+how(some, "Add a test with other values at these places."), t.search(some)...)
	}
	if some, n := of(fate.NotReached); n > 0 {
		t.counsel("never reached", n, "the inputs are too weak. No input or test runs the changed code. "+
			how(some, "Add a test that does."), t.search(some)...)
	}
}

// counsel prints advice and commands.
func (t *text) counsel(label string, faults int, what string, commands ...string) {
	const indent = "  "
	for _, line := range wrap(label+" ("+words.Group(faults)+"): "+what, t.Columns-len(indent)) {
		t.line("%s%s", indent, line)
	}
	for _, c := range commands {
		t.line("%s%s%s", indent, indent, c)
	}
}

// how returns what to do if there are no properties, and that a search may help if there are.
func how(some []survivor, test string) string {
	if searchable(some) {
		return "Search for inputs that do:"
	}
	return test
}

// searchable reports whether a survivor is in a package with properties.
func searchable(some []survivor) bool { return slices.ContainsFunc(some, inProperties) }

func inProperties(s survivor) bool {
	return slices.ContainsFunc(s.of.Members, func(m *Member) bool { return m.Kind == Property })
}

// packagesMax is how many packages a command names.
const packagesMax = 5

// search returns the command that searches for inputs that kill faults.
func (t *text) search(some []survivor) []string {
	var packages []string
	for _, s := range some {
		if where := t.where(s.of.Path); inProperties(s) && !slices.Contains(packages, where) {
			packages = append(packages, where)
		}
	}
	if len(packages) == 0 {
		return nil
	}
	if len(packages) > packagesMax {
		packages = []string{"./..."}
	}
	return []string{t.Test + "-guide=faults " + strings.Join(packages, " ")}
}

func (t *text) where(pkg string) string {
	if t.Where == nil {
		return pkg
	}
	return t.Where(pkg)
}
