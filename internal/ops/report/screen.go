package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/words"
)

// screen is the lines at the end of a terminal that are redrawn in place. The cursor
// rests at the beginning of the line below them.
type screen struct {
	lines   []string // as they stand there
	columns int
	hidden  bool // the cursor is
}

// A screen that is erased from its first place on is kept by tmux, as a page that
// was read. So eraseBelow, which begins and ends at the beginning of a line, erases
// from the second place on.
const (
	hideCursor = "\x1b[?25l"
	showCursor = "\x1b[?25h"
	eraseBelow = " \x1b[J\r"
	eraseRight = "\x1b[K"
)

// draw gives what must be written so that the lines stand there, below a text that
// stays; nothing if they do already. Lines that have not changed are not sent.
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
	anew := above != "" || columns != s.columns
	if anew {
		b.WriteString(eraseBelow + whole(above))
	}
	for i, line := range lines {
		if anew || i >= len(s.lines) || line != s.lines[i] {
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

// end gives what must be written so that a text stands there instead, and the cursor
// below it as it was before.
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

// home moves to the first of the lines. A terminal that has become narrower has
// folded them, as nearly all do; in one that cuts them off instead a few lines above
// the table are lost, which is better than a piece of an old table at every step of
// making a window smaller. What has left the screen at the top cannot be reached.
func (s *screen) home(b *strings.Builder, columns, rows int) {
	up := 0
	for _, line := range s.lines {
		up += max(1, (words.Width(unpainted(line))+columns)/(columns+1)) // the last column is left out of columns
	}
	if up = min(up, rows-1); up > 0 {
		fmt.Fprintf(b, "\x1b[%dA", up)
	}
	b.WriteByte('\r')
}

// whole ends a text with a line.
func whole(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// Colours repeat what the words say, for those who look before they read.
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

// unpainted is a line without its colours.
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

// colourOf is that of a state.
func colourOf(p *row) string {
	switch {
	case p.bad():
		return red
	case p.wrong() == "" && (p.ended || p.State == event.Exhausted):
		return green
	case p.wrong() == event.Aborted || p.wrong() == "" && p.State == event.Quiet:
		return yellow
	}
	return faint
}
