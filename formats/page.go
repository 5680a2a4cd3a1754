package formats

import (
	"bytes"
	"fmt"
	"html"
	"strings"
)

// Page is an HTML document.
type Page struct {
	Title string
	Style []Rule
	Body  []Part
}

// Part is a part of a page: one of Box, Plain, Table, List, Input and Image.
type Part interface{ part() }

type (
	// Box is an element with parts in it.
	Box struct {
		Tag   Tag
		Class string
		Parts []Part
	}
	// Plain is a text.
	Plain string
	// Table is a table of cells.
	Table struct{ Rows [][]Cell }
	// List is a list.
	List struct {
		Ordered bool
		Items   [][]Part
	}
	// Input is a field of a form.
	Input struct {
		Kind        uint8
		Name, Value string
	}
	// Image is an image.
	Image struct{ Source, Alt string }
)

// Cell is a cell of a table.
type Cell struct {
	Head       bool
	Cols, Rows uint8
	Parts      []Part
}

// Tag is the name of an element.
type Tag uint8

var tags = []string{"div", "p", "span", "b", "i", "em", "a", "h1", "h2", "pre", "form", "select", "option", "blockquote", "center",
	"font", "label", "button"}

func (Box) part()   {}
func (Plain) part() {}
func (Table) part() {}
func (List) part()  {}
func (Input) part() {}
func (Image) part() {}

// HTML encodes a page.
func HTML(v Page) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html><head><title>%s</title>", html.EscapeString(v.Title))
	if len(v.Style) > 0 {
		css, _ := CSS(Sheet{Rules: v.Style}) // has no errors
		fmt.Fprintf(&b, "<style>%s</style>", css)
	}
	b.WriteString("</head><body>")
	writeParts(&b, v.Body)
	b.WriteString("</body></html>\n")
	return b.Bytes(), nil
}

func writeParts(b *bytes.Buffer, parts []Part) {
	for _, p := range parts {
		switch p := p.(type) {
		case Box:
			tag := tags[int(p.Tag)%len(tags)]
			fmt.Fprintf(b, "<%s class=\"%s\">", tag, html.EscapeString(p.Class))
			writeParts(b, p.Parts)
			fmt.Fprintf(b, "</%s>", tag)
		case Plain:
			b.WriteString(html.EscapeString(string(p)))
		case Table:
			writeTable(b, p)
		case List:
			tag := "ul"
			if p.Ordered {
				tag = "ol"
			}
			b.WriteString("<" + tag + ">")
			for _, item := range p.Items {
				b.WriteString("<li>")
				writeParts(b, item)
				b.WriteString("</li>")
			}
			b.WriteString("</" + tag + ">")
		case Input:
			kinds := []string{"text", "checkbox", "radio", "submit", "hidden", "file"}
			fmt.Fprintf(b, `<input type="%s" name="%s" value="%s">`, kinds[int(p.Kind)%len(kinds)],
				html.EscapeString(p.Name), html.EscapeString(p.Value))
		case Image:
			fmt.Fprintf(b, `<img src="%s" alt="%s">`, html.EscapeString(p.Source), html.EscapeString(p.Alt))
		}
	}
}

func writeTable(b *bytes.Buffer, t Table) {
	b.WriteString("<table>")
	for _, row := range t.Rows {
		b.WriteString("<tr>")
		for _, c := range row {
			tag := "td"
			if c.Head {
				tag = "th"
			}
			fmt.Fprintf(b, `<%s colspan="%d" rowspan="%d">`, tag, c.Cols, c.Rows)
			writeParts(b, c.Parts)
			fmt.Fprintf(b, "</%s>", tag)
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table>")
}

// Sheet is a style sheet.
type Sheet struct {
	Media []Rule // in a rule for printing
	Rules []Rule
}

// Rule is a rule of a style sheet.
type Rule struct {
	Of    []Selector
	Style []Style
}

// Selector selects elements.
type Selector struct {
	Kind uint8
	Tag  Tag
	Name string
}

// Style is a property with its value.
type Style struct {
	Kind, Unit uint8
	Number     int16
	Colour     Colour
	Important  bool
}

// CSS encodes a style sheet.
func CSS(v Sheet) ([]byte, error) {
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
		for _, s := range r.Of {
			name := identifier(s.Name, "x")
			kinds := []string{tags[int(s.Tag)%len(tags)], "." + name, "#" + name, "*", "a:hover", "[" + name + "=\"1\"]", "p > " + name}
			of = append(of, kinds[int(s.Kind)%len(kinds)])
		}
		if len(of) == 0 {
			of = []string{"body"}
		}
		b.WriteString(strings.Join(of, ", ") + " {")
		for _, s := range r.Style {
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
