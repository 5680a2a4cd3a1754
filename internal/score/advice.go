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
			if s.result.Kind == kind {
				some = append(some, s)
				faults += s.faults
			}
		}
		return some, faults
	}
	some, n := of(fate.Survived)
	if few, faults := fewInputs(some); faults > 0 {
		t.counsel("survived", faults, "few inputs show these changes: fewer than "+words.Group(fewMax)+" for each. Search for more first; "+
			"what survives them needs a stronger property:", t.search(few)...)
		some, n = slices.DeleteFunc(some, isFew), n-faults
	}
	if n > 0 {
		what := "the tests are too weak. The changed code ran and computed another value, and nothing failed. " +
			"Check more of the result"
		if searchable(some) {
			what = "the property is too weak. The changed code ran and computed another value, and nothing failed. " +
				"Check more of the result, or record it with t.Observe, so that a run that computes something else counts as different"
		}
		t.counsel("survived", n, what+". Accept a change that no test could notice: write //allele:ignore OPERATOR REASON beside the line.")
	}
	if some, n := of(fate.NotInfected); n > 0 {
		t.counsel("never infected", n, "the inputs are too weak. They reach the changed code, but none of them makes it compute "+
			"another value. "+how(some, "Add a test with other values at these places."), t.search(some)...)
	}
	if some, n := of(fate.NotReached); n > 0 {
		t.counsel("never reached", n, "the inputs are too weak. No input or test runs the changed code. "+
			how(some, "Add a test that does."), t.search(some)...)
	}
	if g := ranked(all)[0]; g.all[0].faults == 1 {
		t.line("  to see more of a change, and what to write, or to make it in the source:")
		t.line("    %sshow %[2]s\n    %[1]sapply %[2]s", t.Score, g.all[0].of.key(g.all[0].fault))
	}
}

// fewMax is below how many inputs a property may just have been lucky.
const fewMax = 10

// fewInputs returns the survivors that few inputs of a property show, and how many faults they are.
func fewInputs(all []survivor) (few []survivor, faults int) {
	for _, s := range all {
		if isFew(s) {
			few = append(few, s)
			faults += s.faults
		}
	}
	return few, faults
}

func isFew(s survivor) bool {
	r := s.result
	return r.Member >= 0 && s.of.Members[r.Member].Kind == Property && r.Others == 0 && r.Runs < fewMax
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
