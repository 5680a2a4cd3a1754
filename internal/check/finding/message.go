//go:build go1.25

package finding

import (
	"path"
	"runtime"
	"strings"

	"github.com/allele-go/allele/internal/words"
)

// partMax bounds what a gist takes from a line after the first, in bytes.
const partMax = 100

// gist returns the part of a failure message that says what is wrong, in one line. It is
// the first line that is not empty, except for assertion libraries that put a file, a
// heading or a label there.
func gist(text string) string {
	if s := testifyError(text); s != "" {
		return s
	}
	lines := filled(strings.Split(text, "\n"))
	if s := section(lines, "error:"); s != "" { // quicktest
		return s
	}
	return headed(lines)
}

// testifyError returns the error of a message that testify formatted:
//
//	Error Trace:	/home/me/x_test.go:13
//	Error:      	Not equal:
//	            	expected: 1
//	            	actual  : 2
//	Test:       	TestX
func testifyError(text string) string {
	_, labels, ok := strings.Cut(text, "\tError Trace:")
	if !ok {
		return ""
	}
	_, rest, ok := strings.Cut(labels, "\n\tError:")
	if !ok {
		return ""
	}
	var lines []string
	for i, line := range strings.Split(rest, "\n") {
		if i > 0 && !strings.HasPrefix(line, "\t ") {
			break // the next label
		}
		lines = append(lines, line)
	}
	if lines = filled(lines); len(lines) == 0 {
		return ""
	}
	if len(lines) > 2 {
		expected, ok1 := strings.CutPrefix(lines[1], "expected:")
		actual, ok2 := strings.CutPrefix(lines[2], "actual  :")
		if ok1 && ok2 {
			return lines[0] + " expected:" + words.Bounded(expected, partMax) + ", actual:" + words.Bounded(actual, partMax)
		}
	}
	return headed(lines)
}

// library is the folder of this library, as it is printed in stacks.
var library = func() string {
	_, file, _, _ := runtime.Caller(0)
	return file[:strings.LastIndex(file, "/internal/")]
}()

// ownTrace removes the frames below the property from the error trace of a message that
// testify formatted. They are functions of this library and of the runtime.
func ownTrace(text string) string {
	before, rest, ok := strings.Cut(text, "\tError Trace:")
	if !ok {
		return text
	}
	var b strings.Builder
	b.WriteString(before + "\tError Trace:")
	in := true // in the trace, until the next label
	for i, line := range strings.SplitAfter(rest, "\n") {
		in = in && (i == 0 || strings.HasPrefix(line, "\t "))
		frame := strings.TrimSpace(line)
		ours := path.Dir(frame) == library && !strings.Contains(frame, "_test.go:")
		if !in || i == 0 || !ours && !strings.Contains(frame, "/runtime/asm_") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// filled returns the lines that are not empty, without surrounding space.
func filled(lines []string) (some []string) {
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			some = append(some, line)
		}
	}
	return some
}

// section returns the line after a heading, if the first line of the message is a heading
// of this kind too: a colon after one word in lower case.
func section(lines []string, heading string) string {
	if len(lines) == 0 || lines[0] != heading && lines[0] != "comment:" {
		return ""
	}
	for i, line := range lines[:len(lines)-1] {
		if line == heading {
			return lines[i+1]
		}
	}
	return ""
}

// headed returns the first line. If it is a heading, with a colon at its end, the line
// after it follows, or the first difference if a diff follows.
func headed(lines []string) string {
	if len(lines) == 0 {
		return "no message"
	}
	first, rest := lines[0], lines[1:]
	if !strings.HasSuffix(first, ":") || len(rest) == 0 {
		return first
	}
	if strings.Contains(first, "-want") || strings.HasPrefix(rest[0], "---") {
		return first + difference(rest)
	}
	return first + " " + words.Bounded(rest[0], partMax)
}

// difference returns the first removed and the first added line of a diff.
func difference(lines []string) (text string) {
	for _, sign := range []string{"-", "+"} {
		for _, line := range lines {
			if strings.HasPrefix(line, sign) && !strings.HasPrefix(line, sign+sign+sign) {
				text += " " + words.Bounded(strings.Join(strings.Fields(line), " "), partMax)
				break
			}
		}
	}
	return text
}
