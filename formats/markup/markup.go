// Package markup has XML and, in svg.go, the drawings of SVG.
//
// A document is a tree, and what is written is well formed: tags are closed, names have only letters
// and digits, and an element has each attribute once. HTML has rules of its own, see package page.
//
// A test without the command declares what a Node can be:
//
//	allele.Check(t, func(t *allele.T, file []byte) { ... }, allele.Through(markup.XML), markup.Nodes)
package markup

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/allele-go/allele"
	"github.com/allele-go/allele/formats/internal/escape"
)

// Document is an XML document.
type Document struct {
	Header, Doctype bool
	Root            Element
}

// Node is a node of a document: one of Element, CharData, Comment, CDATA and ProcInst.
type Node interface{ node() }

// Nodes declares what a Node can be.
var Nodes = allele.Variants[Node](Element{}, CharData(""), Comment(""), CDATA(""), ProcInst{})

// Element is an element with children.
type Element struct {
	Name     Name
	Attrs    []Attr
	Children []Node
}

// Name is the name of an element or attribute.
type Name struct {
	Space Namespace
	Local string
}

// Namespace is the number of a name space, of which a document declares two. 0 means none.
type Namespace uint8

// Attr is an attribute.
type Attr struct {
	Name  Name
	Value string
}

type (
	// CharData is the text between elements.
	CharData string
	// Comment is a comment.
	Comment string
	// CDATA is a text that is not escaped.
	CDATA string
	// ProcInst is a processing instruction.
	ProcInst struct{ Target, Data string }
)

func (Element) node()  {}
func (CharData) node() {}
func (Comment) node()  {}
func (CDATA) node()    {}
func (ProcInst) node() {}

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
				fmt.Fprintf(b, ` %s="%s"`, name, escape.XML(a.Value))
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
	case CharData:
		b.WriteString(escape.XML(string(n)))
	case Comment:
		b.WriteString("<!--" + strings.ReplaceAll(printable(string(n)), "-", " ") + "-->")
	case CDATA:
		b.WriteString("<![CDATA[" + strings.ReplaceAll(printable(string(n)), "]]>", "") + "]]>")
	case ProcInst:
		b.WriteString("<?" + escape.Name(n.Target, "pi") + " " + strings.ReplaceAll(printable(n.Data), "?>", "") + "?>")
	}
}

func (n Name) text(other string) string {
	local := escape.Name(n.Local, other)
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
