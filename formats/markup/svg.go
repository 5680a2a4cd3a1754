package markup

import (
	"bytes"
	"fmt"

	"github.com/allele-go/allele"
	"github.com/allele-go/allele/formats/internal/escape"
)

// Drawing is an SVG image.
type Drawing struct {
	Width, Height uint8
	Shapes        []Shape
}

// Shape is a part of a drawing: one of Rect, Circle, Path, Text and Group.
type Shape interface{ shape() }

// Shapes declares what a Shape can be.
var Shapes = allele.Variants[Shape](Rect{}, Circle{}, Path{}, Text{}, Group{})

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
	// Path is a line of several steps.
	Path struct {
		Steps []PathStep
		Fill  Colour
	}
	// Text is a text at a place.
	Text struct {
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

// PathStep is a step of a path.
type PathStep struct {
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
func (Text) shape()   {}
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
		case Text:
			fmt.Fprintf(b, `<text x="%d" y="%d">%s</text>`, s.X, s.Y, escape.XML(s.Text))
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
