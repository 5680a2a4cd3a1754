//go:build go1.25

// Package diff shows a change of a few bytes of a Go file as the lines that it touches.
//
//	f := diff.Read(source)        // score: once for each file with faults
//	c, ok := f.Change(fault.Edit) // the lines before and after, in pieces
//	c.Old[0].Fit(columns)         // the same line in a narrow terminal
//
// The one idea: a line consists of tokens, and a token that the change touches is marked as a
// whole. A line that is too long loses whole tokens, those that are far from the change first. So
// a reader never sees half of a name or of a number.
package diff

import (
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/words"
)

// File is the source of a file.
type File struct{ src string }

// Read returns the source of a file, which may be invalid.
func Read(src []byte) *File { return &File{string(src)} }

// Change is the lines that a change touches, without what indents all of them.
type Change struct {
	Line     int // the number of the first one
	Old, New []Line
}

// Line is a line in pieces, without its end.
type Line []Piece

// Piece is a token with the space before it.
type Piece struct {
	Text    string
	Changed bool
	here    bool // something was here before, or comes here: a line of which nothing is changed keeps this token
}

// Change returns the lines that an edit touches. It returns false if the edit was made for
// another source.
func (f *File) Change(e site.Edit) (c Change, ok bool) {
	after, ok := e.Apply(f.src)
	if !ok || e.Old == e.New {
		return c, false
	}
	from := strings.LastIndex(f.src[:e.Offset], "\n") + 1
	c.Line = 1 + strings.Count(f.src[:from], "\n")
	begin, end := whole(f.src[from:], e.Offset-from, e.Offset-from+len(e.Old))
	begin2, end2 := whole(after[from:], e.Offset-from, e.Offset-from+len(e.New))
	before, behind := max(begin, begin2), max(end, end2)
	c.Old = lines(f.src, from, e.Offset-before, e.Offset+len(e.Old)+behind)
	c.New = lines(after, from, e.Offset-before, e.Offset+len(e.New)+behind)
	if strings.TrimSpace(text(c.New)) == "" {
		c.New = nil // a statement is deleted, and nothing else is there
	}
	c.unindent()
	return c, true
}

// Text returns a piece of source that stands alone as lines in which everything is changed.
func Text(src string) []Line {
	c := Change{Old: lines(src, 0, 0, len(src))}
	c.unindent()
	return c.Old
}

// lines returns the lines of a source from the beginning of one to the end of the one that
// contains to. What is between at and to is changed.
func lines(src string, from, at, to int) (all []Line) {
	end := len(src)
	if i := strings.IndexByte(src[to:], '\n'); i >= 0 {
		end = to + i
	}
	last := from
	line := Line{}
	for _, next := range append(tokens(src[from:end]), end-from) {
		next += from
		for text := src[last:next]; ; {
			part, rest, more := strings.Cut(text, "\n")
			stop := last + len(part)
			// An empty change, which only adds, is not marked in the old line.
			if part = strings.TrimSuffix(part, "\r"); part != "" {
				start := last + len(part) - len(strings.TrimLeft(part, " \t"))
				changed := start < to && stop > at && start < stop
				line = append(line, Piece{part, changed, at == to && last <= at && at <= stop})
			}
			if !more {
				last = next
				break
			}
			all, line = append(all, line), Line{}
			text, last = rest, stop+1
		}
	}
	return append(all, line)
}

// whole returns how many bytes of a token are before a part of a source, and how many behind it,
// if the part begins and ends in the middle of tokens.
func whole(src string, from, to int) (before, behind int) {
	end := len(src)
	if i := strings.IndexByte(src[to:], '\n'); i >= 0 {
		end = to + i
	}
	last := 0
	for _, next := range tokens(src[:end]) {
		start := next - len(strings.TrimLeft(src[last:next], " \t\n\r"))
		if start < from && from < next {
			before = from - start
		}
		if start < to && to < next {
			behind = next - to
		}
		last = next
	}
	return before, behind
}

// tokens returns where the tokens of a piece of source end.
func tokens(src string) (ends []int) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, []byte(src), nil, scanner.ScanComments)
	for {
		pos, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return ends
		case tok == token.SEMICOLON && text == "\n":
			continue
		case text == "":
			text = tok.String()
		}
		if end := min(file.Offset(pos)+len(text), len(src)); len(ends) == 0 || end > ends[len(ends)-1] {
			ends = append(ends, end)
		}
	}
}

// tab is what a tab is printed as.
const tab = "    "

// unindent removes the tabs that all lines begin with, and makes spaces of the others.
func (c *Change) unindent() {
	most := -1
	each := func(do func(l Line)) {
		for _, l := range append(append([]Line{}, c.Old...), c.New...) {
			if len(l) > 0 && strings.TrimSpace(l.String()) != "" {
				do(l)
			}
		}
	}
	each(func(l Line) {
		s := l.String()
		if n := len(s) - len(strings.TrimLeft(s, "\t")); most < 0 || n < most {
			most = n
		}
	})
	each(func(l Line) {
		for i, left := 0, most; i < len(l); i++ {
			cut := min(left, len(l[i].Text)-len(strings.TrimLeft(l[i].Text, "\t")))
			l[i].Text = strings.ReplaceAll(l[i].Text[cut:], "\t", tab)
			left -= cut
		}
	})
}

func text(all []Line) (s string) {
	for _, l := range all {
		s += l.String() + "\n"
	}
	return s
}

// String returns the line.
func (l Line) String() string {
	var b strings.Builder
	for _, p := range l {
		b.WriteString(p.Text)
	}
	return b.String()
}

const (
	gap = "…" // stands for tokens that are left out
	// tokenMax is how many bytes of a token are shown. A text in a program may be a book.
	tokenMax = 400
)

// Fit returns the line without the tokens that do not fit into so many columns. The first
// token that is changed stays, however long it is.
func (l Line) Fit(columns int) Line {
	l = l.printable()
	if len(l) == 0 || words.Width(strings.TrimRight(l.String(), " ")) <= columns {
		return l
	}
	from := max(0, slices.IndexFunc(l, func(p Piece) bool { return p.Changed || p.here }))
	to, room := from+1, columns-2*words.Width(gap)-words.Width(l[from].Text)
	fits := func(i int) bool { return i >= 0 && i < len(l) && words.Width(l[i].Text) <= room }
	for to < len(l) && l[to].Changed && fits(to) { // first all that is changed, and then equally on both sides
		room -= words.Width(l[to].Text)
		to++
	}
	for more := true; more; {
		more = false
		if fits(from - 1) {
			from--
			room, more = room-words.Width(l[from].Text), true
		}
		if fits(to) && !(to < len(l) && l[to-1].Changed && l[to].Changed) {
			room, more = room-words.Width(l[to].Text), true
			to++
		}
	}
	var short Line
	if from > 0 {
		short = append(short, Piece{Text: gap})
	}
	short = append(short, l[from:to]...)
	if from > 0 {
		short[1].Text = strings.TrimLeft(short[1].Text, " ")
	}
	if to < len(l) {
		short = append(short, Piece{Text: gap, Changed: l[to].Changed})
	}
	return short
}

// printable returns the line with nothing in it that moves the cursor.
func (l Line) printable() (safe Line) {
	for _, p := range l {
		text := words.Printable(strings.NewReplacer("\t", tab, "\r", "").Replace(p.Text))
		if len(text) > tokenMax {
			text = words.Bounded(text, tokenMax)
		}
		safe = append(safe, Piece{text, p.Changed, p.here})
	}
	return safe
}
