//go:build go1.25

package codec

import (
	"cmp"
	"fmt"
	"go/ast"
	"reflect"
	"strconv"

	"github.com/allele-go/allele/internal/value/schema"
)

// zerosMax is how many zeros before another element of a long array are printed. More are
// left out, and the element gets its index: [65536]byte{17: 0x03}.
const zerosMax = 4

// block prints a long array of scalars. Zeros at the end are left out.
func (p *printer) block(s *schema.Schema, memory []byte, in context) doc {
	var elems []doc
	for i := 0; i < s.Len; i++ {
		next := s.ItemFrom(memory, i)
		if next == s.Len {
			break
		}
		d := p.item(s.Elem, s.Item(memory, next))
		if next-i > zerosMax {
			i, d = next, keyed(next, d)
		} else if next > i {
			d = p.item(s.Elem, 0)
		}
		elems = append(elems, d)
	}
	return list(p.open(cell{typ: s.Type}, in), elems, "}")
}

// keyed returns an element with its index. A leaf stays a leaf, so that several of them are
// put into a line.
func keyed(i int, d doc) doc {
	key := strconv.Itoa(i) + ": "
	if d.kind == leaf {
		return text(key + d.open)
	}
	return row(text(key), d)
}

// item prints an element. Bytes are printed as those of a byte slice are.
func (p *printer) item(s *schema.Schema, x uint64) doc {
	if s.Type.Kind() != reflect.Uint8 {
		return p.scalar(s, x, context{elide: true})
	}
	return text(cmp.Or(p.constName(s.Type, scalarKey(s, x)), fmt.Sprintf("0x%02x", x)))
}

// block resolves a long array of scalars, which may have been a slice when the case was written.
func (r *resolver) block(s *schema.Schema, e ast.Expr) {
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		r.unfit(s, e, "%s", cannotUse(e, s.Type.String()))
		return
	}
	elems, length, ok := r.elements(lit, s.Len)
	if !ok {
		r.unfit(s, e, "%s", cannotUse(e, s.Type.String()))
		return
	}
	r.checkLength(lit, s, length)
	at := len(r.out)
	if r.parsed(s.Least); r.err != nil {
		return
	}
	for i, elem := range elems[:min(len(elems), s.Len)] {
		if elem == nil {
			continue
		}
		x, err := r.number(s.Elem, unparen(elem))
		if err != nil {
			r.under(step{index: i}, func() { r.lose(elem, "%v", err) })
			continue
		}
		s.SetItem(r.out.Bytes(at), i, x)
	}
}
