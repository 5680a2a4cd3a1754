//go:build go1.25

package judge

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/ops/proc"
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

func parse(text string) (lines []line) {
	for part := range strings.SplitSeq(text, ", ") {
		words := append(strings.Fields(part), "0", "")
		l := line{Event: words[0]}
		l.Fault, _ = strconv.Atoi(words[1])
		switch word := words[2]; l.Event {
		case judged:
			if l.Kind = word; word == "once" {
				l.Once = true
			} else if word == "open" {
				l.Kind, l.Open = "killed", true
			}
		case note:
			l.By = word
		case stuck:
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
	}{{"again", o.again}, {"alone", o.alone}, {"fresh", o.fresh}, {"rest", o.rest}} {
		if len(list.ids) > 0 {
			s += "; " + list.name + " " + strings.Trim(fmt.Sprint(list.ids), "[]")
		}
	}
	return s
}
