//go:build go1.25

package judge

import (
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/scoring"
)

// What follows from the end of a process that was to judge the faults 1 to 4. A line is written
// as its event, the fault, and a word; the second column is how the process ended.
func TestDecide(t *testing.T) {
	for _, c := range []struct{ about, lines, death, want string }{
		{"all went well", "begin, start 1, judged 1 killed, check 1, start 2, judged 2 survived, judged 3 init, judged 4 killed, good, done", "",
			"1 killed, 2 survived, 3 init, 4 killed"},
		{"a test reaches a place once", "begin, judged 1 once, judged 2 killed, judged 3 init, judged 4 init, good, done", "",
			"2 killed, 3 init, 4 init; fresh 1"},
		{"the first fault ends the process", "begin, start 1", "fatal", "1 killed by panic (boom); rest 2 3 4"},
		{"the second fault ends the process: it is tried again as the first", "begin, start 1, judged 1 killed, start 2", "fatal",
			"1 killed; rest 2 3 4"},
		{"a note decides, even if the fault is not the first", "begin, judged 1 killed, start 2, note 2 budget", "fatal",
			"1 killed, 2 killed by budget; rest 3 4"},
		{"a note from an earlier run does not count", "begin, start 1, note 1 panic, judged 1 killed, start 2", "fatal",
			"1 killed; rest 2 3 4"},
		{"the first fault hangs", "begin, start 1, stuck 1 endless", "exit", "1 no verdict (endless); rest 2 3 4"},
		{"the second fault hangs", "begin, start 1, judged 1 killed, start 2, stuck 2 endless", "exit", "1 killed; rest 2 3 4"},
		{"it was killed from outside", "begin, start 1", "killed", "1 no verdict (boom); rest 2 3 4"},
		{"a goroutine goes on", "begin, start 1, judged 1 killed, busy 1", "exit", "1 killed; rest 2 3 4"},
		{"it died between runs", "begin, start 1, judged 1 killed", "panic", "1 killed; rest 2 3 4"},
		{"it died before the first run", "begin", "panic", "; rest 1 2 3 4"},
		{"after the first kill the test fails without the fault", "begin, start 1, judged 1 killed, check 1, polluted 1", "exit",
			"1 killed; rest 2 3 4"},
		{"after a kill the test fails without the fault", "begin, judged 1 killed, start 2, judged 2 killed, check 2, polluted 2", "exit",
			"1 killed; alone 2; rest 3 4"},
		{"after a kill the test hangs without the fault", "begin, judged 1 killed, start 2, judged 2 killed, check 2, stuck 2 endless", "exit",
			"1 killed; alone 2; rest 3 4"},
		{"a test fails at the end", "begin, judged 1 killed, judged 2 killed, judged 3 killed, judged 4 killed, check -1, polluted -1", "exit",
			"; again 1 2 3 4"},
		{"a test fails after a good check", "begin, judged 1 killed, judged 2 killed, good, judged 3 killed, judged 4 init, check -1, polluted -1",
			"exit", "1 killed, 2 killed; again 3 4"},
		{"a test dies at the end", "begin, judged 1 killed, judged 2 killed, judged 3 killed, judged 4 killed, check -1", "panic",
			"; again 1 2 3 4"},
		{"kills of a slow test are open when the process dies", "begin, judged 1 open, judged 2 killed, judged 3 open, start 4", "fatal",
			"2 killed; again 1 3; rest 4"},
		{"the slow test passes later", "begin, judged 1 open, judged 2 open, judged 3 killed, check 3, start 4", "fatal",
			"1 killed, 2 killed, 3 killed; rest 4"},
		{"the slow test fails later", "begin, judged 1 open, judged 2 survived, judged 3 killed, check 3, polluted 3", "exit",
			"2 survived; again 1; alone 3; rest 4"},
		{"it was cut short in a run", "begin, judged 1 killed, judged 2 open, judged 3 survived, start 4", "cut", "1 killed, 3 survived; again 2; rest 4"},
		{"it was cut short in its first run", "begin, start 1", "cut", "; rest 1 2 3 4"},
		{"it was cut short after a note", "begin, judged 1 killed, start 2, note 2 budget", "cut", "1 killed; rest 2 3 4"},
		{"it was cut short in the check after a kill", "begin, judged 1 survived, judged 2 killed, check 2", "cut", "1 survived; rest 3 4"},
		{"it was cut short in a check of all tests", "begin, judged 1 survived, good, judged 2 killed, check -1", "cut", "1 survived; rest 3 4"},
		{"more verdicts than faults", "begin, judged 1 init, judged 2 init, judged 3 init, judged 4 init, judged 5 init, start 6", "panic",
			"1 init, 2 init, 3 init, 4 init, 5 init"},
	} {
		e := &ending{lines: parse(c.lines), death: proc.Death{Kind: proc.Kind(c.death), Text: "boom"}, cut: c.death == "cut"}
		if got := describe(decide(task{faults: []int{1, 2, 3, 4}}, e)); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.about, got, c.want)
		}
	}
}

// What follows from the end of a process that started with fault 1 switched on.
func TestDecideBoot(t *testing.T) {
	for _, c := range []struct{ about, lines, death, stack, want string }{
		{"the tests run", "begin, start 1, judged 1 killed, done", "", "", "1 killed"},
		{"the initialisers panic", "", "panic", "", "1 killed by panic (boom)"},
		{"the initialisers take too many steps", "", "panic", hook.BootSpent, "1 killed by budget (the initialisers take too many steps)"},
		{"it was cut short in the initialisers", "", "cut", "", "; rest 1"},
		{"the initialisers block", "", "deadlock", "", "1 no verdict (boom)"},
	} {
		e := &ending{death: proc.Death{Kind: proc.Kind(c.death), Text: "boom", Stack: c.stack}, cut: c.death == "cut"}
		if c.lines != "" {
			e.lines = parse(c.lines)
		}
		if got := describe(decide(task{faults: []int{1}, boot: true}, e)); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.about, got, c.want)
		}
	}
}

