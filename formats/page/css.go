package page

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/allele-go/allele/formats/internal/escape"
	"github.com/allele-go/allele/formats/markup"
)

// StyleSheet is a style sheet.
type StyleSheet struct {
	Media []Rule // in a rule for printing
	Rules []Rule
}

// Rule is a rule of a style sheet.
type Rule struct {
	Selectors    []Selector
	Declarations []Declaration
}

// Selector selects elements.
type Selector struct {
	Kind uint8
	Tag  Tag
	Name string
}

// Declaration is a property with its value.
type Declaration struct {
	Kind, Unit uint8
	Number     int16
	Colour     markup.Colour
	Important  bool
}

// CSS encodes a style sheet.
func CSS(v StyleSheet) ([]byte, error) {
	var b bytes.Buffer
	writeRules(&b, v.Rules)
	if len(v.Media) > 0 {
		b.WriteString("@media print {\n")
		writeRules(&b, v.Media)
		b.WriteString("}\n")
	}
	return b.Bytes(), nil
}

var (
	measures = []string{"margin", "width", "font-size", "top", "z-index", "line-height"}
	units    = []string{"px", "em", "%", "pt", ""}
)

func writeRules(b *bytes.Buffer, rules []Rule) {
	for _, r := range rules {
		var of []string
		for _, s := range r.Selectors {
			name := escape.Name(s.Name, "x")
			kinds := []string{tags[int(s.Tag)%len(tags)], "." + name, "#" + name, "*", "a:hover", "[" + name + "=\"1\"]", "p > " + name}
			of = append(of, kinds[int(s.Kind)%len(kinds)])
		}
		if len(of) == 0 {
			of = []string{"body"}
		}
		b.WriteString(strings.Join(of, ", ") + " {")
		for _, s := range r.Declarations {
			if k := int(s.Kind) % (len(measures) + 2); k < len(measures) {
				fmt.Fprintf(b, " %s: %d%s", measures[k], s.Number, units[int(s.Unit)%len(units)])
			} else {
				s.Colour.Gradient = false
				fmt.Fprintf(b, " %s: %s", []string{"color", "background"}[k-len(measures)], s.Colour)
			}
			if s.Important {
				b.WriteString(" !important")
			}
			b.WriteString(";")
		}
		b.WriteString(" }\n")
	}
}
