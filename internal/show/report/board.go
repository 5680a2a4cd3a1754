//go:build go1.25

package report

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/allele-go/allele/internal/words"
)

// Board shows how far the faults of packages have been judged: as a table that is redrawn in
// place, or without a terminal as a line for each package that is done.
//
//	b := report.NewBoard(conf, []string{"tree", "lang"}, status)
//	b.Set(0, report.Tally{Judged: 12, Total: 40, Killed: 9})
//	b.Tick(now)  // some time has passed: redraw what has changed
//	b.Close()    // restore the terminal
//
// Several goroutines may use it.
type Board struct {
	view
	mu     sync.Mutex
	screen screen
	rows   []boardRow
	drawn  time.Time
	wrote  struct{ head, end bool }
	status func(now time.Time) string
}

// Tally is how far the faults of a package have been judged.
type Tally struct {
	Judged, Total, Killed int
	State                 string // what is being done, or the result
	Done                  bool
}

type boardRow struct {
	name string
	Tally
	begun bool
}

// NewBoard returns a board for packages with these names. status says the state of all of them together; nil says nothing.
func NewBoard(c Config, names []string, status func(now time.Time) string) *Board {
	b := &Board{view: New(c).view, status: status}
	for _, n := range names {
		b.rows = append(b.rows, boardRow{name: words.Printable(n), Tally: Tally{State: "waiting"}})
	}
	return b
}

// Set replaces what is known about a package.
func (b *Board) Set(i int, t Tally) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t.State = words.Printable(t.State)
	ended := t.Done && !b.rows[i].Done
	b.rows[i].Tally, b.rows[i].begun = t, true
	if ended && b.Mode == Plain {
		width := b.Columns()
		if !b.wrote.head {
			b.wrote.head = true
			fmt.Fprintln(b.Out, b.head(width))
		}
		fmt.Fprintln(b.Out, b.row(b.rows[i], width))
	}
}

// Columns returns how many columns of the terminal can be used.
func (b *Board) Columns() int {
	columns, _ := b.size()
	return columns
}

// Tick redraws the table if something in it has changed.
func (b *Board) Tick(now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.now = now; b.started.IsZero() {
		b.started = now
	}
	b.draw("")
}

// Close draws the table for the last time and restores the terminal.
func (b *Board) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.wrote.end || b.Mode != Live {
		return
	}
	b.wrote.end = true
	columns, rows := b.size()
	lines := []string{b.head(columns)}
	for _, r := range b.rows {
		lines = append(lines, b.row(r, columns))
	}
	b.Out.Write(b.screen.end(strings.Join(lines, "\n"), columns, rows))
}

// Stderr returns a writer for other texts, which are written above the table if they go to its
// terminal.
func (b *Board) Stderr() io.Writer { return besideBoard{b} }

type besideBoard struct{ *Board }

// Terminal reports whether the writer is a terminal.
func (b besideBoard) Terminal() bool { return terminal(b.Err) != nil }

func (b besideBoard) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.Mode != Live || b.Apart || b.wrote.end || b.started.IsZero() {
		return b.Err.Write(p)
	}
	b.drawn = time.Time{}
	b.draw(words.Printable(string(p)))
	return len(p), nil
}

func (b *Board) draw(above string) {
	if b.Mode != Live || b.wrote.end || !b.drawn.IsZero() && b.now.Sub(b.drawn) < DrawEvery {
		return
	}
	columns, rows := b.size()
	if out := b.screen.draw(above, b.frame(columns, rows), columns, rows); len(out) > 0 {
		b.drawn = b.now
		b.Out.Write(out)
	}
}

// frame returns the lines that are redrawn: packages that are being judged come first, then
// those that wait, then the others.
func (b *Board) frame(width, height int) []string {
	var groups [3][]boardRow
	done := 0
	for _, r := range b.rows {
		at := 0
		switch {
		case r.Done:
			at = 2
			done++
		case !r.begun:
			at = 1
		}
		groups[at] = append(groups[at], r)
	}
	all, other := "", 4 // lines for the titles, the rest, the time and the cursor
	if b.status != nil {
		all = b.status(b.now)
		other++
	}
	room := max(0, height-other)
	shown := b.rows
	if len(shown) > room {
		shown = append(append(groups[0], groups[1]...), groups[2]...)[:room]
	}
	lines := []string{b.head(width)}
	for _, r := range shown {
		lines = append(lines, b.row(r, width))
	}
	if n := len(b.rows) - len(shown); n > 0 {
		lines = append(lines, b.paint(faint, words.Cut(fmt.Sprintf("and %d more", n), width)))
	}
	status := clock(b.now.Sub(b.started))
	if len(b.rows) > 1 {
		status += fmt.Sprintf(" · %d of %s done", done, words.Count(len(b.rows), "package"))
	}
	if all != "" {
		lines = append(lines, words.Cut(words.Printable(all), width))
	}
	lines = append(lines, words.Cut(status+" · ctrl-c to stop and keep everything", width))
	return lines[max(0, len(lines)-max(1, height-1)):]
}

const (
	judgedWidth = 15
	killedWidth = 9
	stateShare  = 3 // a state may take a third of the line
)

func (b *Board) nameWidth(width int) int {
	longest := len("package")
	for _, r := range b.rows {
		longest = max(longest, words.Width(r.name))
	}
	return max(8, min(longest, width-judgedWidth-killedWidth-width/stateShare))
}

func (b *Board) head(width int) string {
	line := words.Left("package", b.nameWidth(width)) + words.Right("judged", judgedWidth) + words.Right("killed", killedWidth)
	return b.paint(faint, words.Cut(line, width))
}

func (b *Board) row(r boardRow, width int) string {
	name := b.nameWidth(width)
	judged, killed := "-", "-"
	if r.Total > 0 {
		judged, killed = words.Group(r.Judged)+" of "+words.Group(r.Total), words.Group(r.Killed)
	}
	line := words.Left(words.Fit(r.name, name), name) + words.Right(judged, judgedWidth) + words.Right(killed, killedWidth)
	line = words.Cut(line+"  "+r.State, width)
	if !r.begun {
		return b.paint(faint, line)
	}
	return strings.TrimRight(line, " ")
}
