//go:build go1.25

package codec

import "strings"

// doc is a piece of text whose width is known before it is written.
type doc struct {
	kind  docKind
	open  string // the text of a leaf, or the beginning of a block
	close string
	elems []doc
	width int  // width in one line; at least tooWide if the doc needs several lines
	rest  int  // of a group: the width without its opening, which may have several lines
	fill  bool // of a group: elements are short, so several are put into a line
}

type docKind uint8

const (
	leaf  docKind = iota
	typ           // a leaf that may have several lines, indented with the rest
	seq           // docs in a row, without line breaks between them
	group         // an opening such as T{, elements separated by commas, close: in one line or one line per element
	lines         // an opening, elements in lines of their own, close
	block         // a function literal that is called immediately; the elements are its statements
)

// tooWide is the width of a doc that needs several lines at any width.
const tooWide = 1 << 20

func text(s string) doc {
	return doc{open: s, width: widthOf(s)}
}

func typeLeaf(s string) doc { return doc{kind: typ, open: s, width: widthOf(s)} }

func widthOf(s string) int {
	if strings.Contains(s, "\n") {
		return tooWide
	}
	return len(s)
}

func row(parts ...doc) doc {
	d := doc{kind: seq, elems: parts}
	for i := range parts {
		d.width = min(d.width+parts[i].width, tooWide)
	}
	return d
}

func list(open doc, elems []doc, close string) doc {
	d := doc{kind: group, elems: append([]doc{open}, elems...), close: close, rest: len(close), fill: true}
	for i := range elems {
		d.rest = min(d.rest+elems[i].width+len(", "), tooWide)
		d.fill = d.fill && elems[i].kind == leaf && elems[i].width <= shortMax
	}
	d.width = min(open.width+d.rest, tooWide)
	return d
}

// shortMax is the width of an element that does not need a line of its own: a
// number, a byte, a word.
const shortMax = 8

// oneLineCall is the maximal width of a function literal in one line: gofmt breaks
// longer ones.
const oneLineCall = 90

// statements returns the doc of func() typ { ss; return result }(). The statements ss
// make a variable v; result is v or *v.
func statements(typ, result string, ss ...doc) doc {
	d := doc{kind: block, open: "func() " + typ + " {", elems: append(ss, text("return "+result)), close: "}()"}
	d.width = len(d.open) + len("  }()")
	for _, s := range d.elems {
		d.width = min(d.width+s.width+len("; "), tooWide)
	}
	if d.width -= len("; "); d.width > oneLineCall {
		d.width = tooWide
	}
	return d
}

// body returns the doc of a function literal with several lines.
func body(open doc, ss []doc, close string) doc {
	d := doc{kind: lines, elems: append([]doc{open}, ss...), close: close, width: tooWide}
	if len(ss) == 0 {
		d.width = open.width + len(close)
	}
	return d
}

// dropSecond returns a function literal that makes the call x and drops its second
// result.
func dropSecond(typ, result string, x doc) doc {
	return statements(typ, result, row(text("v, _ := "), x))
}

// layout writes docs and breaks docs that are too wide into lines.
type layout struct {
	width int
	out   []byte
	line  int // offset in out at which the current line starts
}

// indentMax is the maximal indentation; docs that nest deeper stay in one line.
// Otherwise a linked list of n elements would need n*n/2 tabs.
const indentMax = 24

// tabWidth is the assumed width of a tab. Editors use two to eight columns.
const tabWidth = 4

func (l *layout) write(d *doc, indent int) {
	switch d.kind {
	case leaf:
		l.out = append(l.out, d.open...)
	case typ:
		l.typ(d.open, indent)
	case seq:
		for i := range d.elems {
			l.write(&d.elems[i], indent)
		}
	case group:
		l.group(d, indent)
	case lines:
		l.lines(d, indent)
	case block:
		l.block(d, indent, d.width < tooWide && l.fits(d.width, indent))
	}
}

// fits reports whether a text of this width fits into the current line.
func (l *layout) fits(width, indent int) bool {
	return indent >= indentMax || len(l.out)-l.line+indent*(tabWidth-1)+width <= l.width
}

func (l *layout) newline(indent int) {
	l.out = append(l.out, '\n')
	l.line = len(l.out)
	for range indent {
		l.out = append(l.out, '\t')
	}
}

func (l *layout) typ(s string, indent int) {
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			l.newline(indent)
		}
		l.out = append(l.out, line...)
	}
}

func (l *layout) group(d *doc, indent int) {
	open, elems := &d.elems[0], d.elems[1:]
	l.write(open, indent)
	if l.fits(d.rest, indent) || len(elems) == 0 {
		l.inLine(elems, indent)
	} else {
		l.inLines(elems, indent+1, d.fill)
		l.newline(indent)
	}
	l.out = append(l.out, d.close...)
}

func (l *layout) inLine(elems []doc, indent int) {
	for i := range elems {
		if i > 0 {
			l.out = append(l.out, ", "...)
		}
		l.write(&elems[i], indent)
	}
}

// inLines writes each element in its own line or, if fill is set, as many as fit
// into a line.
func (l *layout) inLines(elems []doc, indent int, fill bool) {
	for i := range elems {
		if fill && i > 0 && l.fits(elems[i].width+len(" ,"), indent) {
			l.out = append(l.out, ' ')
		} else {
			l.newline(indent)
		}
		l.write(&elems[i], indent)
		l.out = append(l.out, ',')
	}
}

func (l *layout) lines(d *doc, indent int) {
	l.write(&d.elems[0], indent)
	for i := range d.elems[1:] {
		l.newline(indent + 1)
		l.write(&d.elems[1+i], indent+1)
	}
	if len(d.elems) > 1 {
		l.newline(indent)
	}
	l.out = append(l.out, d.close...)
}

func (l *layout) block(d *doc, indent int, fits bool) {
	l.out = append(l.out, d.open...)
	for i := range d.elems {
		switch {
		case !fits:
			l.newline(indent + 1)
		case i > 0:
			l.out = append(l.out, "; "...)
		default:
			l.out = append(l.out, ' ')
		}
		l.write(&d.elems[i], indent+1)
	}
	if fits {
		l.out = append(l.out, ' ')
	} else {
		l.newline(indent)
	}
	l.out = append(l.out, d.close...)
}
