//go:build go1.25

package score

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/words"
)

// shownMax is how many survivors are printed without -all.
const shownMax = 20

// survivor is a fault that is alive, or all faults of a function that is never reached.
type survivor struct {
	site.Fault
	Result
	of     *Package
	faults int // how many faults it stands for
	last   int // the last line of these
}

// urgency orders survivors. A weak property can be improved where it is; a place that is
// never reached first needs inputs.
var urgency = map[string]int{fate.Survived: 0, fate.NotInfected: 1, fate.NotReached: 2}

// survivors prints the faults that are alive, by file, and then what to do about them.
func (t *text) survivors() {
	all := t.alive()
	if len(all) == 0 {
		return
	}
	shown := all
	if !t.All && len(all) > shownMax {
		shown = shown[:shownMax]
	}
	shown = slices.SortedStableFunc(slices.Values(shown), func(a, b survivor) int { return comparePlaces(a.Fault, b.Fault) })
	file, last := "", ""
	for _, s := range shown {
		if s.File != file {
			t.line("\n%s", t.paint(bold, words.Printable(t.relative(s.File))))
			file, last = s.File, ""
		}
		last = t.place(s, last)
		t.explain(s)
	}
	rest := 0
	for _, s := range all[len(shown):] {
		rest += s.faults
	}
	if rest > 0 {
		t.line("\nand %s; -all prints all of them", words.Count(rest, "more fault"))
	}
	t.advice(all)
}

// alive returns the survivors, the most urgent first.
func (t *text) alive() (all []survivor) {
	for i := range t.report.Packages {
		p := &t.report.Packages[i]
		unreached := map[string]int{} // function -> its index in all
		for j, r := range p.Results {
			if !r.Alive() {
				continue
			}
			f := p.Faults[j]
			if r.Kind == fate.NotReached && !t.All {
				key := f.File + "\x00" + f.Func
				if at, ok := unreached[key]; ok {
					all[at].faults++
					all[at].last = max(all[at].last, f.Line)
					continue
				}
				unreached[key] = len(all)
			}
			all = append(all, survivor{f, r, p, 1, f.Line})
		}
	}
	slices.SortStableFunc(all, func(a, b survivor) int { return cmp.Compare(urgency[a.Kind], urgency[b.Kind]) })
	return all
}

const (
	numberWidth = 6  // a line number and two spaces
	before      = 16 // columns that stay of a long line in front of the change
)

// place prints the source line of a survivor, and below it the change. It prints the line only
// once, if the survivor before has the same one. It returns what it has printed.
func (t *text) place(s survivor, last string) (line string) {
	number := words.Right(fmt.Sprint(s.Line), numberWidth-2) + "  "
	if s.faults > 1 {
		lines := ""
		if s.last > s.Line {
			lines = fmt.Sprintf(", lines %d to %d", s.Line, s.last)
		}
		t.line("%s%s: %s%s", t.paint(faint, number), cmp.Or(words.Printable(s.Func), "the package"), words.Count(s.faults, "fault"), lines)
		return ""
	}
	line, at, size, ok := t.window(s.Fault)
	painted := line[:at] + t.paint(red, line[at:at+size]) + line[at+size:]
	if !ok {
		line = words.Printable(s.Func)
		painted = line
	}
	if line = number + line; line != last {
		t.line("%s%s", t.paint(faint, number), painted)
	}
	t.change(s)
	return line
}

// change prints what a fault changes, below the place in the source line if it fits there.
func (t *text) change(s survivor) {
	from, to := oneLine(s.From), oneLine(s.To)
	if to == "" {
		to = "nothing"
	}
	room := t.Columns - numberWidth
	text := words.Cut(from+" → "+to, room)
	indent := 0
	if line, at, _, ok := t.window(s.Fault); ok {
		if i := strings.LastIndex(line[:min(len(line), at+len(from))], from); i >= 0 {
			at = i // it may begin before the place
		}
		indent = max(0, min(words.Width(line[:at]), room-words.Width(text)))
	}
	if len(text) > len(from) && strings.HasPrefix(text, from) {
		text = from + t.paint(yellow, text[len(from):])
	}
	t.line("%s%s", strings.Repeat(" ", numberWidth+indent), text)
}

