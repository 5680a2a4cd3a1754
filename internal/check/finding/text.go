//go:build go1.25

package finding

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/stack"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/words"
)

// Text returns the report about a failing input: what happened, the input as a test to
// paste, how it was found, and what to run next.
func Text(p *property.Property, f Finding) string { return compose(p, f, math.MaxInt) }

// compose writes a report. unsaved bounds an input that is in no file, in bytes.
func compose(p *property.Property, f Finding, unsaved int) string {
	var b strings.Builder
	if f.Flaky {
		b.WriteString("flaky: ")
	}
	b.WriteString(Headline(f.Outcome))
	if f.Flaky {
		b.WriteString("\nThe same input passed when it was run again, so the failure depends on something\n" +
			"else: time, map order, goroutines, or state left behind by earlier runs.")
	}
	if isAnotherWay(f.Sign) {
		b.WriteString("\nThis place was reported before. But here the run reaches other functions, so this may be another bug.")
	}
	if f.Outcome.TooLong() {
		b.WriteString(outlasted(f.Waited, f.Memory))
	}
	writeMessages(&b, f.Outcome)
	for _, h := range property.Hollows(p) {
		b.WriteString("\nnote: " + h.Note())
	}
	for _, note := range p.World.Notes {
		b.WriteString("\nnote: " + note)
	}
	given := f.History.Replay || strings.HasPrefix(f.History.From, "Example") // by the user
	for _, note := range property.Outside(p, f.Term, !given) {
		b.WriteString("\nnote: " + note)
	}
	switch {
	case given || p.Reading == property.Fields:
	case p.Reading == property.Literal:
		b.WriteString("\nnote: the stored input was made by fields, not by the functions of its type; if they cannot make it,\n" +
			"    delete the file: " + filepath.ToSlash(f.Case))
	default:
		for _, note := range slices.Concat(property.Filled(p, f.Term), property.Nils(p, f.Term)) {
			b.WriteString("\nnote: " + note)
		}
	}
	if early := f.early(); early != "" {
		b.WriteString("\nnote: " + early)
	}
	if !f.History.Replay {
		whole := writeValue(&b, p, f, unsaved)
		writeHistory(&b, p, f)
		writeNext(&b, p, f)
		if !whole && f.Stored() != "" {
			fmt.Fprintf(&b, "\nas test  %s-test %s", p.Commands().Show, filepath.ToSlash(f.Stored()))
		}
	}
	if x := f.Outcome.Panic; x != nil {
		b.WriteString("\n\nstack of the panic:\n" + trim(stack.Origin(x.Stack)))
	}
	if f.Outcome.Death != nil {
		writeDeath(&b, f.Outcome.Death)
	}
	if fs := overflowFrames(f.Outcome); len(fs) > 0 {
		b.WriteString("\n\nstack:\n" + trim(fs))
	}
	return b.String()
}

// Headline describes in one line what happened.
func Headline(o property.Outcome) string {
	switch {
	case o.Hung && o.Waited > 0:
		return fmt.Sprintf("property did not end: it was still running after %v", o.Waited)
	case o.Hung:
		return "property did not end: it was still running shortly before the test's deadline"
	case o.Death != nil:
		return deathline(o.Death)
	case o.Exited():
		return fmt.Sprintf("property called os.Exit(0) (%s)", panicSite(o.Panic.Stack))
	case o.Cut != nil && o.Cut.Overflow != "":
		return "stack overflow" + inFrame(overflowFrames(o)) + ": stopped after " + o.Cut.After
	case o.Cut != nil:
		return "property did not end: it was stopped after " + o.Cut.After
	case o.Panic != nil:
		return fmt.Sprintf("property panicked: %s (%s)", gist(o.Panic.Text), panicSite(o.Panic.Stack))
	case o.Outer != "":
		return o.Outer
	}
	for _, l := range o.Logs {
		if l.Fails {
			return fmt.Sprintf("property failed: %s (%s)", gist(l.Text), l.At)
		}
	}
	return "property failed"
}

// firstLine returns the first line that is not empty.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return "no message"
}

// writeMessages writes the messages of the run that the headline does not contain.
func writeMessages(b *strings.Builder, o property.Outcome) {
	ls := o.Logs
	if len(ls) == 1 && ls[0].Fails && !strings.Contains(strings.TrimSpace(ls[0].Text), "\n") && o.Panic == nil {
		return // the headline contains it
	}
	for _, l := range ls {
		if l.Left > 0 {
			fmt.Fprintf(b, "\n    ... %s left out", words.Count(l.Left, "message"))
		}
		at := ""
		if l.At != "" {
			at = l.At + ": "
		}
		b.WriteString("\n    " + strings.ReplaceAll(at+ownTrace(l.Text), "\n", "\n        "))
	}
}

// A report shows at most this much of an input. Nobody reads more than a few screens, and
// systems that store logs shorten long ones.
const (
	shownLines = 200
	shownBytes = 16 << 10
)

