// Package report shows a campaign to people and programs while it runs.
//
// It is told events and nothing else, and shows them in one of three ways: as a
// table that is redrawn in place, as plain lines where there is no terminal, or
// as they are, in JSON.
//
//	r := report.New(report.Config{Out: os.Stdout, Err: os.Stderr, Mode: report.Live, ...})
//	r.Show(e)       // this happened
//	r.Tick(now)     // some time has passed: redraw what changed
//	r.Close()       // leave the terminal as it was
//
// The one idea: what is known of the properties (suite) does not know how it is
// shown. A frame is made of it from nothing each time, for the size the terminal
// has now, and the screen finds out which lines of it are other than before. So
// nothing is left over from earlier frames, and a terminal that was resized needs
// no code of its own.
//
// Texts are written above the table and scroll away like any output; the table
// moves down. When the campaign is over the table stays, and the summary says for
// each property how it stands and what to run next.
package report

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/words"
)

// Mode is how a campaign is shown.
type Mode int

// Plain is for files, pipes and terminals that cannot move their cursor.
const (
	Plain Mode = iota // a line for each change
	Live              // a table that is redrawn in place
	JSON              // the events
)

// Config says where and how to show a campaign.
type Config struct {
	Out, Err io.Writer
	Mode     Mode
	Apart    bool                       // Err is not the terminal that Out is, or none
	Size     func() (columns, rows int) // of the terminal, now; 80 and 24 if nil
	Colour   bool
	Verbose  bool
	Resumes  bool                    // the same command goes on from here
	Flags    string                  // for the commands that are shown, with a space behind
	Where    func(pkg string) string // a package as the go command takes it
	Place    func(id uint32) string  // a site in words, "" if there is none
}

// Report shows a campaign. Several goroutines may use it.
type Report struct {
	view
	mu      sync.Mutex
	screen  screen
	pending strings.Builder // said, and not yet written
	drawn   time.Time       // of the last redraw
	chosen  int             // properties that a change touches
	headed  bool            // the line above all properties was shown
	heading string          // of the property that was last spoken of above the table
	over    bool            // the table is no longer redrawn
}

// view is what is known of a campaign. Its methods make tables and lines of that for a
// given width, and write nothing.
type view struct {
	Config
	suite   suite
	started time.Time
	now     time.Time // as far as was heard
	budget  float64
	workers int
}

// DrawEvery is how often the table is redrawn, at most: what changes faster nobody
// reads, and a slow line to the terminal must not hold up the search.
const DrawEvery = 100 * time.Millisecond

// New makes a report.
func New(c Config) *Report {
	if c.Size == nil {
		c.Size = func() (int, int) { return defaultColumns, defaultRows }
	}
	if c.Where == nil {
		c.Where = func(pkg string) string { return pkg }
	}
	if c.Place == nil {
		c.Place = func(uint32) string { return "" }
	}
	return &Report{view: view{Config: c}}
}

// Show shows an event, or notes it for the next redraw.
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
	r.tell(r.suite.hear(e), e)
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

// Close leaves the table as it is, for good, and the terminal as it was.
func (r *Report) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.end()
}

// Stderr is for texts that are no events: on the terminal of the table they are
// written above it.
func (r *Report) Stderr() io.Writer { return beside{r} }

type beside struct{ *Report }

// Terminal reports whether somebody sees what is written here at once.
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

// say writes to who reads the output, and warn to who reads the errors. Texts of
// users must be printable before.
func (r *Report) say(format string, args ...any) {
	fmt.Fprintf(&r.pending, format, args...)
}

func (r *Report) warn(format string, args ...any) {
	if r.Mode == Live && !r.Apart {
		r.say("allele test: "+format+"\n", args...)
		r.heading = ""
		return
	}
	if r.Mode == Plain {
		r.flush() // in order, for those who read both
	}
	fmt.Fprintf(r.Err, "allele test: "+format+"\n", args...)
}

// flush writes what is pending, and redraws the table if it is time to.
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

// end replaces the table by one that stays, with all properties in it.
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
	leastColumns   = 20 // fewer cannot be told from a terminal that does not know
)

// size is that of the terminal, less the last column: what is written there makes
// some terminals begin a new line and others not.
func (v *view) size() (columns, rows int) {
	columns, rows = v.Size()
	if columns < leastColumns {
		columns = defaultColumns
	}
	if rows < 1 {
		rows = defaultRows
	}
	return columns - 1, rows
}
