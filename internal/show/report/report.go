//go:build go1.25

// Package report shows a campaign to people and programs while it runs.
//
// Its only input is events. It shows them in one of three modes: as a table that is
// redrawn in place, as plain lines if there is no terminal, or as JSON.
//
//	r := report.New(report.Config{Out: os.Stdout, Err: os.Stderr, Mode: report.Live, ...})
//	r.Show(e)       // this happened
//	r.Tick(now)     // some time has passed: redraw what changed
//	r.Close()       // restore the terminal
//
// The one idea: the state of the properties (suite) is separate from how it is shown. A
// frame is the table as lines of text. Each frame is made from scratch for the current
// size of the terminal, and the type screen finds out which lines differ from the
// previous frame. So nothing is left over from earlier frames, and a terminal that was
// resized needs no code of its own.
//
// Texts are written above the table and scroll away like any output; the table moves
// down. When the campaign is over the table stays, and a summary shows the result of each
// property and what to run next.
package report

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/words"
)

// Mode is how a campaign is shown.
type Mode int

// The modes. Plain is for files, pipes and terminals that cannot move their cursor.
const (
	Plain Mode = iota // a line for each change
	Live              // a table that is redrawn in place
	JSON              // the events
)

// Config is where and how a campaign is shown.
type Config struct {
	Out, Err io.Writer
	Mode     Mode
	Apart    bool                       // Err is not a terminal, or not the same one as Out
	Size     func() (columns, rows int) // the current size of the terminal; 80 and 24 if nil
	Colour   bool
	Verbose  bool
	Resumes  bool                          // the same command would continue the search
	Default  bool                          // the campaign has the default budget
	Commands Commands                      // the beginnings of the commands that are shown
	Where    func(pkg string) string       // returns the argument that selects a package in a go command
	File     func(pkg, file string) string // returns the path of a file of a package, for a command
	Place    func(id uint32) string        // returns a description of a site; "" if there is no such site
}

// Commands is the beginnings of command lines. Each ends with a space. The zero value is
// replaced by commands without flags.
type Commands struct{ GoTest, Test, Show, Name string }

// Report shows a campaign. Several goroutines may use it.
type Report struct {
	view
	mu      sync.Mutex
	screen  screen
	pending strings.Builder // text that is not yet written
	drawn   time.Time       // time of the last redraw
	chosen  int             // how many properties -since has chosen so far
	headed  bool            // the titles above the plain lines were written
	heading string          // the property that the last text above the table is about
	over    bool            // the table is no longer redrawn
}

// view is the state of a campaign. Its methods make tables and lines for a given width,
// and write nothing.
type view struct {
	Config
	suite   suite
	started time.Time
	now     time.Time // time of the last event or tick
	budget  float64
	workers int
	stopped bool // the campaign was stopped, and the text that says so has the command to go on
}

// DrawEvery is the minimal time between two redraws of the table: people cannot read
// faster changes, and a slow connection to the terminal must not delay the search.
const DrawEvery = 100 * time.Millisecond

// New returns a report.
func New(c Config) *Report {
	if c.Size == nil {
		c.Size = func() (int, int) { return defaultColumns, defaultRows }
	}
	if c.Commands == (Commands{}) {
		c.Commands = Commands{"go test ", "go tool allele test ", "go tool allele show ", "go tool allele "}
	}
	if c.Where == nil {
		c.Where = func(pkg string) string { return pkg }
	}
	if c.File == nil {
		c.File = func(_, file string) string { return file }
	}
	if c.Place == nil {
		c.Place = func(uint32) string { return "" }
	}
	return &Report{view: view{Config: c}}
}

// Show shows an event now or at the next redraw.
func (r *Report) Show(e event.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Mode == JSON {
		if line, err := event.Line(e); err == nil {
			r.Out.Write(line)
		}
		return
	}
	if e.Time.After(r.now) {
		r.now = e.Time
	}
	r.print(r.suite.update(e), e)
	r.flush()
}

// Tick redraws the table if something in it has changed.
func (r *Report) Tick(now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now.After(r.now) {
		r.now = now
	}
	r.flush()
}

// Close draws the table for the last time and restores the terminal.
func (r *Report) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.end()
}

// Stderr returns a writer for texts that are not events. If they go to the terminal of
// the table, they are written above the table.
func (r *Report) Stderr() io.Writer { return beside{r} }

type beside struct{ *Report }

// Terminal reports whether the writer is a terminal.
func (b beside) Terminal() bool { return terminal(b.Err) != nil }

func (b beside) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.Mode != Live || b.Apart {
		return b.Err.Write(p)
	}
	b.say("%s", words.Printable(string(p)))
	b.flush()
	return len(p), nil
}

// say writes to standard output. The caller must have escaped texts of the user's
// program.
func (r *Report) say(format string, args ...any) {
	fmt.Fprintf(&r.pending, format, args...)
}

// warn writes to standard error or, if standard error is the terminal of the table, above
// the table.
func (r *Report) warn(format string, args ...any) {
	if r.Mode == Live && !r.Apart {
		r.say("allele test: "+format+"\n", args...)
		r.heading = ""
		return
	}
	if r.Mode == Plain {
		r.flush() // keeps the order of the texts if both outputs go to the same place
	}
	fmt.Fprintf(r.Err, "allele test: "+format+"\n", args...)
}

// flush writes the pending text, and redraws the table if DrawEvery has passed.
func (r *Report) flush() {
	if r.Mode == Live && !r.over && r.live() {
		if !r.drawn.IsZero() && r.now.Sub(r.drawn) < DrawEvery {
			return
		}
		columns, rows := r.size()
		if out := r.screen.draw(r.pending.String(), r.frame(columns, rows), columns, rows); len(out) > 0 {
			r.drawn = r.now
			r.Out.Write(out)
		}
	} else if r.pending.Len() > 0 {
		io.WriteString(r.Out, r.pending.String())
	}
	r.pending.Reset()
}

// live reports whether there is something to redraw.
func (v *view) live() bool { return !v.started.IsZero() && len(v.suite.rows) > 0 }

// end replaces the table with a final table of all properties.
func (r *Report) end() {
	if r.over {
		return
	}
	if r.over = true; r.Mode == Live && r.live() {
		columns, rows := r.size()
		above := r.pending.String()
		r.pending.Reset()
		for _, line := range r.table(r.suite.rows, columns) {
			r.say("%s\n", line)
		}
		r.Out.Write(r.screen.end(above+r.pending.String(), columns, rows))
		r.pending.Reset()
	}
	r.flush()
}

const (
	defaultColumns = 80
	defaultRows    = 24
	columnsMin     = 20 // a terminal that reports fewer columns does not know its size
)

// size returns the size of the terminal without the last column: a character there makes
// some terminals start a new line and others not.
func (v *view) size() (columns, rows int) {
	columns, rows = v.Size()
	if columns < columnsMin {
		columns = defaultColumns
	}
	if rows < 1 {
		rows = defaultRows
	}
	return columns - 1, rows
}
