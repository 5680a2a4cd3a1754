//go:build go1.25

package report

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/words"
)

// emulator emulates a terminal, as far as reports need one. It keeps lines that have
// scrolled out at the top, and fails the test at an unknown escape sequence.
type emulator struct {
	t             *testing.T
	columns, rows int
	folds         bool // wraps long lines when it becomes narrower; otherwise truncates them
	lines         []physical
	top           int // the first line on the screen
	y, x          int // of the cursor; x may be one too far, until the next character
	hidden        bool
	writes        int
}

// physical is a line of the screen. A line that was too long continues in the next one.
type physical struct {
	text []rune
	goes bool
}

func newEmulator(t *testing.T, columns, rows int) *emulator {
	return &emulator{t: t, columns: columns, rows: rows, folds: true, lines: make([]physical, 1)}
}

func (m *emulator) size() (columns, rows int) { return m.columns, m.rows }

var sequence = regexp.MustCompile(`^\x1b\[(\?25[lh]|[0-9;]*[AJKm])`)

func (m *emulator) Write(p []byte) (int, error) {
	m.writes++
	for s := string(p); s != ""; {
		if found := sequence.FindString(s); found != "" {
			m.control(found[2:])
			s = s[len(found):]
			continue
		}
		r := []rune(s)[0]
		m.put(r)
		s = s[len(string(r)):]
	}
	return len(p), nil
}

func (m *emulator) put(r rune) {
	m.t.Helper()
	switch {
	case r == '\r':
		m.x = 0
	case r == '\n':
		m.x = 0 // the system adds a carriage return
		m.down()
	case r == '\t':
		m.x = min(m.x+8-m.x%8, m.columns-1)
	case r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0:
		m.t.Fatalf("a terminal was sent %q", r)
	default:
		w := words.Width(string(r))
		if m.x+w > m.columns {
			m.lines[m.y].goes = true
			m.down()
			m.x = 0
		}
		line := &m.lines[m.y]
		for len(line.text) < m.x+w {
			line.text = append(line.text, ' ')
		}
		line.text[m.x] = r
		if w == 2 {
			line.text[m.x+1] = 0
		}
		m.x += w
	}
}

func (m *emulator) down() {
	if m.y++; m.y == len(m.lines) {
		m.lines = append(m.lines, physical{})
	}
	m.top = max(m.top, m.y-m.rows+1)
}

func (m *emulator) control(s string) {
	n, _ := strconv.Atoi(s[:len(s)-1])
	switch {
	case s == "?25l" || s == "?25h":
		m.hidden = s == "?25l"
	case strings.HasSuffix(s, "m"):
	case strings.HasSuffix(s, "A"):
		m.y = max(m.top, m.y-max(1, n))
	case s == "K":
		m.erase()
	case s == "J" && m.x == 0 && m.y == m.top: // tmux adds a screen that is erased as a whole to its history
		m.y = len(m.lines)
		m.top, m.lines = m.y, append(m.lines, physical{})
	case s == "J":
		m.erase()
		m.lines = m.lines[:m.y+1]
	default:
		m.t.Fatalf("a terminal was sent ESC[%s", s)
	}
}

func (m *emulator) erase() {
	line := &m.lines[m.y]
	line.text, line.goes = line.text[:min(m.x, len(line.text))], false
}

// resize behaves like a terminal: it wraps or truncates long lines, and the cursor keeps
// its position in its line.
func (m *emulator) resize(columns, rows int) {
	var all []physical
	y := 0
	for i := 0; i < len(m.lines); i++ {
		at, x := m.y == i, m.x
		line := slices.Clone(m.lines[i].text)
		for m.folds && m.lines[i].goes {
			i++
			if m.y == i {
				at, x = true, len(line)+m.x
			}
			line = append(line, m.lines[i].text...)
		}
		if at {
			y = len(all)
			for m.folds && x > columns {
				y, x = y+1, x-columns
			}
			m.x = min(x, columns)
		}
		for m.folds && len(line) > columns {
			all = append(all, physical{line[:columns:columns], true})
			line = line[columns:]
		}
		all = append(all, physical{text: line[:min(len(line), columns)]})
	}
	m.lines, m.y, m.columns, m.rows = all, y, columns, rows
	m.top = max(0, m.y-m.rows+1)
}

// text returns all lines, with those that have scrolled out at the top.
func (m *emulator) text() string {
	var b strings.Builder
	for _, l := range m.lines {
		fmt.Fprintln(&b, strings.TrimRight(strings.ReplaceAll(string(l.text), "\x00", ""), " "))
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// screen returns the visible lines.
func (m *emulator) screen() string {
	seen := *m
	seen.lines = m.lines[m.top:]
	return seen.text()
}
