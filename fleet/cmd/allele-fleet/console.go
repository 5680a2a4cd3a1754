package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/allele-go/allele/fleet/report"
	screen "github.com/allele-go/allele/internal/show/report"
)

// console is what the agent writes to a terminal: its log, for people, and below it one line of progress that
// is written again and again.
type console struct {
	mu   sync.Mutex
	out  io.Writer
	line string // the line of progress on the screen
	size func() (columns, rows int)
}

// Write writes a record of the log. It is JSON, as slog's handler writes it, so secrets are hidden already.
func (c *console) Write(record []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := fmt.Fprintf(c.out, "%s%s\n%s", c.clear(), strings.TrimRight(human(record), "\n"), c.line)
	return len(record), err
}

// progress writes the line of progress.
func (c *console) progress(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear := c.clear()
	columns, _ := c.size()
	c.line = short(line, max(2, columns-1))
	fmt.Fprint(c.out, clear, c.line)
}

// end removes the line of progress.
func (c *console) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Fprint(c.out, c.clear())
	c.line = ""
}

// clear returns what removes the line of progress.
func (c *console) clear() string {
	if c.line == "" {
		return ""
	}
	return "\r\x1b[K"
}

// human returns a record of the log as a person likes to read it: the time, the message, and what belongs to it. A
// text of several lines is put below.
func human(record []byte) string {
	d := json.NewDecoder(bytes.NewReader(record))
	var head, rest, below strings.Builder
	if _, err := d.Token(); err != nil {
		return plainLines(string(record))
	}
	for d.More() {
		name, err := d.Token()
		var value any
		if err == nil {
			err = d.Decode(&value)
		}
		if err != nil {
			return plainLines(string(record))
		}
		text := fmt.Sprint(value)
		switch name {
		case slog.TimeKey:
			if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
				text = t.Local().Format(time.TimeOnly)
			}
			head.WriteString(text + "  ")
		case slog.LevelKey:
			if text != slog.LevelInfo.String() {
				head.WriteString(text + " ")
			}
		case slog.MessageKey:
			head.WriteString(plain(text))
		default:
			if strings.Contains(text, "\n") {
				below.WriteString("\n" + indent(plainLines(strings.TrimSpace(text)), "          "))
			} else {
				fmt.Fprintf(&rest, "  %v: %s", name, plain(text))
			}
		}
	}
	return head.String() + rest.String() + below.String()
}

// progressLine says how an agent is.
func progressLine(h report.Heartbeat, rate int) string {
	line := fmt.Sprintf("%s · %s · %s (%s/s) · %s sent, %s received · %s", h.State, count(h.Workers, "worker"), count(h.Runs, "run"),
		comma(rate), count(h.Sent, "case"), comma(h.Received), count(h.Failures, "failure"))
	if h.Waiting > 0 {
		line += fmt.Sprintf(", %s not sent yet", comma(h.Waiting))
	}
	return line
}

// The time between two looks at the agent, and how many looks there are for a line of progress in a log.
const (
	lookEvery = 2 * time.Second
	logLooks  = 30
)

// follow tells how the agent is until the context is done: on the screen, or in the log if there is none.
func follow(ctx context.Context, now func() report.Heartbeat, on *console, log *slog.Logger) {
	if on != nil {
		defer on.end()
	}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	f := follower{on: on, log: log, at: time.Now()}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			f.look(now(), time.Now())
		}
	}
}

// follower is what follow remembers.
type follower struct {
	on      *console
	log     *slog.Logger
	looks   int
	runs    int
	at      time.Time
	trouble string
}

// look tells how the agent is at a time.
func (f *follower) look(h report.Heartbeat, now time.Time) {
	switch {
	case h.Trouble == f.trouble:
	case h.Trouble != "":
		f.log.Warn(h.Trouble)
	default:
		f.log.Info("this is over", "trouble", f.trouble)
	}
	f.trouble = h.Trouble
	if f.looks++; f.on == nil && f.looks%logLooks != 0 {
		return
	}
	rate := int(float64(h.Runs-f.runs) / max(now.Sub(f.at).Seconds(), 1e-3))
	f.runs, f.at = h.Runs, now
	if f.on != nil {
		f.on.progress(progressLine(h, rate))
		return
	}
	f.log.Info("progress", "state", h.State, "workers", h.Workers, "runs", h.Runs, "rate", rate, "sent", h.Sent,
		"received", h.Received, "failures", h.Failures, "unsent", h.Waiting)
}

// newConsole returns a console if a writer is a terminal that can be written again, and otherwise nil.
func newConsole(w io.Writer) *console {
	var c screen.Config
	if c.At(w, w, os.Getenv); c.Mode != screen.Live {
		return nil
	}
	return &console{out: w, size: c.Size}
}
