//go:build go1.25

package property

import (
	"fmt"

	"github.com/allele-go/allele/internal/value/term"
)

// outsideShown is how many fields a note about struct tags names.
const outsideShown = 3

// Outside returns a note if an input does not satisfy the struct tags of its fields: the
// property may be about inputs that do. The note says how such an input was made if it was
// generated.
func Outside(p *Property, x term.Term, generated bool) (notes []string) {
	all := p.World.Outside(x)
	if len(all) == 0 {
		return nil
	}
	text := all[0].String()
	for i, b := range all[1:] {
		if i+1 == outsideShown {
			text += fmt.Sprintf(" and %d more", len(all)-outsideShown)
			break
		}
		text += ", " + b.String()
	}
	text = "the input breaks struct tags: " + text + ";\n    "
	if generated {
		text += "one input in eight ignores tags; "
	}
	return []string{text + "if the property is about inputs that satisfy them, discard the others: allele.Given"}
}
