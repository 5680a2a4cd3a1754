package formats

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
)

// Node is a node of a markup document: one of Element, Text, Comment, CDATA and Instruction.
type Node interface{ node() }

// Element is an element with children.
type Element struct {
	Name     Name
	Attrs    []Attr
	Children []Node
}

// Name is the name of an element or attribute.
type Name struct {
	Space Space
	Local string
}

// Space is a name space.
type Space uint8

// Attr is an attribute.
type Attr struct {
	Name  Name
	Value string
}

type (
	// Text is the text between elements.
	Text string
	// Comment is a comment.
	Comment string
	// CDATA is a text that is not escaped.
	CDATA string
	// Instruction is a processing instruction.
	Instruction struct{ Target, Data string }
)

func (Element) node()     {}
func (Text) node()        {}
func (Comment) node()     {}
func (CDATA) node()       {}
func (Instruction) node() {}

// Document is an XML document.
type Document struct {
	Header, Doctype bool
	Root            Element
}

// XML encodes a document.
func XML(v Document) ([]byte, error) {
	var b bytes.Buffer
	if v.Header {
		b.WriteString(xml.Header)
	}
	if v.Doctype {
		fmt.Fprintf(&b, "<!DOCTYPE %s>\n", v.Root.Name.text("root"))
	}
	writeXML(&b, v.Root, true)
	return b.Bytes(), nil
}

func writeXML(b *bytes.Buffer, n Node, root bool) {
	switch n := n.(type) {
	case Element:
		name := n.Name.text("e")
		b.WriteString("<" + name)
		if root { // declares the name spaces
			b.WriteString(` xmlns:a="urn:a" xmlns:b="urn:b"`)
		}
		seen := map[string]bool{}
		for _, a := range n.Attrs {
			if name := a.Name.text("k"); !seen[name] {
				seen[name] = true
				fmt.Fprintf(b, ` %s="%s"`, name, escapeXML(a.Value))
			}
		}
		if len(n.Children) == 0 {
			b.WriteString("/>")
			return
		}
		b.WriteString(">")
		for _, c := range n.Children {
			writeXML(b, c, false)
		}
		b.WriteString("</" + name + ">")
	case Text:
		b.WriteString(escapeXML(string(n)))
	case Comment:
		b.WriteString("<!--" + strings.ReplaceAll(printable(string(n)), "-", " ") + "-->")
	case CDATA:
		b.WriteString("<![CDATA[" + strings.ReplaceAll(printable(string(n)), "]]>", "") + "]]>")
	case Instruction:
		b.WriteString("<?" + identifier(n.Target, "pi") + " " + strings.ReplaceAll(printable(n.Data), "?>", "") + "?>")
	}
}

func escapeXML(s string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(s)) // a buffer has no errors
	return b.String()
}

func (n Name) text(other string) string {
	local := identifier(n.Local, other)
	if strings.EqualFold(local[:min(3, len(local))], "xml") {
		local = "n" + local
	}
	return []string{"", "a:", "b:"}[n.Space%3] + local
}

// printable returns the characters of a text that XML allows.
func printable(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\n' && c != '\t' || c == 0xfffe || c == 0xffff {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(s, "?"))
}

// identifier returns the letters and digits of a text, as a name.
func identifier(s, other string) string {
	var b strings.Builder
	for _, c := range s {
		if c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' && b.Len() > 0 {
			b.WriteRune(c)
		}
	}
	if b.Len() == 0 {
		return other
	}
	return b.String()
}

// Drawing is an SVG image.
type Drawing struct {
	Width, Height uint8
	Shapes        []Shape
}

// Shape is a part of a drawing: one of Rect, Circle, Path, Words and Group.
type Shape interface{ shape() }

type (
	// Rect is a rectangle.
	Rect struct {
		X, Y, W, H int16
		Fill       Colour
	}
	// Circle is a circle.
	Circle struct {
		X, Y, R int16
		Fill    Colour
	}
	// Path is a line.
	Path struct {
		Steps []Step
		Fill  Colour
	}
	// Words is a text.
	Words struct {
		X, Y int16
		Text string
	}
	// Group is shapes that are moved and turned together.
	Group struct {
		Shapes []Shape
		Move   [2]int16
		Turn   int16
	}
)

// Step is a step of a path.
type Step struct {
	Kind uint8
	To   [6]int16
}

// Colour is a colour, or the number of a gradient.
type Colour struct {
	R, G, B  uint8
	Gradient bool
}

func (Rect) shape()   {}
func (Circle) shape() {}
func (Path) shape()   {}
func (Words) shape()  {}
func (Group) shape()  {}

func (c Colour) String() string {
	if c.Gradient {
		return "url(#g)"
	}
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}

// SVG encodes a drawing.
func SVG(v Drawing) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d">`, v.Width, v.Height)
	b.WriteString(`<defs><linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="1"/></linearGradient></defs>`)
	writeShapes(&b, v.Shapes)
	b.WriteString("</svg>")
	return b.Bytes(), nil
}

// pathSteps are the letters of steps, with how many numbers each has.
var pathSteps = []struct {
	letter string
	n      int
}{{"M", 2}, {"L", 2}, {"l", 2}, {"C", 6}, {"c", 6}, {"Q", 4}, {"H", 1}, {"V", 1}, {"T", 2}, {"Z", 0}}

func writeShapes(b *bytes.Buffer, shapes []Shape) {
	for _, s := range shapes {
		switch s := s.(type) {
		case Rect:
			fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`, s.X, s.Y, s.W, s.H, s.Fill)
		case Circle:
			fmt.Fprintf(b, `<circle cx="%d" cy="%d" r="%d" fill="%s"/>`, s.X, s.Y, s.R, s.Fill)
		case Words:
			fmt.Fprintf(b, `<text x="%d" y="%d">%s</text>`, s.X, s.Y, escapeXML(s.Text))
		case Path:
			b.WriteString(`<path d="M 0 0`)
			for _, x := range s.Steps {
				k := pathSteps[int(x.Kind)%len(pathSteps)]
				b.WriteString(" " + k.letter)
				for _, n := range x.To[:k.n] {
					fmt.Fprintf(b, " %d", n)
				}
			}
			fmt.Fprintf(b, `" fill="%s"/>`, s.Fill)
		case Group:
			fmt.Fprintf(b, `<g transform="translate(%d,%d) rotate(%d)">`, s.Move[0], s.Move[1], s.Turn)
			writeShapes(b, s.Shapes)
			b.WriteString("</g>")
		}
	}
}
