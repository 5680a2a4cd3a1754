package property

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/words"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/term"
)

// Chatty reports whether someone wants to hear. Outside a test binary, where a
// Check may run as well, there is no -v to ask for.
func (p *Property) Chatty() bool {
	return p.Config.Verbose || testing.Testing() && testing.Verbose()
}

// Say logs a line for somebody who wants to hear.
func (p *Property) Say(format string, args ...any) {
	p.TB.Helper()
	if p.Chatty() {
		p.Tell(fmt.Sprintf(format, args...))
	}
}

// Tell logs what someone asked to hear. The log of a test that passes is shown
// with -v only; who asked with -allele.v gets it all the same.
func (p *Property) Tell(text string) {
	p.TB.Helper()
	p.TB.Log(text)
	if p.Config.Verbose && !(testing.Testing() && testing.Verbose()) {
		fmt.Println(text)
	}
}

// printed is where tests print, as it was when the process began.
var printed, _ = os.Stdout.Stat()

// Silent reports whether a property has closed that, or put something else there.
func Silent() bool {
	now, err := os.Stdout.Stat()
	return err != nil || !os.SameFile(now, printed)
}

// Emit appends a line for the command. Without a file nobody is listening.
func (p *Property) Emit(e event.Event) {
	file := p.Job.Events
	if file == "" {
		return
	}
	if err := event.Append(file, e); err != nil {
		p.TB.Errorf("allele: cannot tell the command: %v", err)
	}
}

// InputMax bounds an input in an event or a log.
const InputMax = 4000

// InputText is an input as events have it.
func (p *Property) InputText(x term.Term) string {
	return words.Bounded(codec.Print(p.World, x, p.Place.Style()).Decl("in"), InputMax)
}

// Rejected names an assumption: its place and its text.
func (p *Property) Rejected(r Reject) string {
	switch {
	case r.Given > 0:
		return describe(p.Settings.Given[r.Given-1].Site)
	case r.PC == 0:
		return "a builder refused its arguments"
	}
	f, _ := runtime.CallersFrames([]uintptr{r.PC}).Next()
	return describe(fmt.Sprintf("%s:%d", f.File, f.Line))
}

// describe shows a place in source with the line that stands there, if the
// file can be read.
func describe(site string) string {
	colon := strings.LastIndexByte(site, ':')
	short := filepath.Base(site[:colon]) + site[colon:]
	line, _ := strconv.Atoi(site[colon+1:])
	data, err := os.ReadFile(site[:colon])
	if err != nil {
		return short
	}
	lines := strings.Split(string(data), "\n")
	if line < 1 || line > len(lines) {
		return short
	}
	const width = 48
	text := strings.TrimSpace(lines[line-1])
	// The end of the property may stand before a Given, all of a short property
	// before an Assume.
	for _, call := range []string{"Given(", "t.Assume(", "t.Skip"} {
		if at := strings.Index(text, call); at > 0 {
			text = balanced(text[at:])
			break
		}
	}
	if r := []rune(text); len(r) > width {
		text = string(r[:width-3]) + "..."
	}
	return short + "   " + text
}

// balanced cuts a text behind the bracket that closes its first one.
func balanced(s string) string {
	depth := 0
	for i, c := range s {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return s[:i+1]
			}
		}
	}
	return s
}

// DiscardedBy names who discarded a run.
func (p *Property) DiscardedBy(o Outcome) string {
	if o.Rejected != "" {
		return o.Rejected // in another process
	}
	return p.Rejected(o.Reject)
}

// OuterExit says who ended the goroutine of a run that nobody here ended.
func OuterExit(outer testing.TB) string {
	switch {
	case outer.Skipped():
		return "the property skipped the test around it; use the t it is given: t.Skip or t.Assume discards one input"
	case outer.Failed():
		return "the property failed the test around it; use the t it is given"
	}
	return "the property called runtime.Goexit"
}
