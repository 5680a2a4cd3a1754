//go:build go1.25

package score

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/allele-go/allele/internal/score/diff"
	"github.com/allele-go/allele/internal/words"
)

// Style is how a report is printed.
type Style struct {
	Columns  int // width of the terminal; 0 means 80
	Colour   bool
	All      bool // all survivors, and not only the first
	Verbose  bool // the reasons of declined places, and the members of the suite
	Relative func(file string) string
	Source   func(file string) ([]byte, error)
	Where    func(pkg string) string // the argument that selects a package in a command
	Test     string                  // the beginning of an allele test command; ends with a space
	Score    string                  // the same of allele score; "" means without flags
}

const (
	columnsDefault = 80
	columnsMin     = 40
	labelWidth     = 12
)

func newText(r Report, style Style) *text {
	t := &text{Style: style, report: r, sources: map[string]*diff.File{}}
	t.Columns = max(cmp.Or(t.Columns, columnsDefault), columnsMin)
	t.Score = cmp.Or(t.Score, "go tool allele score ")
	return t
}

// text is a report while it is printed.
type text struct {
	Style
	strings.Builder
	report  Report
	sources map[string]*diff.File
	one     bool // a fault alone, with its whole input below
}

func (t *text) line(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }

// labelled prints a text behind a label, and wraps it.
func (t *text) labelled(label, s string) {
	for i, line := range wrap(s, t.Columns-labelWidth) {
		if i > 0 {
			label = ""
		}
		t.line("%s%s", t.paint(faint, words.Left(label, labelWidth)), line)
	}
}

// wrap splits a text into lines of at most so many columns, if it has no longer words.
func wrap(s string, columns int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(s) {
		switch {
		case line == "":
			line = word
		case words.Width(line)+1+words.Width(word) <= columns:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}

// The colours. They add no information to the words.
const (
	bold  = "1"
	faint = "2"
	red   = "31"
	green = "32"
)

func (t *text) paint(colour, s string) string {
	if !t.Colour || s == "" || colour == "" {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

func blank(columns int) string { return strings.Repeat(" ", columns) }

// oneLine makes source printable in one line.
func oneLine(s string) string {
	return words.Printable(strings.NewReplacer("\t", " ", "\n", " ", "\r", "").Replace(s))
}

func (t *text) relative(file string) string {
	if t.Relative == nil {
		return file
	}
	return t.Relative(file)
}

func (t *text) where(pkg string) string {
	if t.Where == nil {
		return pkg
	}
	return t.Where(pkg)
}
