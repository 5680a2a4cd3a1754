//go:build go1.25

package finding

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/stack"
)

// Misuse returns what a property did wrong, and what to do, if the run ended because package
// testing, or the T of the property, was misused. Otherwise it returns "". Such a run is not a
// failure: it says nothing about the input.
func Misuse(o property.Outcome) string {
	text, goroutine := "", ""
	switch {
	case o.Panic != nil:
		text, goroutine = o.Panic.Text, o.Panic.Stack
	case o.Death != nil && o.Death.Kind == proc.Panic:
		text = o.Death.Text
		if all := stack.Goroutines(o.Death.Stack); len(all) > 0 {
			goroutine = all[0]
		}
	}
	m, ok := stack.Misused(goroutine)
	if !ok {
		return ""
	}
	what, at := "package testing", ""
	if m.Own {
		what = "its t"
	}
	if m.At.At != "" {
		at = " (" + filepath.Base(m.At.At) + ")"
	}
	lines := []string{fmt.Sprintf("the property misuses %s%s: %s", what, at, strings.TrimPrefix(firstLine(text), "allele: "))}
	if advice := remedy(text, m.Call); advice != "" {
		lines = append(lines, advice)
	}
	return strings.Join(append(lines, "no input is to blame, so none is stored"), "\n")
}

// remedy returns what to do about a panic of package testing, or "" if the message says it.
func remedy(text, call string) string {
	has := func(words string) bool { return strings.Contains(text, words) }
	switch {
	case has("t.Parallel called multiple times"):
		return "call t.Parallel before Check, and only once"
	case has("can not use t.Parallel") && call == "Parallel":
		return "call t.Parallel before Check, or not at all: this test sets environment variables or the working directory"
	case has("can not use t.Parallel"):
		return "remove t.Parallel from this test, or pass the setting to the code under test in another way"
	case has("has completed"), has("inside the fuzz target"):
		return "use the t passed to the property"
	case has("synctest bubble"), has("during t.Cleanup"), has("F.Fuzz"):
		return "call " + call + " outside the property"
	}
	return ""
}

// misused reports a run that misused package testing as an error, and returns true. For
// other runs it returns false.
func misused(h *Handler, o property.Outcome) bool {
	h.Prop.TB.Helper()
	text := Misuse(o)
	if text == "" {
		return false
	}
	h.Misused = text
	h.Prop.TB.Error("allele: " + text)
	return true
}
