//go:build go1.25

package operand

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// This file defines the messages between two processes of one program: the search, and
// the process that records comparisons. The search sends a term and receives what the
// term was compared with. Each process derives the schemas itself; Shape shows whether
// both have the same schemas. Everything that is read is validated.

// Append appends the encoding of a list of comparisons to b.
func Append(b []byte, cs []Compared) []byte {
	b = binary.AppendUvarint(b, uint64(len(cs)))
	for _, c := range cs {
		if b = append(b, c.Width); c.Text {
			b = appendText(appendText(b, c.X), c.Y)
		} else {
			b = binary.AppendUvarint(binary.AppendUvarint(b, c.A), c.B)
		}
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

var errShort = errors.New("the message is truncated")

// Parse decodes a list of comparisons.
func Parse(b []byte) ([]Compared, error) {
	r := reader{rest: b}
	n := r.number(ComparedMax)
	var cs []Compared
	for range n {
		c := Compared{Width: r.byte()}
		switch c.Width {
		case 0:
			c.Text, c.X, c.Y = true, r.text(), r.text()
		case 1, 2, 4, 8:
			most := extend(^uint64(0), 8*int(c.Width), false)
			c.A, c.B = r.number(most), r.number(most)
		default:
			return nil, fmt.Errorf("a number cannot have %d bytes", c.Width)
		}
		if r.err != nil {
			return nil, r.err
		}
		cs = append(cs, c)
	}
	if r.err == nil && len(r.rest) > 0 {
		r.err = fmt.Errorf("%d extra bytes after the message", len(r.rest))
	}
	return cs, r.err
}

// reader reads the fields of a message. After the first error it returns only zeros.
type reader struct {
	rest []byte
	err  error
}

func (r *reader) byte() byte {
	if r.err != nil || len(r.rest) == 0 {
		r.fail(errShort)
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

func (r *reader) number(most uint64) uint64 {
	x, n := binary.Uvarint(r.rest)
	switch {
	case r.err != nil || n <= 0:
		r.fail(errShort)
		return 0
	case x > most:
		r.fail(fmt.Errorf("number %d exceeds the maximum %d", x, most))
		return 0
	}
	r.rest = r.rest[n:]
	return x
}

func (r *reader) text() string {
	n := int(r.number(textMax))
	if n > len(r.rest) {
		r.fail(errShort)
		return ""
	}
	s := string(r.rest[:n])
	r.rest = r.rest[n:]
	return s
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// AppendTerm appends the encoding of a term to b.
func AppendTerm(b []byte, t term.Term) []byte { return append(b, t.Memory()...) }

// ParseTerm decodes a term. It must be a term of the schema w.Root.
func ParseTerm(w *schema.World, b []byte) (term.Term, error) {
	t, ok := term.FromMemory(b)
	if !ok {
		return nil, fmt.Errorf("a term cannot have %d bytes", len(b))
	}
	if end, ok := fits(w.Root, t, 0); !ok || end != len(t) {
		return nil, errors.New("not a term of this type")
	}
	return t, nil
}

// fits reports whether a valid term of schema s starts at t[at], and returns the index at
// which that term ends.
func fits(s *schema.Schema, t term.Term, at int) (end int, ok bool) {
	if at >= len(t) || t[at].S != s.ID {
		return 0, false
	}
	n := t[at]
	end = at + 1
	if n.C == term.Raw {
		if !s.IsText() && s.Kind != schema.Block || n.X > uint64(len(t))<<4 || term.RawUnits(int(n.X)) > len(t)-end {
			return 0, false
		}
		end += term.RawUnits(int(n.X))
		return end, int(n.N) == end-at && (s.Kind != schema.Block || s.ItemsFit(t.Bytes(at)))
	}
	count, ok := fields(s, n)
	if !ok || count > len(t) {
		return 0, false
	}
	for i := range count {
		if end, ok = fits(field(s, n, i), t, end); !ok {
			return 0, false
		}
	}
	return end, int(n.N) == end-at
}

// fields returns how many subterms a node of schema s has, and whether the node is valid.
func fields(s *schema.Schema, n term.Node) (count int, ok bool) {
	switch {
	case s.Kind == schema.Scalar:
		return 0, s.In(n.X)
	case s.Kind == schema.String:
		return 0, false
	case s.Kind == schema.Bytes:
		return 0, n.C == 0 && n.X == 0
	case s.Kind == schema.Array:
		return s.Len, n.C == 0 && n.X == uint64(s.Len)
	case s.Kind == schema.Map:
		return 2 * int(n.X), n.X < 1<<32 && (n.C == 1 || n.C == 0 && n.X == 0 && s.Empty() == 0)
	case s.Kind == schema.Slice:
		return int(n.X), n.X < 1<<32 && s.FitsLen(int(n.X)) && (n.C == 1 || n.C == 0 && n.X == 0 && s.Empty() == 0)
	case int(n.C) < len(s.Ctors):
		return len(s.Ctors[n.C].Fields), true
	}
	return 0, false
}

func field(s *schema.Schema, n term.Node, i int) *schema.Schema {
	switch {
	case s.Kind == schema.Map && i%2 == 0:
		return s.Key
	case s.IsList():
		return s.Elem
	}
	return s.Ctors[n.C].Fields[i].S
}

// Shape returns a hash of all schemas of w. If two worlds have the same hash, a term
// means the same in both.
func Shape(w *schema.World) uint64 {
	h := fnv.New64a()
	for _, s := range w.Schemas {
		fmt.Fprintln(h, s.ID, s.Kind, s.Type, s.Len, s.LenMin, s.LenMax, s.Lo, s.Hi, s.Bits, len(s.Ctors))
		for _, c := range s.Ctors {
			fmt.Fprintln(h, c.Name, len(c.Fields))
			for _, f := range c.Fields {
				fmt.Fprintln(h, f.Name, f.S.ID)
			}
		}
	}
	return h.Sum64()
}
