package allele

import (
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/value/codec"
)

// failure is what the user reads about a failing input: what happened, the
// input as a test to paste, how it was found, and what to run next.
func (c *check) failure(f finding) string {
	var b strings.Builder
	if f.flaky {
		b.WriteString("flaky: ")
	}
	b.WriteString(f.outcome.headline())
	if f.flaky {
		b.WriteString("\nIt passed when it was run again on the same input, so it depends on something\n" +
			"else: time, map order, goroutines, or state that earlier runs left behind.")
	}
	writeMessages(&b, f.outcome)
	for _, note := range append(c.world.Hollow, c.world.Notes...) {
		b.WriteString("\nnote: " + note)
	}
	if f.seed != "Replay" {
		whole := c.writeValue(&b, f)
		c.writeHistory(&b, f)
		c.writeNext(&b, f)
		if !whole {
			fmt.Fprintf(&b, "\nas test  go tool allele show %s-test %s", c.place.flags(), filepath.ToSlash(f.stored()))
		}
	}
	if p := f.outcome.panicked(); p != nil {
		b.WriteString("\n\nstack of the panic:\n" + trim(frames(p.Stack)))
	}
	if f.outcome.death != nil {
		writeDeath(&b, f.outcome.death)
	}
	if fs := overflowFrames(f.outcome); len(fs) > 0 {
		b.WriteString("\n\nstack:\n" + trim(fs))
	}
	return b.String()
}

func (o outcome) panicked() *panicked {
	if o.more == nil {
		return nil
	}
	return o.more.panicked
}

// kind is the verdict in a word.
func (o outcome) kind() proc.Kind {
	switch {
	case o.hung:
		return proc.Hang
	case o.death != nil:
		return o.death.Kind
	case o.exited():
		return proc.Exit
	case o.panicked() != nil:
		return proc.Panic
	case o.more != nil && o.more.cut != "":
		return proc.Cut
	}
	return proc.Failed
}

// headline says in one line what happened.
func (o outcome) headline() string {
	switch {
	case o.hung:
		return "property did not end: it was still running when the deadline of the test came near"
	case o.death != nil:
		return deathline(o)
	case o.exited():
		return fmt.Sprintf("property called os.Exit(0) (%s)", panicSite(o.panicked().Stack))
	case o.more != nil && o.more.overflow != "":
		return "stack overflow" + inFrame(overflowFrames(o)) + ": cut after " + o.more.cut
	case o.more != nil && o.more.cut != "":
		return "property did not end: it was cut after " + o.more.cut
	case o.panicked() != nil:
		return fmt.Sprintf("property panicked: %s (%s)", firstLine(o.panicked().String()), panicSite(o.panicked().Stack))
	case o.more != nil && o.more.outer != "":
		return o.more.outer
	}
	for _, l := range o.messages() {
		if l.Fails {
			return fmt.Sprintf("property failed: %s (%s)", firstLine(l.Text), l.At)
		}
	}
	return "property failed"
}

// firstLine is the first line with something on it: assertion libraries like
// to begin with an empty one.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return "no message"
}

// writeMessages shows what the run said beyond its headline.
func writeMessages(b *strings.Builder, o outcome) {
	ls := o.messages()
	if len(ls) == 1 && ls[0].Fails && !strings.Contains(strings.TrimSpace(ls[0].Text), "\n") && o.panicked() == nil {
		return // the headline has said it
	}
	for _, l := range ls {
		at := ""
		if l.At != "" {
			at = l.At + ": "
		}
		b.WriteString("\n    " + strings.ReplaceAll(at+l.Text, "\n", "\n        "))
	}
}

// A report shows so much of an input. More than a few screens nobody reads, and
// who keeps logs cuts them.
const (
	shownLines = 200
	shownBytes = 16 << 10
)

// writeValue shows the input, as a test to paste where that can be written. It
// reports false if that is too long and only its beginning is shown, which it may
// be if the rest is in a file.
func (c *check) writeValue(b *strings.Builder, f finding) (whole bool) {
	fmt.Fprintf(b, "\n\ncounterexample%s:\n\n", c.shrinkage(f))
	text := c.regression(f, codec.Print(c.world, f.term, c.place.style()))
	begin := beginning(text)
	if f.stored() == "" || len(begin) == len(text) {
		b.WriteString(indent(text))
		return true
	}
	b.WriteString(indent(begin))
	if rest := strings.TrimSpace(text[len(begin):]); strings.HasSuffix(begin, "\n") {
		fmt.Fprintf(b, "    ... and %s", count(1+strings.Count(rest, "\n"), "more line"))
	} else {
		fmt.Fprintf(b, " ... and %s", count(len(rest), "more byte"))
	}
	return false
}

