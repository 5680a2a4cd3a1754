//go:build go1.25

package property

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/words"
)

// Verbose reports whether verbose output is requested. Outside a test binary, where a
// Check may run as well, there is no flag -v.
func (p *Property) Verbose() bool {
	return p.Config.Verbose || testing.Testing() && testing.Verbose()
}

// Logf logs a line if verbose output is requested.
func (p *Property) Logf(format string, args ...any) {
	p.TB.Helper()
	if p.Verbose() {
		p.Log(fmt.Sprintf(format, args...))
	}
}

// Log logs a text of the verbose output. The go command shows the log of a passing test
// only with -v, so with -allele.v alone Log also prints the text.
func (p *Property) Log(text string) {
	p.TB.Helper()
	p.TB.Log(text)
	if p.Config.Verbose {
		p.print(text)
	}
}

// print prints a text of the log when the test has ended, unless the go command shows the log:
// with -v, of a test that has failed, and of a benchmark.
func (p *Property) print(text string) {
	if _, bench := p.TB.(*testing.B); bench || testing.Testing() && testing.Verbose() {
		return
	}
	if *p.unseen = append(*p.unseen, text); len(*p.unseen) > 1 {
		return
	}
	p.TB.Cleanup(func() {
		for _, text := range *p.unseen {
			if !p.TB.Failed() {
				fmt.Println(text)
			}
		}
	})
}

// Say logs a text that the user should see also without verbose output. The go command does
// not show the log of a passing test, so Say also prints the text. For the allele command,
// events carry such texts.
func Say(p *Property, text string) {
	p.TB.Helper()
	p.TB.Log(text)
	if p.Job.Mode == job.Plain {
		p.print(p.Name + ": " + text)
	}
}

// printed identifies the file that was the standard output when the process started.
var printed, _ = os.Stdout.Stat()

// Silent reports whether a property has closed or replaced the standard output.
func Silent() bool {
	now, err := os.Stdout.Stat()
	return err != nil || !os.SameFile(now, printed)
}

// Emit appends an event to the file that the command reads. It does nothing if the job
// names no file.
func (p *Property) Emit(b event.Body) {
	file := p.Job.Events
	if file == "" {
		return
	}
	if err := event.Append(file, event.Event{Property: p.Name, Body: b}); err != nil {
		p.TB.Errorf("allele: cannot write an event for the allele command: %v", err)
	}
}

// InputMax bounds the text of an input in an event or a log, in bytes.
const InputMax = 4000

// InputText returns an input as it is written in events.
func (p *Property) InputText(x term.Term) string {
	return words.Bounded(codec.Print(p.World, x, p.Place.Style()).Decl("in"), InputMax)
}

// Rejected describes what discarded a run: the file, the line and the source text of the
// assumption, a builder, or the known bug that the run was about.
func (p *Property) Rejected(r Reject) string {
	switch {
	case r.Known.Issue != "":
		return "known: " + r.Known.Issue
	case r.Given > 0:
		return describe(p.Settings.Given[r.Given-1].Site)
	case r.Builder != nil && schema.Is[schema.Filter](r.Builder):
		return r.Builder.Name + ": a condition in the expression does not hold"
	case r.Builder != nil && r.Builder == p.World.Encoder():
		return "the encoder returned an error"
	case r.Builder != nil:
		return p.Place.builderName(r.Builder) + " refused its arguments"
	case r.PC == 0:
		return "a builder refused its arguments"
	}
	f, _ := runtime.CallersFrames([]uintptr{r.PC}).Next()
	return describe(fmt.Sprintf("%s:%d", f.File, f.Line))
}

// builderName returns the name of a builder as code of the package under test writes it. A
// function literal and an expression have no name. A builder that reads a text has that of the method.
func (p *Place) builderName(f *schema.Func) string {
	if read, ok := f.Form.(schema.Reader); ok {
		return fmt.Sprintf("%s of %v", read.Method, f.Result)
	}
	if !f.Named || strings.Contains(f.Name, "_0") {
		return fmt.Sprintf("a builder of %v", f.Result)
	}
	if name, ok := strings.CutPrefix(f.Name, path.Base(p.Package())+"."); ok && f.Pkg == p.Package() {
		return name
	}
	return f.Name
}

// describe returns a place in source, followed by the text of that line if the file can
// be read.
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
	// The line may begin with other code: a Given may follow the end of the property, and an
	// Assume the beginning of a short property. Only the call is shown.
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

// balanced returns the beginning of a text, up to the bracket that closes its first bracket.
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

// DiscardedBy describes the assumption that discarded a run.
func (p *Property) DiscardedBy(o Outcome) string {
	if o.Rejected.By != "" {
		return o.Rejected.By // the run was in another process
	}
	return p.Rejected(o.Reject)
}

// OuterExit returns a message about a run whose goroutine was ended neither by a method of T
// nor by a panic.
func OuterExit(outer testing.TB) string {
	switch {
	case outer.Skipped():
		return "the property skipped the enclosing test; use the t passed to the property: its Skip and Assume discard one input"
	case outer.Failed():
		return "the property failed the enclosing test; use the t passed to the property"
	}
	return "the property called runtime.Goexit"
}
