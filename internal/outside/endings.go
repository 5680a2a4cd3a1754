//go:build go1.25

package outside

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Ending is how a run of a program ended.
type Ending struct {
	Program string // its name
	Command string // its command line
	Code    int
	Output  string // what it has printed
	Unread  bool   // no run has read its input so far, which is certain
	Advice  string // what to do if no run has checked anything
}

// Endings remembers whether all runs of a property ended in the same way. Then the inputs make no
// difference: the command line is wrong, or the program cannot be run here. The zero value is
// empty. A property may run several programs, also at the same time.
type Endings struct {
	mu     sync.Mutex
	of     map[string]*ends // by program
	last   Ending
	runs   int
	fine   bool // a run has ended with exit code 0
	unlike bool // two runs of a program have ended in different ways
}

// ends is the endings of one program.
type ends struct {
	first  Ending // without numbers in its output
	unread bool
}

// Least is how many runs must have ended to end a search because of Vacuous.
const Least = 100

// Add adds the end of a run. A nil receiver is the Endings of a program that no property runs.
func (e *Endings) Add(x Ending) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.runs++
	e.fine = e.fine || x.Code == 0
	if e.of == nil {
		e.of = map[string]*ends{}
	}
	p := e.of[x.Program]
	if p == nil {
		p = &ends{first: Ending{Code: x.Code, Output: WithoutNumbers(x.Output)}}
		e.of[x.Program] = p
	}
	if p.unread = x.Unread; e.unlike {
		return // most programs end in several ways, so this is the usual case
	}
	e.last = x
	e.unlike = p.first.Code != x.Code || p.first.Output != WithoutNumbers(x.Output)
}

// unread reports whether no program has read its input.
func (e *Endings) unread() bool {
	for _, p := range e.of {
		if !p.unread {
			return false
		}
	}
	return e.runs > 0
}

// Runs returns how many runs of programs have ended.
func (e *Endings) Runs() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.runs
}

// Vacuous returns why the runs have checked nothing, and "" if they may have checked something. It is vacuous if
// all runs ended with the same error, or if no run has read its input. The first line is a summary. varied is true if
// runs have taken different paths through the program.
func (e *Endings) Vacuous(varied bool) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	x, why := e.last, ""
	switch {
	case e.runs == 0:
		return ""
	case !e.unlike && !e.fine && !varied && strings.TrimSpace(x.Output) == "":
		why = fmt.Sprintf("ended with exit code %d and no message in %s", x.Code, times(e.runs))
	case !e.unlike && !e.fine && !varied:
		why = fmt.Sprintf("ended with exit code %d and the same message in %s", x.Code, times(e.runs))
	case e.unread():
		why = "has read its input in none of " + strings.TrimPrefix(times(e.runs), "all ")
	default:
		return ""
	}
	return fmt.Sprintf("vacuous: %s %s\n%s", x.Program, why, x.remedy())
}

// Note returns what to know about runs that all ended well and in the same way, and "" if they did not.
func (e *Endings) Note() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.runs == 0 || e.unlike || !e.fine || e.unread() {
		return ""
	}
	printed := "printed nothing"
	if strings.TrimSpace(e.last.Output) != "" {
		printed = "printed the same"
	}
	return fmt.Sprintf("%s ended with exit code 0 and %s in %s, so nothing guides the search, and it finds only crashes",
		e.last.Program, printed, times(e.runs))
}

func times(runs int) string {
	if runs == 1 {
		return "1 run"
	}
	return fmt.Sprintf("all %d runs", runs)
}

// remedy shows what the program has printed, its command line and what to do.
func (x Ending) remedy() string {
	text := ""
	for _, line := range edges(x.Output) {
		text += "    " + line + "\n"
	}
	return text + "This has checked nothing. The command line is:\n    " + x.Command + "\n" + x.Advice
}

const (
	linesMax = 8
	lineMax  = 200
)

// LastLines returns the last lines of a text, each of bounded length.
func LastLines(text string) []string {
	all := split(text)
	return bounded(all[max(0, len(all)-linesMax):])
}

// edges returns the first and the last lines of a text. The error may come before a long help, or after a stack.
func edges(text string) []string {
	all := split(text)
	if len(all) > linesMax {
		all = slices.Concat(all[:linesMax/2], []string{"..."}, all[len(all)-linesMax/2+1:])
	}
	return bounded(all)
}

func split(text string) []string {
	if text = strings.ToValidUTF8(strings.TrimRight(text, "\n "), "?"); text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func bounded(lines []string) []string {
	for i, l := range lines {
		if len(l) > lineMax {
			lines[i] = strings.ToValidUTF8(l[:lineMax], "") + " ..."
		}
	}
	return lines
}

// CommandLine writes a command line for a shell.
func CommandLine(args []string) string {
	var b strings.Builder
	input := " < @@"
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
			if strings.Contains(a, "@@") {
				input = ""
			}
		}
		if a == "" || strings.Trim(a, plain) != "" {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		b.WriteString(a)
	}
	return b.String() + input
}

// plain is the characters that a shell leaves as they are.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./%+,:=@"

var numbers = regexp.MustCompile(`0x[0-9a-fA-F]+|[0-9]+`)

// WithoutNumbers replaces the numbers in a text, which differ between runs that did the same.
func WithoutNumbers(text string) string { return numbers.ReplaceAllString(text, "#") }

type key struct{}

// With returns the context of a run of a property.
func With(ctx context.Context, e *Endings) context.Context { return context.WithValue(ctx, key{}, e) }

// Of returns the Endings of the property that makes a run, or nil if the context is of something else.
func Of(ctx context.Context) *Endings {
	e, _ := ctx.Value(key{}).(*Endings)
	return e
}
