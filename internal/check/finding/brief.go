//go:build go1.25

package finding

import (
	"fmt"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/words"
)

// An event has room for 64 KiB of a report, and its end is cut off. What the property has written is bounded before that,
// so that the counterexample and the lines after it are always there.
const (
	messagesMax = 16 << 10 // bytes of all messages, with lineCost for each line
	saidMax     = 8 << 10  // the same of one message
	lineCost    = 24       // a line is indented, and may begin with a file and line
	unsavedMax  = 24 << 10 // bytes of an input that is in no file
)

// Brief returns the report about a failing input for an event. It has only the beginning of a very long message.
func Brief(p *property.Property, f Finding) string {
	o := &f.Outcome
	o.Logs, o.Outer = nearest(o.Logs), said(o.Outer, saidMax)
	if x := o.Panic; x != nil {
		o.Panic = &property.Panic{Text: said(x.Text, saidMax), Stack: x.Stack}
	}
	if o.Death != nil {
		d := *o.Death
		d.Text = said(d.Text, saidMax)
		o.Death = &d
	}
	return compose(p, f, unsavedMax)
}

// nearest returns the messages of a run that fit into messagesMax: the errors, and the messages nearest to the first
// error. Messages that it leaves out are counted in the next one.
func nearest(all []property.Line) (some []property.Line) {
	first := max(0, slices.IndexFunc(all, func(l property.Line) bool { return l.Fails }))
	distance := func(i int) int {
		if all[i].Fails {
			return 0
		}
		return max(i-first, first-i)
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return distance(i) - distance(j) })
	fits, room := make([]bool, len(all)), messagesMax
	for _, i := range order {
		if room -= min(cost(all[i].Text), saidMax); room < 0 {
			break
		}
		fits[i] = true
	}
	left := 0
	for i, l := range all {
		if !fits[i] {
			left += 1 + l.Left
			continue
		}
		l.Text, l.Left, left = said(l.Text, saidMax), l.Left+left, 0
		some = append(some, l)
	}
	if left > 0 {
		some = append(some, property.Line{Text: fmt.Sprintf("... %s left out", words.Count(left, "message"))})
	}
	return some
}

// cost returns how many bytes a text takes in a report.
func cost(text string) int { return len(text) + lineCost*(1+strings.Count(text, "\n")) }

// said returns the beginning of a text that costs more than size, and where the rest is.
func said(text string, size int) string {
	if cost(text) <= size {
		return text
	}
	room := size - lineCost
	for i, c := range text {
		if c == '\n' {
			room -= lineCost
		}
		if i > room {
			return fmt.Sprintf("%s ... and %s, which the replay line prints", text[:i], words.Count(len(text)-i, "more byte"))
		}
	}
	return text
}
