// Package page has the formats of the web: HTML here, the names of its elements and attributes in
// names.go, and style sheets in css.go.
//
// Browsers read every text as a page, and most programs that read HTML do so too. So an element may
// be at any place, also where the standard does not allow it. Elements and attributes are numbers,
// which stand for the names that HTML has or had.
//
// A test without the command declares what a Node can be:
//
//	allele.Check(t, func(t *allele.T, file []byte) { ... }, allele.Through(page.HTML), page.Nodes)
package page

import (
	"bytes"
	"fmt"
	"html"
	"strings"

	"github.com/allele-go/allele"
)

// Document is an HTML document.
type Document struct {
	Type  Doctype
	Title string
	Style []Rule
	Body  []Node
}

// Doctype is the version of HTML that a page declares.
type Doctype uint8

var doctypes = []string{
	"<!DOCTYPE html>", "",
	`<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">`,
	`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">`,
	`<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">`,
}

// Node is a part of a page: one of Element, VoidElement, Text, Entity, Comment, Script, Table, List, Input and Image.
type Node interface{ node() }

// Nodes declares what a Node can be.
var Nodes = allele.Variants[Node](Element{}, VoidElement{}, Text(""), Entity{}, Comment(""), Script(""), Table{}, List{}, Input{}, Image{})

type (
	// Element is an element with others in it.
	Element struct {
		Tag      Tag
		Attrs    []Attr
		Children []Node
	}
	// VoidElement is an element without an end.
	VoidElement struct {
		Tag   VoidTag
		Attrs []Attr
	}
	// Text is the text between elements.
	Text string
	// Entity is a character by its name or its number.
	Entity struct {
		Name   uint8
		Number uint16 // 0 means that it is written by its name
	}
	// Comment is a comment.
	Comment string
	// Script is the text of a script.
	Script string
	// Table is a table of cells.
	Table struct{ Rows [][]Cell }
	// List is a list.
	List struct {
		Ordered bool
		Items   [][]Node
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
	Children   []Node
}

func (Element) node()     {}
func (VoidElement) node() {}
func (Text) node()        {}
func (Entity) node()      {}
func (Comment) node()     {}
func (Script) node()      {}
func (Table) node()       {}
func (List) node()        {}
func (Input) node()       {}
func (Image) node()       {}

// HTML encodes a page.
func HTML(v Document) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n<html><head><title>%s</title>", at(doctypes, v.Type), html.EscapeString(v.Title))
	if len(v.Style) > 0 {
		css, _ := CSS(StyleSheet{Rules: v.Style}) // has no errors
		fmt.Fprintf(&b, "<style>%s</style>", css)
	}
	b.WriteString("</head><body>")
	writeNodes(&b, v.Body)
	b.WriteString("</body></html>\n")
	return b.Bytes(), nil
}

func writeNodes(b *bytes.Buffer, nodes []Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case Element:
			tag := at(tags, n.Tag)
			fmt.Fprintf(b, "<%s%s>", tag, attributes(n.Attrs))
			writeNodes(b, n.Children)
			fmt.Fprintf(b, "</%s>", tag)
		case VoidElement:
			fmt.Fprintf(b, "<%s%s>", at(voidTags, n.Tag), attributes(n.Attrs))
		case Text:
			b.WriteString(html.EscapeString(string(n)))
		case Entity:
			if n.Number > 0 {
				fmt.Fprintf(b, "&#%d;", n.Number)
			} else {
				b.WriteString("&" + at(entityNames, n.Name) + ";")
			}
		case Comment:
			b.WriteString("<!--" + strings.ReplaceAll(string(n), "-", "_") + "-->")
		case Script:
			b.WriteString("<script>" + strings.ReplaceAll(string(n), "</", "<\\/") + "</script>")
		case Table:
			writeTable(b, n)
		case List:
			writeList(b, n)
		case Input:
			kinds := []string{"text", "checkbox", "radio", "submit", "hidden", "file"}
			fmt.Fprintf(b, `<input type="%s" name="%s" value="%s">`, at(kinds, n.Kind),
				html.EscapeString(n.Name), html.EscapeString(n.Value))
		case Image:
			fmt.Fprintf(b, `<img src="%s" alt="%s">`, html.EscapeString(n.Source), html.EscapeString(n.Alt))
		}
	}
}

func writeList(b *bytes.Buffer, l List) {
	tag := "ul"
	if l.Ordered {
		tag = "ol"
	}
	b.WriteString("<" + tag + ">")
	for _, item := range l.Items {
		b.WriteString("<li>")
		writeNodes(b, item)
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
			writeNodes(b, c.Children)
			fmt.Fprintf(b, "</%s>", tag)
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table>")
}
