package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/ops/event"
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
	c.show(p, e)
}

// tellFound tells of a finding. Unless the search goes on behind it, what there is to
// read comes with the end of the property.
func (c *campaign) tellFound(p property, e event.Event) {
	if !c.keepGoing && (e.Kind == event.Found || e.Kind == event.Flaky) {
		e.Text = ""
	}
	c.tell(p, e)
}

// note tells what a person should know.
func (c *campaign) note(p property, format string, args ...any) {
	c.tell(p, event.Event{Kind: event.Note, Text: fmt.Sprintf(format, args...)})
}

// show shows an event to who sits before the terminal.
func (c *campaign) show(p property, e event.Event) {
	switch e.Kind {
	case event.Started:
		fmt.Fprintf(c.stdout, "%s %*s\n", e.Text, max(0, 71-len([]rune(e.Text))), brief1(e.Seconds))
	case event.Stopped:
		fmt.Fprintln(c.stdout, e.Text)
	case event.Note:
		fmt.Fprintf(c.stderr, "allele test: %s: %s\n", p, e.Text)
	case event.Died:
		if e.Run == 0 {
			fmt.Fprintf(c.stderr, "allele test: %s: its process ended (%s) while no run was under way\n", p, e.Text)
			break
		}
		fmt.Fprintf(c.stderr, "allele test: %s: run %s ended its process (%s); looking into it\n", p, group(e.Run), e.Text)
	case event.Unconfirmed:
		fmt.Fprintf(c.stderr, "allele test: %s: its input passes in another process, so somebody else ended it, or what earlier runs left behind; it goes on\n", p)
	case event.Saved:
		fmt.Fprintf(c.stdout, "    %s\n", e.Text)
	case event.Repeated:
		c.showRepeated(p, e)
	case event.Finished:
		if p.Name != "" {
			c.showFinished(p, e)
		}
	}
}

// brief1 writes seconds as the built line has them.
func brief1(seconds float64) string {
	return time.Duration(seconds * float64(time.Second)).Round(100 * time.Millisecond).String()
}

// showFinished shows the line of a property, and its report if it failed.
func (c *campaign) showFinished(p property, e event.Event) {
	if !c.headed {
		c.headed = true
		fmt.Fprintf(c.stdout, "%-40s %9s %7s %7s %7s\n", "property", "runs", "/s", "passed", "paths")
	}
	failed := e.Verdict != "passed" && e.Verdict != "stopped"
	if e.Verdict == "crashed" {
		fmt.Fprintf(c.stdout, "%-40s %9s %7s %7s %7s  CRASHED: %s\n%s\n", p, "-", "-", "-", "-", e.Death, strings.TrimSpace(e.Text))
		return
	}
	rate := float64(e.Runs) / max(e.Seconds, 0.001)
	share := 100 * e.Passed / max(1, e.Passed+e.Discarded)
	fmt.Fprintf(c.stdout, "%-40s %9s %7s %5d %% %7s  %s\n", p, group(e.Runs), brief(rate), share, group(e.Paths), state(e))
	c.showTroubles(p, e)
	if c.verbose {
		if e.Resumed > 0 {
			fmt.Fprintf(c.stdout, "    went on with %s kept before; -anew begins anew\n", count(e.Resumed, "input"))
		}
		if e.Shared > 0 {
			fmt.Fprintf(c.stdout, "    workers told each other of %s, and heard of %s\n", count(e.Shared, "input"), group(e.Heard))
		}
		fmt.Fprint(c.stdout, searched(e.Search))
	}
	if failed || c.verbose {
		fmt.Fprint(c.stdout, e.Text)
	}
	if failed {
		c.showPlaces(e)
	}
}

func state(e event.Event) string {
	switch {
	case e.Verdict == "passed" && e.Spawned > 0:
		return fmt.Sprintf("ok; %s started goroutines: judged by the places they reached, not their order", count(e.Spawned, "run"))
	case e.Verdict == "passed":
		return "ok"
	}
	return strings.ToUpper(e.Verdict)
}

// showTroubles says what did not work beside the search.
func (c *campaign) showTroubles(p property, e event.Event) {
	if o := e.Operands; o != nil && o.Off != "" {
		fmt.Fprintf(c.stderr, "allele test: %s: the search went on without operands: %s; -operands=off does not try\n", p, o.Off)
	} else if o != nil && c.verbose && o.Asked > 0 {
		fmt.Fprintf(c.stdout, "    operands: asked %s, died %s\n", count(o.Asked, "time"), count(o.Died, "time"))
	}
	if e.Unlogged != "" {
		fmt.Fprintf(c.stderr, "allele test: -log: %s: the log is not whole: %s\n", p, e.Unlogged)
	}
	if e.Unkept != "" {
		fmt.Fprintf(c.stderr, "allele test: %s: what was kept is not whole: %s\n", p, e.Unkept)
	}
}

// showPlaces names what a binary knows by its number only.
func (c *campaign) showPlaces(e event.Event) {
	if s, ok := c.sites[e.Hot]; ok {
		fmt.Fprintf(c.stdout, "    hottest: %s\n", c.place(s))
	}
	if len(e.Parted) == 3 {
		c.showParted(e.Parted)
	} else if e.Verdict == "flaky" {
		fmt.Fprintln(c.stdout, "    the run that failed and one that passed went the same way: they differ in values only")
	}
	if len(e.Last) > 0 {
		fmt.Fprintln(c.stdout, "    the last places before the end, the latest first:")
	}
	for _, id := range e.Last {
		if s, ok := c.sites[id]; ok {
			fmt.Fprintf(c.stdout, "        %s\n", c.place(s))
		}
	}
}

// showParted says where two runs of one input part.
func (c *campaign) showParted(at []uint32) {
	for i, text := range []string{"both runs came to          ", "the one that failed went to", "the one that passed went to"} {
		where := "its end"
		if s, ok := c.sites[at[i]]; ok {
			where = c.place(s)
		} else if i == 0 {
			where = "their beginning"
		}
		fmt.Fprintf(c.stdout, "    %s  %s\n", text, where)
	}
}

func (c *campaign) place(s site.Site) string {
	return fmt.Sprintf("%s in %s, %s:%d", s.Kind, s.Func, c.relative(s.File), s.Line)
}