// window returns the source line of a fault without its indentation, and which bytes of it are
// changed. Parts of a long line are left out. It returns false if the file has changed.
func (t *text) window(f site.Fault) (line string, at, size int, ok bool) {
	lines := t.lines(f.File)
	if f.Line < 1 || f.Line > len(lines) || f.Col < 1 || f.Col > len(lines[f.Line-1]) {
		return "", 0, 0, false
	}
	whole := lines[f.Line-1]
	end := len(whole)
	if f.EndLine == f.Line && f.EndCol > f.Col && f.EndCol <= end {
		end = f.EndCol - 1
	}
	head, piece, rest := oneLine(strings.TrimLeft(whole[:f.Col-1], " \t")), oneLine(whole[f.Col-1:end]), oneLine(whole[end:])
	room := t.Columns - numberWidth
	if words.Width(head+piece+rest) > room && words.Width(head+piece) > room && words.Width(head) > before {
		head = "…" + string([]rune(head)[len([]rune(head))-before+1:])
	}
	piece = words.Cut(piece, room-words.Width(head))
	rest = words.Cut(strings.TrimRight(rest, " "), room-words.Width(head+piece))
	return head + piece + rest, len(head), len(piece), piece != ""
}

// lines returns the lines of a file, or nothing if it cannot be read.
func (t *text) lines(file string) []string {
	lines, ok := t.sources[file]
	if !ok && t.Source != nil {
		if data, err := t.Source(file); err == nil {
			lines = strings.Split(string(data), "\n")
		}
		t.sources[file] = lines
	}
	return lines
}

// oneLine makes source printable in one line.
func oneLine(s string) string {
	return words.Printable(strings.NewReplacer("\t", " ", "\n", " ", "\r", "").Replace(s))
}

func (t *text) relative(file string) string {
	if t.Relative == nil {
		return file
	}
	return t.Relative(file)
}

// explain prints the verdict on a survivor and what shows it.
func (t *text) explain(s survivor) {
	var m *Member
	if s.Member >= 0 {
		m = s.of.Members[s.Member]
	}
	why := ""
	switch s.Kind {
	case fate.Survived:
		why = "survived: " + passed(m, s.Result) + " passed with this change"
	case fate.NotInfected:
		why = "never infected: " + reach(m, s.Result) + ", but the change never made a difference here"
	default:
		why = "never reached by any input or test"
	}
	if s.Unsure != "" && s.Kind != fate.NotReached {
		why += " (no verdict of " + firstLine(s.Unsure) + ")"
	}
	for _, line := range wrap(why, t.Columns-numberWidth) {
		t.line("%s%s", strings.Repeat(" ", numberWidth), line)
	}
	if s.Kind == fate.Survived && s.Input != "" {
		t.line("%s%s", strings.Repeat(" ", numberWidth), words.Cut("for example "+flat(s.Input), t.Columns-numberWidth))
	}
}

// flat writes an input in one line. Of a struct without a name, only the fields matter.
func flat(input string) string {
	if strings.HasPrefix(input, "struct {") {
		if i := strings.Index(input, "\n}{"); i >= 0 {
			input = input[i+2:]
		}
	}
	input = regexp.MustCompile(`\{\n\s*`).ReplaceAllString(input, "{")
	input = regexp.MustCompile(`,?\n\s*\}`).ReplaceAllString(input, "}")
	return oneLine(regexp.MustCompile(`\s*\n\s*`).ReplaceAllString(input, " "))
}

// passed says what ran with a fault and passed: 12 inputs of TestInsert.
func passed(m *Member, r Result) string {
	test := words.Printable(r.Test)
	if m != nil && m.Kind == Property {
		text := "inputs of " + m.title()
		if r.Runs > 0 {
			text = words.Count(r.Runs, "input") + " of " + m.title()
		}
		if r.Input == "" && test != "" {
			text += ", for example " + test + ","
		}
		return text + also(r)
	}
	switch {
	case test == "" && r.Runs == 0:
		return "tests" + also(r)
	case test == "":
		return words.Count(r.Runs, "test") + also(r)
	case r.Runs > 1:
		return test + " and " + words.Count(r.Runs-1, "other test") + also(r)
	}
	return test + also(r)
}

// reach says what reaches a place: 12 inputs of TestInsert reach this place.
func reach(m *Member, r Result) string {
	what, verb := "input", "reach"
	if m == nil || m.Kind == Tests {
		what = "test"
	}
	if r.Tests == 1 && r.Others == 0 {
		verb = "reaches"
	}
	text := what + "s"
	if r.Tests > 0 {
		text = words.Count(r.Tests, what)
	}
	if what == "input" {
		text += " of " + m.title()
	}
	return text + also(r) + " " + verb + " this place"
}

func also(r Result) string {
	switch r.Others {
	case 0:
		return ""
	case 1:
		return " and another part of the suite"
	}
	return fmt.Sprintf(" and %d other parts of the suite", r.Others)
}
