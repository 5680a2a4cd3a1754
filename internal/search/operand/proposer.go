//go:build go1.25

package operand

import (
	"bytes"
	"unicode"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// proposer collects candidates.
type proposer struct {
	s     *schema.Schema
	now   term.Term
	plain []byte // the text of now
	max   int
	found []term.Term
}

func (p *proposer) full() bool { return len(p.found) >= p.max }

func (p *proposer) offer(t term.Term) {
	if p.full() || term.Equal(t, p.now) {
		return
	}
	for _, old := range p.found {
		if term.Equal(t, old) {
			return
		}
	}
	p.found = append(p.found, t)
}

// text proposes other if the current text equals side or contains it. One proposal
// replaces the first occurrence of side, in case a prefix was compared. Another replaces
// the last occurrence, in case a suffix was compared.
func (p *proposer) text(side, other string) {
	now := p.plain
	switch {
	case p.full():
		return
	case string(now) == side:
		p.offerText(other)
		return
	case side == "":
		return // every text contains the empty one, so nothing can be concluded
	}
	for _, i := range []int{bytes.Index(now, []byte(side)), bytes.LastIndex(now, []byte(side))} {
		if i >= 0 {
			p.offerText(string(now[:i]) + other + string(now[i+len(side):]))
		}
	}
}

func (p *proposer) offerText(text string) {
	if text != string(p.plain) { // nil and an empty slice are the same text
		p.offerTerm(text)
	}
}

// offerTerm proposes a text. It does nothing if the text does not match the expression of
// the schema.
func (p *proposer) offerTerm(text string) {
	if !p.s.IsMatch() {
		p.offer(term.AppendRaw(nil, p.s.ID, text))
		return
	}
	if t, err := p.s.Parse(text); !p.full() && err == nil {
		p.offer(t)
	}
}

// plainText returns the text of a term of s.
func plainText(s *schema.Schema, t term.Term) []byte {
	if s.IsMatch() {
		return s.Text(t)
	}
	return t.Bytes(0)
}

// letter proposes the character other if the current one is side.
func (p *proposer) letter(side, other uint64) {
	if uint64(p.s.Class.Rune(p.now[0].X)) != side || other > unicode.MaxRune {
		return
	}
	if x, ok := p.s.Class.Index(rune(other)); ok {
		p.offer(term.Term{{S: p.s.ID, N: 1, X: x}})
	}
}
