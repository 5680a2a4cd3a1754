//go:build go1.25

package operand

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/allele-go/allele/internal/value/schema"
)

// A number that a program compares may come from a text: it was written there in decimal or
// hexadecimal, or it is a letter, or, in bytes, it lies there in the order of a processor. If one
// side of a comparison occurs in the text in one of these forms, the other side is proposed at
// that place, in the same form.

// written handles a comparison of side with other, which are width bytes wide, if the current
// value is a text.
func (p *proposer) written(side, other uint64, width int) {
	now := p.now.Bytes(0)
	for _, form := range forms {
		a, ok := form(side, width)
		b, also := form(other, width)
		if !ok || !also || len(a) > len(now) {
			continue
		}
		for _, i := range []int{bytes.Index(now, a), bytes.LastIndex(now, a)} {
			if i >= 0 {
				p.offerText(string(slices.Concat(now[:i], b, now[i+len(a):])))
			}
		}
	}
	if p.s.Kind != schema.Bytes {
		return
	}
	// The program may have converted the number to a wider type before it compared it.
	for ; width > 0 && narrow(side, width) && narrow(other, width); width /= 2 {
		for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
			a, b := ordered(order, side, width), ordered(order, other, width)
			for _, i := range []int{bytes.Index(now, a), bytes.LastIndex(now, a)} {
				if i >= 0 {
					p.offerText(string(slices.Concat(now[:i], b, now[i+len(a):])))
				}
			}
		}
	}
}

// narrow reports whether a number that is not negative can be written with width bytes.
func narrow(x uint64, width int) bool { return width >= 8 || x < 1<<(8*width) }

// forms write a number as a text. They return false for a number that has no such form.
var forms = [...]func(x uint64, width int) ([]byte, bool){letter, signed, unsigned, hexadecimal}

func letter(x uint64, width int) ([]byte, bool) {
	if width == 8 || x > 0x7f && width != 1 {
		return nil, false // an int, or a letter of several bytes
	}
	return []byte{byte(x)}, true
}

func signed(x uint64, width int) ([]byte, bool) {
	return strconv.AppendInt(nil, int64(extend(x, 8*width, true)), 10), true
}

func unsigned(x uint64, width int) ([]byte, bool) {
	return strconv.AppendUint(nil, x, 10), int64(extend(x, 8*width, true)) < 0
}

func hexadecimal(x uint64, width int) ([]byte, bool) { return strconv.AppendUint(nil, x, 16), x > 9 }

func ordered(order binary.AppendByteOrder, x uint64, width int) []byte {
	switch width {
	case 1:
		return []byte{byte(x)}
	case 2:
		return order.AppendUint16(nil, uint16(x))
	case 4:
		return order.AppendUint32(nil, uint32(x))
	}
	return order.AppendUint64(nil, x)
}

// folded proposes other if the current text contains side in other letter case or between quotes.
func (p *proposer) folded(side, other string) {
	now := p.now.Bytes(0)
	if side == "" || p.full() {
		return
	}
	if low := bytes.ToLower(now); len(low) == len(now) && !bytes.Equal(low, now) {
		if i := bytes.Index(low, bytes.ToLower([]byte(side))); i >= 0 {
			p.offerText(string(now[:i]) + other + string(now[i+len(side):]))
		}
	}
	if quoted := strconv.Quote(side); len(quoted) > len(side)+2 {
		if i := bytes.Index(now, []byte(quoted)); i >= 0 {
			p.offerText(string(now[:i]) + strconv.Quote(other) + string(now[i+len(quoted):]))
		}
	}
}