func parse(text string) (lines []scoring.Line) {
	for part := range strings.SplitSeq(text, ", ") {
		words := append(strings.Fields(part), "0", "")
		l := scoring.Line{Event: words[0]}
		l.Fault, _ = strconv.Atoi(words[1])
		switch word := words[2]; l.Event {
		case scoring.Judged:
			if l.Kind = word; word == "once" {
				l.Once = true
			} else if word == "open" {
				l.Kind, l.Open = "killed", true
			}
		case scoring.Note:
			l.By = word
		case scoring.Stuck:
			l.Detail = word
		}
		lines = append(lines, l)
	}
	return lines
}

func describe(o outcome) string {
	var verdicts []string
	for _, v := range o.verdicts {
		verdicts = append(verdicts, fmt.Sprint(v.Fault, " ", v))
	}
	s := strings.Join(verdicts, ", ")
	for _, list := range []struct {
		name string
		ids  []int
	}{{"again", o.again}, {"alone", o.alone}, {"fresh", o.fresh}, {"boot", o.boot}, {"rest", o.rest}} {
		if len(list.ids) > 0 {
			s += "; " + list.name + " " + strings.Trim(fmt.Sprint(list.ids), "[]")
		}
	}
	return s
}

// Every situation has exactly one row.
func TestRows(t *testing.T) {
	for end := cutShort; end <= died; end <<= 1 {
		for doing := booting; doing <= checkAll; doing <<= 1 {
			for count := none; count <= more; count <<= 1 {
				for note := noted; note <= notNoted; note <<= 1 {
					n := 0
					for _, r := range rows {
						if r.holds(end | doing | count | note) {
							n++
						}
					}
					if n != 1 {
						t.Errorf("%b %b %b %b has %d rows", end, doing, count, note, n)
					}
				}
			}
		}
	}
}

// What decide answers for all short sequences of lines, also for those that no process writes, and for many long ones,
// is what it has always answered. If an answer is to change, TestDecide gets a row and decided a new value.
func TestDecideAnswers(t *testing.T) {
	sum := sha256.New()
	var events []int
	var all func(left int)
	all = func(left int) {
		answers(sum, events)
		if left == 0 {
			return
		}
		for i := range symbols {
			events = append(events, i)
			all(left - 1)
			events = events[:len(events)-1]
		}
	}
	all(3)
	random := rand.New(rand.NewPCG(1, 2))
	for range longSequences {
		events = events[:0]
		for range 4 + random.IntN(12) {
			events = append(events, random.IntN(symbols))
		}
		answers(sum, events)
	}
	if got := fmt.Sprintf("%x", sum.Sum(nil)[:8]); got != decided {
		t.Errorf("the answers have the sum %s, want %s", got, decided)
	}
}

// decided identifies the answers to all questions of TestDecideAnswers.
const decided = "c82d5428809e45c1"

// longSequences is how many long sequences are asked about.
const longSequences = 2000

// answers asks about a sequence of lines with each ending, and writes the answers to w.
func answers(w io.Writer, events []int) {
	lines := linesOf(events)
	for _, death := range []proc.Kind{"", proc.Fatal, proc.Killed} {
		for bits := range 16 {
			e := &ending{lines: slices.Clone(lines), death: proc.Death{Kind: death, Text: "boom"}, cut: bits&1 != 0, silent: bits&2 != 0}
			if bits&4 != 0 {
				e.death.Stack = hook.BootSpent
			}
			task := task{faults: []int{1, 2, 3, 4}, boot: bits&8 != 0}
			if task.boot {
				task.faults = task.faults[:1]
			}
			if task.boot && e.cut && !e.has(scoring.Begin) {
				continue // a row of TestDecide
			}
			out := decide(task, e)
			fmt.Fprintln(w, out.verdicts, out.again, out.alone, out.fresh, out.boot, out.rest)
		}
	}
}

// symbols is how many lines linesOf knows.
const symbols = 16

// linesOf returns lines with these events. The number of a fault is one more than that of the verdicts before it, as in
// a process.
func linesOf(events []int) (lines []scoring.Line) {
	judgedSoFar := 0
	for _, x := range events {
		now, before := judgedSoFar+1, judgedSoFar
		verdict := scoring.Line{Event: scoring.Judged, Fault: now, Kind: "killed", By: "test", Test: "TestA", Tests: 3, Runs: 2}
		switch x {
		case 0:
			verdict.Kind, verdict.By = "survived", ""
		case 1:
			verdict.Open = true
		case 2:
			verdict.Open, verdict.Test = true, "TestB"
		case 3:
			verdict.Once = true
		case 4:
			verdict.Kind, verdict.By, verdict.Init = "init", "", true
		case 5:
		default:
			others := []scoring.Line{{Event: scoring.Begin}, {Event: scoring.Start, Fault: now, Test: "TestA", Tests: 3, Runs: 1},
				{Event: scoring.Note, Fault: now, By: "budget", Detail: "steps"}, {Event: scoring.Check, Fault: before, Test: "TestA"},
				{Event: scoring.Check, Fault: scoring.NoFault, Test: "TestB"}, {Event: scoring.Good},
				{Event: scoring.Polluted, Fault: before, Test: "TestA"},
				{Event: scoring.Busy, Fault: before}, {Event: scoring.Stuck, Fault: now, Detail: "endless"}, {Event: scoring.Done}}
			lines = append(lines, others[x-6])
			continue
		}
		judgedSoFar++
		lines = append(lines, verdict)
	}
	return lines
}
