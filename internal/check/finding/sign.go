//go:build go1.25

package finding

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/stack"
	"github.com/allele-go/allele/internal/words"
)

// Sign identifies a failure by how a run failed, and where. Shrinking keeps the sign, so
// that the shrunk input shows the same bug. A campaign reports one input for each
// sign.
//
//	failed tree_test.go:13
//	failed png_test.go:20: AddressSanitizer: heap-buffer-overflow 7c1e55
//	panic tree.(*Tree).Insert tree.go:31: index out of range
//	cut tree.(*Tree).Walk
//	exit 3
//
// A sign depends on the program and never on the input: a message that quotes its input
// would turn one bug into as many signs as there are inputs. So a sign contains only
// messages of the runtime, without their numbers. The place of a panic is one frame, not
// its callers, because a bug in a function with several callers is one bug.
func Sign(o property.Outcome) string {
	where := ""
	switch {
	case o.Hung: // the place where the run was when time ran out is random
	case o.Death != nil:
		where = deathSign(o.Death)
	case o.Cut != nil && o.Cut.Overflow != "":
		where = "stack overflow " + recursion(stack.All(o.Cut.Overflow))
	case o.Cut != nil:
		where = o.Cut.Loop
	case o.Panic != nil:
		where = panicSign(o.Panic.Text, stack.Origin(o.Panic.Stack))
	case o.Outer != "":
		where = o.Outer
	case o.Sign != "":
		where = o.At + ": " + o.Sign
	default:
		where = o.At
	}
	return oneLine(string(o.Kind()) + " " + where)
}

// deathSign distinguishes deaths of one kind by their place. Runs that use up the memory,
// hang or are killed have no place in their sign, because where they stop is chance.
func deathSign(d *property.Death) string {
	switch d.Kind {
	case proc.Panic:
		return panicSign(d.Text, d.Frames())
	case proc.Exit:
		return strconv.Itoa(d.Code)
	case proc.Deadlock:
		return frameSign(d.Frames())
	case proc.Race:
		return raceSign(d)
	case proc.Fatal:
		if text := withoutInput(firstLine(d.Text)); !strings.Contains(text, "stack") {
			return frameSign(d.Frames()) + ": " + text
		}
		for _, g := range stack.Goroutines(d.Stack) {
			if name := recursion(stack.All(g)); name != "" {
				return "stack overflow " + name
			}
		}
		return "stack overflow"
	}
	return ""
}

// raceSign names the functions of both sides of a data race, sorted, because which side comes
// first is chance.
func raceSign(d *property.Death) string {
	var sides []string
	for _, g := range stack.Goroutines(d.Stack) {
		fs, _ := stack.User(g)
		if f, ok := stack.Culprit(fs); ok && len(sides) < 2 {
			sides = append(sides, f.Function())
		}
	}
	slices.Sort(sides)
	return strings.Join(sides, " ")
}

// panicSign returns the place of a panic, and the message if the runtime panicked.
func panicSign(text string, fs []stack.Frame) string {
	if words, ok := strings.CutPrefix(firstLine(text), "runtime error: "); ok {
		return frameSign(fs) + ": " + withoutInput(words)
	}
	return frameSign(fs)
}

func frameSign(fs []stack.Frame) string {
	if f, ok := stack.Culprit(fs); ok {
		return f.Function() + " " + filepath.Base(f.At)
	}
	return "unknown place"
}

var (
	quoted  = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`")
	numbers = regexp.MustCompile(`0x[0-9a-fA-F]+|-?[0-9]+`)
	// decided matches the part of a message that names the index that is out of range, or
	// the type that is unhashable. That part depends on the input.
	decided = regexp.MustCompile(`^(.*?)( \[.*|(\btype\b).*)`)
)

// withoutInput removes from a message the parts that depend on the input.
func withoutInput(text string) string {
	text = decided.ReplaceAllString(text, "$1$3")
	return numbers.ReplaceAllString(quoted.ReplaceAllString(text, "#"), "#")
}

// recursion returns the name for a stack that has overflowed: the alphabetically first of
// the functions that occur in it repeatedly. Which of them is on top is chance, and so
// are the functions called from there.
func recursion(fs []stack.Frame) (name string) {
	times := map[string]int{}
	for _, f := range fs {
		n := f.Function()
		if times[n]++; times[n] == 2 && !f.Std() && (name == "" || n < name) {
			name = n
		}
	}
	return name
}

// signMax bounds a sign: names of generic functions may be of any length.
const signMax = 200

// oneLine makes a sign fit on one line of a file.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	return words.Bounded(s, signMax)
}
