package finding

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/ops/words"
	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/stack"
)

// Sign tells failures apart: how a run failed, and where. Shrinking keeps to one
// sign, so that it does not stray from one bug into another, and of all inputs with
// one sign a campaign shows one.
//
//	failed tree_test.go:13
//	panic tree.(*Tree).Insert tree.go:31: index out of range
//	cut tree.(*Tree).Walk
//	exit 3
//
// It is made of what the program is and of nothing that an input is: a message that
// quotes its input would make one bug into as many as there are inputs. So only the
// runtime's own words are in it, without their numbers. The place of a panic is one
// frame, however it was reached: a callee with several callers has one bug.
func Sign(o property.Outcome) string {
	where := ""
	switch {
	case o.Hung: // caught anywhere
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
	default:
		where = o.At
	}
	return oneLine(string(o.Kind()) + " " + where)
}

// deathSign tells deaths of one kind apart. What takes all memory does so where chance
// has it, and so is caught what hangs or was killed.
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
		if text := faceless(firstLine(d.Text)); !strings.Contains(text, "stack") {
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

// raceSign names the functions of both sides. Which one comes first is chance.
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

// panicSign is where a panic came from, and what the runtime says if it was its own.
func panicSign(text string, fs []stack.Frame) string {
	if words, ok := strings.CutPrefix(firstLine(text), "runtime error: "); ok {
		return frameSign(fs) + ": " + faceless(words)
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
	// An index may be below 0 or too large, a type unhashable: which one, the input decides.
	decided = regexp.MustCompile(`^(.*?)( \[.*|(\btype\b).*)`)
)

// faceless takes from a text what differs from one input to the next.
func faceless(text string) string {
	text = decided.ReplaceAllString(text, "$1$3")
	return numbers.ReplaceAllString(quoted.ReplaceAllString(text, "#"), "#")
}

// recursion names a stack that has overflowed: by the first, in the order of the
// alphabet, of the functions that are in it again and again. Which of them was on
// top is chance, and so is who had been called from there.
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

// oneLine makes a sign fit for a line of a file.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	return words.Bounded(s, signMax)
}
