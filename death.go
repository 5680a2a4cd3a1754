package allele

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/ops/proc"
)

// exitWords is how the testing package says that a test called os.Exit(0).
const exitWords = "unexpected call to os.Exit(0) during test"

// exited reports whether the property called os.Exit(0), which is a panic in a
// test.
func (o outcome) exited() bool {
	return o.panicked() != nil && strings.HasPrefix(o.panicked().Text, exitWords)
}

// apart reports whether the input of a finding can only be run in a process of its
// own, which it may end or which is ended.
func (f finding) apart() bool {
	k := f.outcome.kind()
	return f.ends || f.outcome.death != nil || k == proc.Cut || k == proc.Hang
}

// deathline says in one line what ended the process.
func deathline(o outcome) string {
	d := o.death
	in, where := inFrame(deathFrames(d)), deathSite(d)
	if where != "" {
		where = " (" + where + ")"
	}
	switch d.Kind {
	case proc.Panic:
		if strings.HasPrefix(d.Text, exitWords) {
			return "a goroutine of the property called os.Exit(0)" + where
		}
		return fmt.Sprintf("a goroutine of the property panicked: %s%s", d.Text, where)
	case proc.Fatal:
		return d.Text + in
	case proc.Exit:
		return fmt.Sprintf("property ended its process: os.Exit(%d)", d.Code)
	case proc.Deadlock:
		return "deadlock: every goroutine waits" + in
	case proc.Hang:
		return fmt.Sprintf("property did not end: it was still running after %v%s", o.waited, in)
	case proc.Memory:
		return fmt.Sprintf("property ran out of memory%s; a process may take %d MB", in, o.limit>>20)
	case proc.Race:
		return "data race" + in
	}
	return "property had its process " + d.Text
}

// inFrame names the function to blame, and where.
func inFrame(fs []frame) string {
	if f, ok := culprit(fs); ok {
		return fmt.Sprintf(" in %s, %s", f.function(), filepath.Base(f.at))
	}
	return ""
}

// overflowFrames are those of a run that was cut because of its stack.
func overflowFrames(o outcome) []frame {
	if o.more == nil || o.more.overflow == "" {
		return nil
	}
	fs, _ := userFrames(o.more.overflow)
	return fs
}

// deathSite is the file and line of a death.
func deathSite(d *proc.Death) string {
	if f, ok := culprit(deathFrames(d)); ok {
		return filepath.Base(f.at)
	}
	return ""
}

const (
	raceMax  = 4000                 // what is shown of a data race at most
	raceRule = "==================" // what its detector prints above one
)

// writeDeath shows what the runtime said, as far as it concerns the property.
func writeDeath(b *strings.Builder, d *proc.Death) {
	if text := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(d.Err), raceRule)); text != "" {
		b.WriteString("\n\nprinted before:\n" + indent(bounded(text, messageMax)))
	}
	if d.Kind == proc.Race {
		b.WriteString("\n\n" + bounded(strings.TrimSpace(d.Stack), raceMax)) // both sides matter
		return
	}
	if fs := deathFrames(d); len(fs) > 0 {
		b.WriteString("\n\nstack:\n" + trim(fs))
	}
}

// deathFrames finds the goroutine that matters in what the runtime printed: the
// first one with code of the user. When all wait or one hangs, it is that of the
// property, as others may wait for good reason.
func deathFrames(d *proc.Death) []frame {
	var first []frame
	for _, g := range goroutines(d.Stack) {
		fs, ours := userFrames(g)
		switch {
		case len(fs) == 0:
		case d.Kind != proc.Hang && d.Kind != proc.Deadlock || ours:
			return fs
		case first == nil:
			first = fs
		}
	}
	return first
}

// goroutines splits what the runtime printed, or the race detector.
func goroutines(report string) []string {
	if strings.HasPrefix(report, "WARNING: DATA RACE") {
		return strings.Split(report, "\n\n")
	}
	var all []string
	for part := range strings.SplitSeq("\n"+report, "\n\ngoroutine ") {
		all = append(all, part)
	}
	return all[1:]
}

// userFrames are the frames of a goroutine down to the property, and whether it is
// one that runs it. A function that called itself, also by way of others, is there once.
func userFrames(goroutine string) (fs []frame, ours bool) {
	all, ours := framesDown(goroutine)
	for _, f := range all {
		if !slices.ContainsFunc(fs, func(g frame) bool { return g.at == f.at && g.function() == f.function() }) {
			fs = append(fs, f)
		}
	}
	return fs, ours
}

// allFrames has functions as often as they are there.
func allFrames(goroutine string) []frame {
	fs, _ := framesDown(goroutine)
	return fs
}

func framesDown(goroutine string) (fs []frame, ours bool) {
	lines := strings.Split(goroutine, "\n")
	for i := 1; i+1 < len(lines); i++ {
		call, at := strings.TrimSpace(lines[i]), lines[i+1]
		if !strings.HasPrefix(at, "\t") && !strings.HasPrefix(at, "      ") {
			continue // frames left out, or something else
		}
		i++
		at = position(at)
		name := strings.TrimPrefix(call, "created by ")
		switch {
		case strings.HasPrefix(name, "github.com/allele-go/allele.") && !strings.Contains(at, "_test.go:"):
			return fs, len(fs) > 0
		case strings.HasPrefix(name, "runtime."), strings.HasPrefix(name, "internal/"), strings.HasPrefix(name, "github.com/allele-go/allele/internal/hook."), strings.HasPrefix(name, "panic("), strings.HasPrefix(name, "testing."), strings.HasPrefix(name, "main.main"), strings.Contains(at, "/zz_allele"), at == autogenerated:
		default:
			fs = append(fs, frame{call, at})
		}
	}
	return fs, false
}

// autogenerated is the place of functions that the compiler has made.
const autogenerated = "<autogenerated>:1"

// position is the file and line in a line of a stack, without what follows: an
// offset in the function and, in that of a process that was ended, registers.
func position(line string) string {
	at, _, _ := strings.Cut(strings.TrimSpace(line), " +0x")
	at, _, _ = strings.Cut(at, " fp=0x")
	return at
}
