// Package page reads a page of the documentation as a program: the files that a reader
// writes, the commands that the reader runs, and the outputs that the page shows.
//
//	p, err := page.Parse(text)
//	for i := range p.Steps { ... }                  // write a file, run a command
//	step.Shown = page.Merge(step.Shown, output)     // unchanged if the page is right
//	p.String()                                      // the page with its new outputs
//
// A code block must name its language, so that no block escapes the checks by accident.
// Everything else that a page needs is in HTML comments, which readers do not see; the
// comment of package e2e lists them. An unknown HTML comment is an error, because a
// mistyped comment would otherwise turn a check off.
package page

import (
	"fmt"
	"regexp"
	"strings"
)

// A Kind is what a step does.
type Kind string

// The kinds of steps.
const (
	Module   Kind = "module"   // start a fresh module; Name is its path
	File     Kind = "file"     // write the file Name
	Fragment Kind = "fragment" // compile code that is not a whole file; Name lists the variables that it may use
	Edit     Kind = "edit"     // replace Old by New in the file Name
	Run      Kind = "run"      // run the command Text, which prints Shown
	Skip     Kind = "skip"     // a block that is not run; Name is the reason
)

// A Step is one thing that a reader of the page does.
type Step struct {
	Kind     Kind
	Line     int // line number in the page, from 1; for a file or a fragment, that of the first line of code
	Name     string
	Text     string
	Old, New string

	Shown  []string // output that the page shows for the command, without the block's indentation
	Silent bool     // the block shows commands only, no outputs
	Fails  bool     // the command must fail, even if the page shows no failure

	indent   string
	from, to int // Shown is lines[from:to] of the page
}

// A Page is a parsed page. Its steps are in the order of the page.
type Page struct {
	Steps      []Step
	Uncompared int // number of blocks of text, yaml or json, which are not checked

	lines []string
}

var (
	fence    = regexp.MustCompile("^( *)(?:```|~~~)(.*)$")
	nameLine = regexp.MustCompile(`^// ([\w./-]+\.go)$`)
	indented = regexp.MustCompile(`^(    |\t)`)
	editArgs = regexp.MustCompile(`^(\S+): (.+?) => (.*)$`)
	listItem = regexp.MustCompile(`^ *([-*+]|\d+\.) `)
)

// Parse reads a page.
func Parse(text string) (*Page, error) {
	p := &scanner{Page: Page{lines: strings.Split(text, "\n")}}
	for p.at < len(p.lines) && p.err == nil {
		p.line(p.lines[p.at])
	}
	if p.err == nil && (p.hidden || p.next != directives{}) {
		p.fail("the page ends, but the last directive has no block, or <!-- hidden is not closed")
	}
	return &p.Page, p.err
}

// String returns the text of the page, with the current outputs of its steps.
func (p *Page) String() string {
	var lines []string
	at := 0
	for _, step := range p.Steps {
		if step.Kind != Run {
			continue
		}
		lines = append(lines, p.lines[at:step.from]...)
		for _, line := range step.Shown {
			lines = append(lines, strings.TrimRight(step.indent+line, " "))
		}
		at = step.to
	}
	return strings.Join(append(lines, p.lines[at:]...), "\n")
}

// A scanner goes through the lines of a page once.
type scanner struct {
	Page
	at             int
	next           directives
	hidden, inList bool
	err            error
}

// directives are the HTML comments that apply to the next block.
type directives struct {
	skip, file, with string
	silent, fails    bool
}

func (p *scanner) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("line %d: %s", min(p.at+1, len(p.lines)), fmt.Sprintf(format, args...))
	}
}

func (p *scanner) add(s Step) { p.Steps = append(p.Steps, s) }

// line reads a line outside of blocks, or the whole block that begins on this line. It
// moves p.at to the line that follows.
func (p *scanner) line(line string) {
	text := strings.TrimSpace(line)
	if m := fence.FindStringSubmatch(line); m != nil {
		p.block(m[1], strings.TrimSpace(m[2]))
		return
	}
	switch {
	case text == "<!-- hidden" && !p.hidden, text == "-->" && p.hidden:
		p.hidden = !p.hidden
	case strings.HasPrefix(text, "<!--"):
		p.directive(text)
	case indented.MatchString(line) && !p.inList && p.at > 0 && p.lines[p.at-1] == "", strings.Contains(text, "```"):
		p.fail("put code between lines of three backticks, and name its language")
	case text != "" && (line == text || listItem.MatchString(line)):
		p.inList = listItem.MatchString(line)
	}
	p.at++
}

