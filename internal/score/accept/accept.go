//go:build go1.25

// Package accept reads which faults the user has accepted, from comments in the source:
//
//	if n <= cap { //allele:ignore boundary the next case gives the same result
//
//	//allele:ignore all a shortcut: without it the result is the same
//	if len(list) == 0 {
//
// A directive stands beside the line, or alone above it. It is about the faults of one operator
// whose change begins in that line, or about all of them. It is in the source, so it moves with
// the line, and a review sees it.
//
//	l := accept.List{Operators: names}
//	err := l.Read(file, source)      // command: once for each file
//	d := l.Match(fault)              // nil if the fault is to be judged
//	l.Stale()                        // directives that no fault was matched with
package accept

import (
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/site"
)

// Prefix is how a directive begins.
const Prefix = "//allele:ignore"

// All stands for the names of all operators in a directive.
const All = "all"

// Directive is a comment that accepts faults.
type Directive struct {
	File             string
	Line             int // of the comment
	Operator, Reason string

	of   int // the line of code that it is about
	used bool
}

// String returns the directive without its reason.
func (d *Directive) String() string { return Prefix + " " + d.Operator }

// List is the directives of some files. Its zero value with the names of the operators is ready to use.
type List struct {
	Operators []string
	Show      func(file string) string // how files are named in messages; nil means as they are

	all   []*Directive
	lines map[string][]int // file -> offsets at which its lines begin
}

// Read adds the directives of a file. The error names all that are invalid, with their places.
func (l *List) Read(file string, src []byte) (err error) {
	if !strings.Contains(string(src), "allele:ignore") {
		return nil
	}
	set := token.NewFileSet().AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(set, src, nil, scanner.ScanComments)
	var waiting []*Directive // alone in their lines: they are about the next line with code
	code := 0                // the last line with code
	for {
		pos, tok, text := s.Scan()
		switch line := set.Line(pos); {
		case tok == token.EOF:
			if l.lines == nil {
				l.lines = map[string][]int{}
			}
			l.lines[file] = set.Lines()
			return err
		case tok == token.COMMENT:
			d, wrong := l.directive(text)
			if wrong != "" {
				err = errors.Join(err, fmt.Errorf("%s:%d: %s", l.show(file), line, wrong))
			}
			if d == nil {
				continue
			}
			d.File, d.Line, d.of = file, line, line
			l.all = append(l.all, d)
			if code != line {
				waiting = append(waiting, d)
			}
		case tok != token.SEMICOLON || text == ";":
			for _, d := range waiting {
				d.of = line
			}
			waiting = nil
			code = line + strings.Count(text, "\n")
		}
	}
}

// directive parses a comment. It returns nil if the comment is no directive, or an invalid one, and
// what is wrong.
func (l *List) directive(text string) (d *Directive, wrong string) {
	rest, ok := strings.CutPrefix(text, Prefix)
	if !ok {
		if spaced := strings.TrimLeft(strings.TrimPrefix(text, "//"), " \t"); strings.HasPrefix(spaced, "allele:ignore ") {
			return nil, "a directive has no space after //: write " + Prefix + " OPERATOR REASON"
		}
		return nil, ""
	}
	if rest != "" && strings.TrimLeft(rest, " \t") == rest {
		return nil, "" // another word
	}
	operator, reason := "", ""
	if words := strings.Fields(rest); len(words) > 0 {
		operator, reason = words[0], strings.Join(words[1:], " ")
	}
	names := slices.Concat(l.Operators, []string{All})
	switch {
	case operator == "":
		return nil, fmt.Sprintf("%s names no operator: write %[1]s OPERATOR REASON; the operators are %s",
			Prefix, strings.Join(names, ", "))
	case !slices.Contains(names, operator):
		return nil, fmt.Sprintf("%s %.40q: there is no such operator; the operators are %s", Prefix, operator, strings.Join(names, ", "))
	case reason == "":
		return nil, fmt.Sprintf("%s %s has no reason: write %[1]s %[2]s REASON, "+
			"so that a reader knows why no test needs to notice the fault", Prefix, operator)
	}
	return &Directive{Operator: operator, Reason: reason}, ""
}

func (l *List) show(file string) string {
	if l.Show == nil {
		return file
	}
	return l.Show(file)
}

// Match returns the first directive that accepts a fault, or nil, and remembers that it was used.
func (l *List) Match(f site.Fault) (first *Directive) {
	line := f.Line
	if offsets, ok := l.lines[f.File]; ok && f.Edit != (site.Edit{}) {
		i, found := slices.BinarySearch(offsets, f.Edit.Offset)
		if line = i; found {
			line++
		}
	}
	for _, d := range l.all {
		if d.File == f.File && d.of == line && (d.Operator == All || d.Operator == f.Operator) {
			d.used = true
			if first == nil {
				first = d
			}
		}
	}
	return first
}

// Stale returns the directives that no fault was matched with: the code has changed, or now has
// no faults.
func (l *List) Stale() (stale []*Directive) {
	for _, d := range l.all {
		if !d.used {
			stale = append(stale, d)
		}
	}
	return stale
}