// beginning is as much of a text as is shown, in whole lines unless the first one
// is too long.
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

// stored is the file that holds the input, or nothing.
func (f finding) stored() string {
	switch {
	case f.unsaved != nil:
		return ""
	case f.file == "" && strings.HasSuffix(f.seed, ".case"):
		return f.seed
	}
	return f.file
}

func (c *check) shrinkage(f finding) string {
	if f.shrunk == 0 {
		return ""
	}
	if now := c.world.Cells(f.term); now != f.from {
		return fmt.Sprintf(", shrunk from %s to %s in %s", count(f.from, "node"), number(now), count(f.shrunk, "run"))
	}
	return fmt.Sprintf(", shrunk in %s", count(f.shrunk, "run"))
}

// regression is an input as a person wants it: in a test, or above one, or alone.
func (c *check) regression(f finding, text codec.Text) string {
	test, whole := c.test(f, text)
	switch {
	case whole:
		return test
	case test == "":
		return text.Decl("in")
	}
	return text.Decl("in") + "\n\n" + test
}

// test writes a test that runs the property on this input alone: with the value if
// it can be written in the package of the test and only one Check can be meant,
// then it is whole; else with the case file. Where neither works there is none.
func (c *check) test(f finding, text codec.Text) (test string, whole bool) {
	root, _, sub := strings.Cut(c.name, "/")
	root, _, nth := strings.Cut(root, "#")
	_, isTest := c.t.(*testing.T)
	file := f.stored()
	head := fmt.Sprintf("func %s_%s(t *testing.T) {\n", root, c.mark(f.term))
	switch {
	case !isTest || f.flaky: // a test of that would pass and fail
		return "", false
	case text.Nameable && !sub && !nth && !f.apart(): // or it would end the process of the test
		return needs(text.Imports) + head + tabbed(text.Decl("in")) + fmt.Sprintf("\tallele.Replay(t, %s, in)\n}", root), true
	case file == "":
		return "", false
	}
	return head + fmt.Sprintf("\tallele.ReplayFile(t, %s, %q)\n}", root, filepath.ToSlash(file)), false
}

// needs names the packages the value is written with.
func needs(imports []string) string {
	if len(imports) == 0 {
		return ""
	}
	quoted := make([]string, len(imports))
	for i, p := range imports {
		quoted[i] = fmt.Sprintf("%q", p)
	}
	return "// imports " + strings.Join(quoted, ", ") + "\n"
}

func tabbed(s string) string { return prefixed(s, "\t") + "\n" }

func indent(s string) string { return prefixed(s, "    ") }

// prefixed puts a prefix before every line that is code.
func prefixed(s, prefix string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = prefix + l
		}
	}
	return strings.Join(lines, "\n")
}

func (c *check) writeHistory(b *strings.Builder, f finding) {
	if f.seed != "" {
		fmt.Fprintf(b, "\n\nfrom     %s", f.seed)
		return
	}
	fmt.Fprintf(b, "\n\nrun %s, seed %d", number(f.run), c.config.seed)
	if f.outcome.hung {
		return // the run goes on, and what it counts is not ours to read
	}
	passed, discarded := c.engine.Passed-c.seeded, c.engine.Discarded
	if f.before != nil {
		passed, discarded = f.before.Passed, f.before.Discarded
	}
	fmt.Fprintf(b, ": %s passed, %s discarded", number(passed), number(discarded))
	if len(c.rejects) > 0 {
		b.WriteString("\n")
		var r strings.Builder
		c.writeRejects(&r)
		b.WriteString(strings.TrimRight(r.String(), "\n"))
	}
	if f.origin != "" {
		fmt.Fprintf(b, "\nmade by  %s", f.origin)
	}
}

