package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/report"
	"github.com/allele-go/allele/internal/site"
)

// tell is how everything that happens becomes known: it goes to the log of the
// campaign, and from the event alone it is shown.
func (c *campaign) tell(p property, e event.Event) {
	c.telling.Lock()
	defer c.telling.Unlock()
	e.Time, e.Package, e.Property = time.Now(), p.Package, p.Name
	if err := c.events.Write(e); err != nil && !c.unwritten {
		c.unwritten = true
		fmt.Fprintln(c.stderr, "allele test: the log of what happens is not whole:", err)
	}
	c.report.Show(e)
}

// note tells what a person should know.
func (c *campaign) note(p property, format string, args ...any) {
	c.tell(p, event.Event{Kind: event.Note, Text: fmt.Sprintf(format, args...)})
}

// show chooses how the campaign is shown. What is no event goes to c.stderr, which
// does not tear the table.
func (c *campaign) show(stdout, stderr io.Writer) {
	conf := report.Config{
		Verbose: c.verbose, Place: c.placeOf, Where: c.where, Flags: c.sameFlags(),
		Resumes: c.seed == nil && !c.anew && c.guided(),
	}
	if conf.At(stdout, stderr, os.Getenv); c.json {
		conf.Mode = report.JSON
	}
	c.report = report.New(conf)
	c.stderr = c.report.Stderr()
}

// redraw has the table redrawn until stop is called, which leaves the terminal as it
// was. Signals must be listened to all that time, or one of them ends the command
// while the cursor is hidden.
func (c *campaign) redraw() (stop func()) {
	tick := time.NewTicker(report.DrawEvery)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case now := <-tick.C:
				c.report.Tick(now)
			case <-done:
				return
			}
		}
	}()
	return func() {
		tick.Stop()
		close(done)
		<-ended
		c.report.Close()
	}
}

// placeOf names what a binary knows by its number only.
func (c *campaign) placeOf(id uint32) string {
	s, ok := c.sites[id]
	if !ok {
		return ""
	}
	return c.place(s)
}

func (c *campaign) place(s site.Site) string {
	return fmt.Sprintf("%s in %s, %s:%d", s.Kind, s.Func, c.relative(s.File), s.Line)
}

// where is a package as the go command takes it, from where we are.
func (c *campaign) where(pkg string) string {
	dir := c.relative(c.folder(pkg))
	if dir == "." || filepath.IsAbs(dir) {
		return dir
	}
	return "./" + filepath.ToSlash(dir)
}

// sameFlags is the flags that a command needs to build the same once more.
func (c *campaign) sameFlags() string {
	flags := strings.Join(c.flags, " ")
	if c.dir != "" {
		flags = strings.TrimSpace("-C " + c.dir + " " + flags)
	}
	if flags != "" {
		flags += " "
	}
	return flags
}