// writeValue writes the input, as a test to paste if possible. It reports false if the
// text is too long and only its beginning is written. An input that is in no file is
// written up to unsaved bytes.
func writeValue(b *strings.Builder, p *property.Property, f Finding, unsaved int) (whole bool) {
	fmt.Fprintf(b, "\n\ncounterexample%s:\n\n", shrinkage(p, f))
	text := Regression(p, f, codec.Print(p.World, f.Term, p.Place.Style()))
	begin := beginning(text)
	if f.Stored() == "" {
		begin = text
		if len(text) > unsaved {
			begin = strings.ToValidUTF8(text[:unsaved], "")
		}
	}
	if len(begin) == len(text) {
		b.WriteString(indent(text))
		return true
	}
	b.WriteString(indent(begin))
	if rest := strings.TrimSpace(text[len(begin):]); strings.HasSuffix(begin, "\n") {
		fmt.Fprintf(b, "    ... and %s", words.Count(1+strings.Count(rest, "\n"), "more line"))
	} else {
		fmt.Fprintf(b, " ... and %s", words.Count(len(rest), "more byte"))
	}
	return false
}

// beginning returns the part of a text that is shown, in whole lines unless the first
// line is too long.
func beginning(text string) string {
	lines := 0
	for i, c := range text {
		if c == '\n' {
			lines++
		}
		if i >= shownBytes || lines == shownLines {
			if end := strings.LastIndexByte(text[:i+1], '\n'); end > 0 {
				return text[:end+1]
			}
			return text[:i]
		}
	}
	return text
}

func shrinkage(p *property.Property, f Finding) string {
	if f.Shrunk == 0 {
		return ""
	}
	if now := p.World.Cells(f.Term); now != f.Cells {
		return fmt.Sprintf(", shrunk from %s to %s in %s", words.Count(f.Cells, "node"), words.Group(now), words.Count(f.Shrunk, "run"))
	}
	return fmt.Sprintf(", shrunk in %s", words.Count(f.Shrunk, "run"))
}

func writeHistory(b *strings.Builder, p *property.Property, f Finding) {
	h := f.History
	if h.From != "" {
		fmt.Fprintf(b, "\n\nfrom     %s", h.From)
		return
	}
	fmt.Fprintf(b, "\n\nrun %s", words.Group(h.Run))
	if h.Earlier > 0 { // the table counts only the runs of this search
		fmt.Fprintf(b, " (%s of earlier searches, %s of this one)", words.Group(h.Earlier), words.Group(h.Run-h.Earlier))
	}
	fmt.Fprintf(b, ", seed %d", p.Config.Seed)
	if f.Outcome.Hung {
		return // the run is still going, so its counts are not known
	}
	fmt.Fprintf(b, ": %s passed, %s discarded", words.Group(h.Passed), words.Group(h.Discarded))
	if h.Rejects != "" {
		b.WriteString("\n" + strings.TrimRight(h.Rejects, "\n"))
	}
	if h.Source != nil {
		fmt.Fprintf(b, "\nmade by  %s", h.Source.text(p))
	} else if h.Origin != "" {
		fmt.Fprintf(b, "\nmade by  %s", h.Origin)
	}
}

// writeNext writes where the case is stored and the command that runs it again.
func writeNext(b *strings.Builder, p *property.Property, f Finding) {
	run := p.Commands().GoTest + "-run " + p.TestPattern()
	if _, bench := p.TB.(*testing.B); bench {
		run += " -bench " + p.TestPattern()
	}
	pkg := " " + p.Place.Tested()
	if p.Traced {
		// Replay with the command too: plain go test does not stop endless runs, and does not
		// find variants in the source.
		run = p.Commands().Test + "-run " + p.Pattern()
	}
	run += pkg
	switch {
	case f.Unsaved != nil:
		fmt.Fprintf(b, "\nnot saved: %v\nreplay   ", f.Unsaved)
		if f.History.From != "" || f.Kept { // the same command runs it again; a search with its seed may not
			b.WriteString(run)
			break
		}
		if p.Traced {
			fmt.Fprintf(b, "%s -seed %d%s", strings.TrimSuffix(run, pkg), p.Config.Seed, pkg)
			break
		}
		fmt.Fprintf(b, "%s -allele.seed=%d", run, p.Config.Seed)
		fmt.Fprintf(b, "\n         ALLELE_SEED=%d %s ./...", p.Config.Seed, strings.TrimSuffix(run, pkg))
	case f.File != "":
		fmt.Fprintf(b, "\nsaved    %s\nreplay   %s", filepath.ToSlash(f.File), run)
	default:
		fmt.Fprintf(b, "\nreplay   %s", run)
	}
}

// panicSite returns the file and line that panicked. If a function of the standard library
// panicked, it returns the line of the user's code that called this function.
func panicSite(goroutine string) string {
	if f, ok := stack.Culprit(stack.Origin(goroutine)); ok {
		return filepath.Base(f.At)
	}
	return "unknown place"
}

// framesShown bounds the stack that is printed.
const framesShown = 12

// trim prints the first frames of a stack. Files of the package have relative paths.
func trim(fs []stack.Frame) string {
	var b strings.Builder
	wd := property.Home
	for i, f := range fs {
		if i == framesShown {
			fmt.Fprintf(&b, "    and %d more\n", len(fs)-i)
			break
		}
		at := f.At
		if wd != "" {
			at = strings.TrimPrefix(at, wd+string(filepath.Separator))
		}
		fmt.Fprintf(&b, "    %s\n        %s\n", f.Function(), at)
	}
	return strings.TrimRight(b.String(), "\n")
}
func indent(s string) string { return prefixed(s, "    ") }

// prefixed puts a prefix before every line that is not empty.
func prefixed(s, prefix string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = prefix + l
		}
	}
	return strings.Join(lines, "\n")
}
