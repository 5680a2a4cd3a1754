//go:build go1.25

package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/words"
)

// screen is the lines at the end of a terminal that are redrawn in place. The cursor
// rests at the beginning of the line below them.
type screen struct {
	lines   []string // the lines that the terminal shows
	columns int
	hidden  bool // the cursor is hidden
}

// If a program erases the screen from its first position, tmux adds the old screen to its
// history. So eraseBelow writes a space and erases from the second position. It must be
// written at the beginning of a line, and returns the cursor there.
const (
	hideCursor = "\x1b[?25l"
	showCursor = "\x1b[?25h"
	eraseBelow = " \x1b[J\r"
	eraseRight = "\x1b[K"
)

// draw returns the bytes that make the terminal show the text above, which stays, and
// below it the lines. It leaves out lines that have not changed. It returns nothing if
// there is no text and the terminal shows the lines already.
func (s *screen) draw(above string, lines []string, columns, rows int) []byte {
	if above == "" && columns == s.columns && slices.Equal(lines, s.lines) {
		return nil
	}
	var b strings.Builder
	if !s.hidden {
		s.hidden = true
		b.WriteString(hideCursor)
	}
	s.home(&b, columns, rows)
	all := above != "" || columns != s.columns
	if all {
		b.WriteString(eraseBelow + whole(above))
	}
	for i, line := range lines {
		if all || i >= len(s.lines) || line != s.lines[i] {
			b.WriteString(line + eraseRight)
		}
		b.WriteByte('\n')
	}
	if len(lines) < len(s.lines) {
		b.WriteString(eraseBelow)
	}
	s.lines, s.columns = slices.Clone(lines), columns
	return []byte(b.String())
}

// end returns the bytes that replace the lines with a text and show the cursor below the
// text.
func (s *screen) end(text string, columns, rows int) []byte {
	var b strings.Builder
	s.home(&b, columns, rows)
	b.WriteString(eraseBelow + whole(text))
	if s.hidden {
		b.WriteString(showCursor)
	}
	*s = screen{}
	return []byte(b.String())
}

// home moves the cursor to the first of the lines. It assumes that a terminal that has
// become narrower has wrapped the lines, as nearly all terminals do. In a terminal that
// truncates lines instead, a few lines above the table are lost; that is better than a
// piece of an old table at every step while the user shrinks the window. Lines that have
// scrolled out at the top cannot be reached.
func (s *screen) home(b *strings.Builder, columns, rows int) {
	up := 0
	for _, line := range s.lines {
		up += max(1, (words.Width(unpainted(line))+columns)/(columns+1)) // columns is one less than the width of the terminal
	}
	if up = min(up, rows-1); up > 0 {
		fmt.Fprintf(b, "\x1b[%dA", up)
	}
	b.WriteByte('\r')
}

// whole returns a text with a newline at its end.
func whole(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// The colours. They add no information to the words.
const (
	red    = "31;1"
	green  = "32"
	yellow = "33"
	faint  = "2"
)

func (v *view) paint(colour, s string) string {
	if !v.Colour || s == "" || colour == "" {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

// unpainted returns a line without its colours.
func unpainted(s string) string {
	for {
		from := strings.Index(s, "\x1b[")
		if from < 0 {
			return s
		}
		to := strings.IndexByte(s[from:], 'm')
		if to < 0 {
			return s
		}
		s = s[:from] + s[from+to+1:]
	}
}

// colourOf returns the colour of the state of a property.
func colourOf(p *row) string {
	switch {
	case p.bad():
		return red
	case p.wrong() == "" && (p.end != nil || p.State == event.Exhausted):
		return green
	case p.wrong() == event.Aborted || p.wrong() == "" && p.State == event.Quiet:
		return yellow
	}
	return faint
}