// writeNext says where the case is and how to run it again.
func (c *check) writeNext(b *strings.Builder, f finding) {
	run := "go test " + c.place.flags() + "-run '" + pattern(c.t.Name()) + "'"
	if _, bench := c.t.(*testing.B); bench {
		run += " -bench '" + pattern(c.t.Name()) + "'"
	}
	pkg := " " + strings.TrimSuffix(c.place.pkg, "_test")
	if c.watch != nil {
		// Plain go test would not cut what never ends, nor find variants in the source.
		run = "go tool allele test " + c.place.flags() + "-run " + c.propertyPattern()
	}
	run += pkg
	switch {
	case f.unsaved != nil:
		fmt.Fprintf(b, "\nnot saved: %v\nreplay   ", f.unsaved)
		if c.watch != nil {
			fmt.Fprintf(b, "%s -seed %d%s", strings.TrimSuffix(run, pkg), c.config.seed, pkg)
			break
		}
		fmt.Fprintf(b, "%s -allele.seed=%d", run, c.config.seed)
		fmt.Fprintf(b, "\n         ALLELE_SEED=%d %s ./...", c.config.seed, strings.TrimSuffix(run, pkg))
	case f.file != "":
		fmt.Fprintf(b, "\nsaved    %s\nreplay   %s", filepath.ToSlash(f.file), run)
	default:
		fmt.Fprintf(b, "\nreplay   %s", run)
	}
}

// pattern is what -run needs in a shell to run just this test.
func pattern(name string) string { return strings.ReplaceAll(namePattern(name), "'", `'\''`) }

// propertyPattern is what -run of allele test needs in a shell.
func (c *check) propertyPattern() string {
	return "'^" + strings.ReplaceAll(regexp.QuoteMeta(c.name), "'", `'\''`) + "$'"
}

// namePattern is what -run needs.
func namePattern(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// frame is a place on a stack.
type frame struct{ call, at string }

// frames reads what debug.Stack wrote, from the call that panicked down to the
// property: what the runtime did after the panic and what we did before the
// property are left out.
func frames(stack string) []frame {
	var fs []frame
	below := false // the frames above the panic are our own
	lines := strings.Split(stack, "\n")
	for i := 1; i+1 < len(lines); i += 2 {
		call, at := lines[i], position(lines[i+1])
		switch {
		case strings.HasPrefix(call, "panic("):
			fs, below = nil, true
		case strings.HasPrefix(call, "runtime."), strings.HasPrefix(call, "runtime/"), at == autogenerated:
		case strings.HasPrefix(call, "github.com/allele-go/allele.") && !strings.Contains(at, "_test.go:"):
			if below {
				return fs
			}
		default:
			fs = append(fs, frame{call, at})
		}
	}
	return fs
}

// panicSite is the file and line that panicked, in the user's code if it called
// a function of the standard library that did.
func panicSite(stack string) string {
	if f, ok := culprit(frames(stack)); ok {
		return filepath.Base(f.at)
	}
	return "unknown place"
}

// culprit is the first frame outside the standard library or, if there is none,
// the first of all.
func culprit(fs []frame) (f frame, ok bool) {
	for _, f := range fs {
		if !f.std() {
			return f, true
		}
	}
	if len(fs) == 0 {
		return frame{}, false
	}
	return fs[0], true
}

// std reports whether it is in the standard library.
func (f frame) std() bool {
	return strings.HasPrefix(f.at, runtime.GOROOT()+"/") || strings.HasPrefix(f.at, runtime.GOROOT()+`\`)
}

// function is the name of the function, below its last folder.
func (f frame) function() string {
	call := strings.TrimPrefix(f.call, "created by ")
	call, _, _ = strings.Cut(call, " in goroutine ")
	if paren := strings.LastIndexByte(call, '('); paren > 0 && strings.HasSuffix(call, ")") {
		call = call[:paren]
	}
	return call[strings.LastIndexByte(call, '/')+1:]
}

// framesShown bounds the stack that is printed.
const framesShown = 12

// trim shows a stack briefly, files relative to the package where they are in it.
func trim(fs []frame) string {
	var b strings.Builder
	wd := home
	for i, f := range fs {
		if i == framesShown {
			fmt.Fprintf(&b, "    and %d more\n", len(fs)-i)
			break
		}
		at := f.at
		if wd != "" {
			at = strings.TrimPrefix(at, wd+string(filepath.Separator))
		}
		fmt.Fprintf(&b, "    %s\n        %s\n", f.function(), at)
	}
	return strings.TrimRight(b.String(), "\n")
}
