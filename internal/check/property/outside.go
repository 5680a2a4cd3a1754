//go:build go1.25

package property

import (
	"fmt"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// outsideShown is how many fields a note about struct tags names.
const outsideShown = 3

// Outside returns notes if an input does not satisfy the struct tags of its fields, or has values that are no
// constants of their types: the property may be about inputs without such parts. The notes say how such an input was
// made if it was generated.
func Outside(p *Property, x term.Term, generated bool) (notes []string) {
	breaches := p.World.Outside(x)
	tags, others := texts(breaches, schema.Breach.IsTag), texts(breaches, func(b schema.Breach) bool { return !b.IsTag() })
	if tags != "" {
		text := "the input breaks struct tags: " + tags + ";\n    "
		if generated {
			text += "one input in eight ignores tags; "
		}
		notes = append(notes, text+"if the property is about inputs that satisfy them, discard the others: allele.Given")
	}
	if others != "" {
		text := "the input has values that are no constants of their types: " + others + ";\n    "
		if generated {
			text += "few inputs have such values; "
		}
		notes = append(notes, text+"to have the constants only, declare them: allele.Values")
	}
	return notes
}

// texts lists the breaches for which a function returns true.
func texts(all []schema.Breach, is func(schema.Breach) bool) (text string) {
	n := 0
	for _, b := range all {
		if !is(b) {
			continue
		}
		switch n++; {
		case n == 1:
			text = b.String()
		case n <= outsideShown:
			text += ", " + b.String()
		}
	}
	if n > outsideShown {
		text += fmt.Sprintf(" and %d more", n-outsideShown)
	}
	return text
}
