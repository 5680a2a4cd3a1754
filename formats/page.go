package formats

import (
	"bytes"
	"fmt"
	"html"
	"strconv"
	"strings"
)

// Page is an HTML document.
type Page struct {
	Type  Doctype
	Title string
	Style []Rule
	Body  []Part
}

// Doctype is the version of HTML that a page declares.
type Doctype uint8

var doctypes = []string{
	"<!DOCTYPE html>", "",
	`<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">`,
	`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">`,
	`<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">`,
}

// Part is a part of a page: one of Box, Empty, Plain, Entity, Note, Script, Table, List, Input and Image.
type Part interface{ part() }

type (
	// Box is an element with parts in it.
	Box struct {
		Tag   Tag
		Attrs []Property
		Parts []Part
	}
	// Empty is an element without an end.
	Empty struct {
		Tag   EmptyTag
		Attrs []Property
	}
	// Plain is a text.
	Plain string
	// Entity is a character by its name or its number.
	Entity struct {
		Name   uint8
		Number uint16 // 0 means that it is written by its name
	}
	// Note is a comment.
	Note string
	// Script is the text of a script.
	Script string
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

// Property is an attribute of an element.
type Property struct {
	Name  PropertyName
	Value Setting
}

// Setting is the value of an attribute: a text if Text is not empty, a number, or one of the words that attributes have.
type Setting struct {
	Text   string
	Number int16
	Word   uint8
}

type (
	// Tag is the name of an element.
	Tag uint8
	// EmptyTag is the name of an element without an end.
	EmptyTag uint8
	// PropertyName is the name of an attribute.
	PropertyName uint8
)

var (
	tags = strings.Fields(`div p span b i em a h1 h2 h3 pre form select option blockquote center font label button
		abbr acronym address applet article aside audio bdi bdo big body canvas caption cite code colgroup datalist dd
		del details dfn dialog dir dl dt fieldset figcaption figure footer frameset h4 h5 h6 head header hgroup html
		iframe ins kbd legend li listing main map mark marquee menu meter nav nobr noframes noscript object ol optgroup
		output plaintext progress q rp rt ruby s samp section server servlet small strike strong style sub summary sup
		svg table tbody td template textarea tfoot th thead time title tr tt u ul var video xmp custom-element`)
	emptyTags = strings.Fields(`br hr img input link meta area base basefont bgsound col embed frame isindex keygen
		nextid param source spacer track wbr`)
	propertyNames = strings.Fields(`class id style title lang dir align valign width height href src alt name value type
		bgcolor border cellpadding cellspacing charset checked color cols colspan content coords data disabled face for
		frameborder http-equiv hspace language link longdesc maxlength media method multiple nohref noshade nowrap
		onclick onload profile readonly rel rev role rows rowspan rules scope scrolling selected shape size span start
		summary tabindex target text usemap vlink aria-label data-x itemprop xmlns xml:lang accesskey action accept`)
	settingWords = strings.Fields(`left right center top middle bottom justify en ltr rtl #ff0000 red 100% 2* get post
		text/css text/html text/javascript utf-8 http://a.b/c?d=e&f mailto:a@b javascript:x() _blank nofollow all none
		stylesheet 0,0,1,1 color:red;width:1px refresh content-type auto yes no`)
	entityNames = strings.Fields("amp lt gt quot nbsp copy eacute Alpha euro hellip apos lang zwj unknown")
)

func (Box) part()    {}
func (Empty) part()  {}
func (Plain) part()  {}
func (Entity) part() {}
func (Note) part()   {}
func (Script) part() {}
func (Table) part()  {}
func (List) part()   {}
func (Input) part()  {}
func (Image) part()  {}

// HTML encodes a page.
func HTML(v Page) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n<html><head><title>%s</title>", at(doctypes, v.Type), html.EscapeString(v.Title))
	if len(v.Style) > 0 {
		css, _ := CSS(Sheet{Rules: v.Style}) // has no errors
		fmt.Fprintf(&b, "<style>%s</style>", css)
	}
	b.WriteString("</head><body>")
	writeParts(&b, v.Body)
	b.WriteString("</body></html>\n")
	return b.Bytes(), nil
}

// at returns one of some names.
func at[N ~uint8](names []string, i N) string { return names[int(i)%len(names)] }

func writeParts(b *bytes.Buffer, parts []Part) {
	for _, p := range parts {
		switch p := p.(type) {
		case Box:
			tag := at(tags, p.Tag)
			fmt.Fprintf(b, "<%s%s>", tag, properties(p.Attrs))
			writeParts(b, p.Parts)
			fmt.Fprintf(b, "</%s>", tag)
		case Empty:
			fmt.Fprintf(b, "<%s%s>", at(emptyTags, p.Tag), properties(p.Attrs))
		case Plain:
			b.WriteString(html.EscapeString(string(p)))
		case Entity:
			if p.Number > 0 {
				fmt.Fprintf(b, "&#%d;", p.Number)
			} else {
				b.WriteString("&" + at(entityNames, p.Name) + ";")
			}
		case Note:
			b.WriteString("<!--" + strings.ReplaceAll(string(p), "-", "_") + "-->")
		case Script:
			b.WriteString("<script>" + strings.ReplaceAll(string(p), "</", "<\\/") + "</script>")
		case Table:
			writeTable(b, p)
		case List:
			writeList(b, p)
		case Input:
			kinds := []string{"text", "checkbox", "radio", "submit", "hidden", "file"}
			fmt.Fprintf(b, `<input type="%s" name="%s" value="%s">`, at(kinds, p.Kind),
				html.EscapeString(p.Name), html.EscapeString(p.Value))
		case Image:
			fmt.Fprintf(b, `<img src="%s" alt="%s">`, html.EscapeString(p.Source), html.EscapeString(p.Alt))
		}
	}
}

// properties returns the attributes of an element.
func properties(all []Property) (text string) {
	for _, p := range all {
		value := at(settingWords, p.Value.Word)
		switch {
		case p.Value.Text != "":
			value = p.Value.Text
		case p.Value.Number != 0:
			value = strconv.Itoa(int(p.Value.Number))
		}
		text += " " + at(propertyNames, p.Name) + `="` + html.EscapeString(value) + `"`
	}
	return text
}

func writeList(b *bytes.Buffer, l List) {
	tag := "ul"
	if l.Ordered {
		tag = "ol"
	}
	b.WriteString("<" + tag + ">")
	for _, item := range l.Items {
		b.WriteString("<li>")
		writeParts(b, item)
		b.WriteString("</li>")
	}
	b.WriteString("</" + tag + ">")
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
