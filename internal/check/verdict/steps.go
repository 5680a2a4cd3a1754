//go:build go1.25

package verdict

import (
	"fmt"
	"strings"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/steps"
	"github.com/allele-go/allele/internal/words"
)

// neverMin is how many calls of an operation must have been skipped before it counts as one that is never allowed. With
// fewer, a Check that makes only a few runs would be vacuous by chance.
const neverMin = 50

// never returns the operations of lists of calls that were never allowed.
func (c Check) never() (all []*steps.Op) {
	for _, op := range schema.Operations(c.Prop.World) {
		if called, skipped := op.Counts(); called == 0 && skipped >= neverMin {
			all = append(all, op)
		}
	}
	return all
}

// neverText says which operations were never allowed.
func neverText(all []*steps.Op) string {
	var names []string
	for _, op := range all {
		_, skipped := op.Counts()
		names = append(names, fmt.Sprintf("%s was never allowed: 0 of %s calls were made", op.Name, words.Group(int(skipped))))
	}
	return strings.Join(names, "; ")
}

// allow returns the idea for an operation that is never allowed.
func (c Check) allow() *idea {
	all := c.never()
	if len(all) == 0 {
		return nil
	}
	op := all[0]
	say := fmt.Sprintf("see why Can%s returns false each time, or leave %s out", op.Name, op.Name)
	if !op.IsGuarded() {
		say = fmt.Sprintf("see why nothing returns what %s needs, or leave it out", op.Name)
	}
	return &idea{say, fmt.Sprintf("allele.Without[%s](%q)", property.StepsType(c.Prop, op), op.Name)}
}

// writeSteps writes how often each operation was called.
func (c Check) writeSteps(b *strings.Builder) {
	all := schema.Operations(c.Prop.World)
	if len(all) == 0 {
		return
	}
	wide, called := 0, make([]string, len(all))
	for i, op := range all {
		n, _ := op.Counts()
		called[i], wide = words.Group(int(n)), max(wide, len(words.Group(int(n))))
	}
	b.WriteString("    calls\n")
	for i, op := range all {
		_, skipped := op.Counts()
		fmt.Fprintf(b, "        %*s  %s", wide, called[i], op.Name)
		if skipped > 0 {
			fmt.Fprintf(b, ", and %s not allowed", words.Group(int(skipped)))
		}
		b.WriteString("\n")
	}
}
