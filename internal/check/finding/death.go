//go:build go1.25

package finding

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/stack"
	"github.com/allele-go/allele/internal/words"
)

// deathline describes in one line what ended the process.
func deathline(d *property.Death) string {
	in, where := inFrame(d.Frames()), deathSite(d)
	if where != "" {
		where = " (" + where + ")"
	}
	switch d.Kind {
	case proc.Panic:
		if proc.IsExitPanic(d.Text) {
			return "a goroutine of the property called os.Exit(0)" + where
		}
		return fmt.Sprintf("a goroutine of the property panicked: %s%s", d.Text, where)
	case proc.Fatal:
		return d.Text + in
	case proc.Exit:
		return fmt.Sprintf("property called os.Exit(%d)", d.Code)
	case proc.Deadlock:
		return "deadlock: every goroutine waits" + in
	case proc.Hang:
		return fmt.Sprintf("property did not end: it was still running after %v%s", d.Waited, in)
	case proc.Memory:
		return fmt.Sprintf("property ran out of memory%s; the limit is %d MB", in, d.Memory>>20)
	case proc.Race:
		return "data race" + in
	}
	return "the property's process was " + d.Text
}

// inFrame returns the function to blame, with its file and line, as part of a headline.
func inFrame(fs []stack.Frame) string {
	if f, ok := stack.Culprit(fs); ok {
		return fmt.Sprintf(" in %s, %s", f.Function(), filepath.Base(f.At))
	}
	return ""
}

// overflowFrames returns the frames of a run that was stopped because of its stack.
func overflowFrames(o property.Outcome) []stack.Frame {
	if o.Cut == nil || o.Cut.Overflow == "" {
		return nil
	}
	fs, _ := stack.User(o.Cut.Overflow)
	return fs
}

// deathSite returns the file and line to blame for a death.
func deathSite(d *property.Death) string {
	if f, ok := stack.Culprit(d.Frames()); ok {
		return filepath.Base(f.At)
	}
	return ""
}

const (
	raceMax  = 4000                 // maximal bytes shown of a data race
	raceRule = "==================" // the line that the race detector prints above a race
)

// writeDeath writes the part of the runtime's output that concerns the property.
func writeDeath(b *strings.Builder, d *property.Death) {
	if text := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(d.Err), raceRule)); text != "" {
		b.WriteString("\n\nstandard error before the process ended:\n" + indent(words.Bounded(text, messageMax)))
	}
	if d.Kind == proc.Race {
		b.WriteString("\n\n" + words.Bounded(strings.TrimSpace(d.Stack), raceMax)) // both stacks, not only the first
		return
	}
	if fs := d.Frames(); len(fs) > 0 {
		b.WriteString("\n\nstack:\n" + trim(fs))
	}
}