func (p *scanner) directive(text string) {
	inner, ok := strings.CutSuffix(strings.TrimPrefix(text, "<!-- "), " -->")
	name, arg, _ := strings.Cut(inner, " ")
	arg = strings.TrimSpace(arg)
	edit := editArgs.FindStringSubmatch(arg)
	switch {
	case !ok:
		p.fail("a directive must be on one line; only <!-- hidden may span several lines")
	case inner == "/eval", strings.HasPrefix(inner, "eval:"):
	case inner == "fails":
		p.next.fails = true
	case inner == "no output shown":
		p.next.silent = true
	case name == "skip:" && arg != "":
		p.next.skip = arg
	case name == "file" && arg != "":
		p.next.file = arg
	case name == "with" && arg != "":
		p.next.with = arg
	case name == "module" && arg != "":
		p.add(Step{Kind: Module, Line: p.at + 1, Name: arg})
	case name == "edit" && edit != nil:
		p.add(Step{Kind: Edit, Line: p.at + 1, Name: edit[1], Old: edit[2], New: edit[3]})
	default:
		p.fail("unknown directive %s; the directives are module PATH, file NAME, with PARAMETERS, edit FILE: OLD => NEW, "+
			"fails, no output shown, skip: REASON", text)
	}
}

// block reads a block whose opening fence is the current line.
func (p *scanner) block(indent, language string) {
	next, open, end := p.next, p.at, p.at+1
	p.next = directives{}
	for end < len(p.lines) && strings.TrimSpace(p.lines[end]) != "```" {
		end++
	}
	if end == len(p.lines) {
		p.fail("the block does not end")
		return
	}
	var lines []string
	for _, line := range p.lines[open+1 : end] {
		if p.hidden && strings.Contains(line, "-->") {
			p.fail("a hidden block cannot contain -->, which would end the HTML comment")
		}
		lines = append(lines, strings.TrimPrefix(line, indent))
	}
	step := Step{Kind: File, Line: open + 2, Name: next.file, Text: strings.Join(lines, "\n") + "\n", indent: indent}
	switch known := map[string]bool{"text": true, "yaml": true, "json": true, "c": true}[language]; {
	case next.skip != "":
		p.add(Step{Kind: Skip, Line: open + 1, Name: next.skip})
	case language == "console", language == "sh":
		p.commands(lines, step, next)
	case language == "go" && next.file == "" && nameLine.MatchString(strings.Split(step.Text, "\n")[0]):
		step.Name = nameLine.FindStringSubmatch(lines[0])[1]
		p.add(step)
	case language == "go" && next.file == "":
		step.Kind, step.Name = Fragment, next.with
		p.add(step)
	case language == "go", known && next.file != "":
		p.add(step)
	case known:
		p.Uncompared++
	default:
		p.fail("the language of the block is %q; it must be one of go, console, sh, text, yaml, json, c", language)
	}
	p.at = end + 1
}

// commands reads the lines of a console block. A <!-- fails --> directive applies to the
// last command of the block.
func (p *scanner) commands(lines []string, block Step, next directives) {
	first := len(p.Steps)
	for i, line := range lines {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			at := block.Line - 1 + i
			p.add(Step{Kind: Run, Line: at + 1, Text: command, Silent: next.silent, indent: block.indent, from: at + 1, to: at + 1})
			continue
		}
		if len(p.Steps) == first || next.silent {
			p.fail("console block: this line is neither a command, which begins with \"$ \", nor the output of a command: %s", line)
			return
		}
		step := &p.Steps[len(p.Steps)-1]
		step.Shown, step.to = append(step.Shown, line), step.to+1
	}
	if len(p.Steps) > first {
		p.Steps[len(p.Steps)-1].Fails = next.fails
	}
}
