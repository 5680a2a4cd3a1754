//go:build go1.25

package schema

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/allele-go/allele/internal/value/term"
)

// This file finds a derivation of a given text: that of an example, of a case file, or
// of a word in the source. The schemas of an expression are compiled into a program
// whose choices are tried one after the other. Each choice is tried once at each
// position of the text, because a second attempt would fail too. So the time is linear
// in the length of the text, also for an expression such as (a*)*b. If the text has
// several derivations, the result is the one that prefers the first alternatives and
// the longest lists.

// Limits of parsing. For comparison: an expression of fifty choices can be parsed up to
// a text of 80,000 bytes.
const (
	programMax = 1 << 20 // instructions of a program; x{1000} has those of x a thousand times
	triesMax   = 1 << 22 // choices times positions
	stepsMax   = 1 << 23 // instructions that are run
)

type instrKind uint8

const (
	inOpen  instrKind = iota // a node with constructor c of s begins
	inClose                  // it ends
	inClass                  // a member of the class of s
	inText                   // a fixed text
	inSplit                  // try the next instruction, then that at to
	inJump                   // continue at to
	inEnd                    // the end of the text
)

type instr struct {
	kind  instrKind
	c     uint16
	s     *Schema
	to    int
	split int // number of an inSplit
	text  string
}

// lazyProgram is compiled when the first text is parsed.
type lazyProgram struct {
	once sync.Once
	compiler
}

type compiler struct {
	code   []instr
	splits int
	large  bool // the program would be larger than programMax
}

func (p *compiler) emit(in instr) int {
	if p.large = p.large || len(p.code) >= programMax; !p.large {
		p.code = append(p.code, in)
	}
	return len(p.code) - 1
}

func (p *compiler) split() int {
	p.splits++
	return p.emit(instr{kind: inSplit, split: p.splits - 1})
}

// land lets the instruction at a position continue at the end of the program.
func (p *compiler) land(at int) { p.code[at].to = len(p.code) }

// schema compiles a schema. It is one switch over the kinds of a grammar.
func (p *compiler) schema(s *Schema) {
	switch {
	case p.large:
	case s.Kind == Scalar:
		p.emit(instr{kind: inClass, s: s})
	case s.Kind == Array:
		p.emit(instr{kind: inOpen, s: s})
		for range s.Len {
			p.schema(s.Elem)
		}
		p.emit(instr{kind: inClose, s: s})
	case s.Kind == Slice:
		p.list(s)
	default:
		p.alternatives(s)
	}
}

func (p *compiler) alternatives(s *Schema) {
	var jumps []int
	for c := range s.Ctors {
		next := -1
		if c < len(s.Ctors)-1 {
			next = p.split()
		}
		p.emit(instr{kind: inOpen, s: s, c: uint16(c)})
		for i, f := range s.Ctors[c].Fields {
			p.text(s.Ctors[c].texts[i])
			p.schema(f.S)
		}
		p.text(s.Ctors[c].texts[len(s.Ctors[c].Fields)])
		p.emit(instr{kind: inClose, s: s})
		if next >= 0 {
			jumps = append(jumps, p.emit(instr{kind: inJump}))
			p.land(next)
		}
	}
	for _, j := range jumps {
		p.land(j)
	}
}

func (p *compiler) text(s string) {
	if s != "" {
		p.emit(instr{kind: inText, text: s})
	}
}

func (p *compiler) list(s *Schema) {
	p.emit(instr{kind: inOpen, s: s, c: 1})
	for range s.LenMin {
		p.schema(s.Elem)
	}
	var out []int
	if s.LenMax >= Unbounded {
		loop := p.split()
		p.schema(s.Elem)
		p.emit(instr{kind: inJump, to: loop})
		out = append(out, loop)
	} else {
		for range s.LenMax - s.LenMin {
			out = append(out, p.split())
			p.schema(s.Elem)
		}
	}
	for _, at := range out {
		p.land(at)
	}
	p.emit(instr{kind: inClose, s: s})
}

// Parse returns the derivation of a text. s must be a Match. The error names the
// expression, and the position at which the text does not fit.
func (s *Schema) Parse(text string) (term.Term, error) {
	m := s.match
	m.program.once.Do(func() {
		m.program.schema(s)
		m.program.emit(instr{kind: inEnd})
	})
	p := parser{code: m.program.code, text: text}
	if m.program.large || m.program.splits*(len(text)+1) > triesMax {
		return nil, fmt.Errorf("a text of %d bytes is too long to be compared with %v", len(text), m)
	}
	p.tried = make([]uint64, m.program.splits*(len(text)+1)/64+1)
	if !p.run() {
		return nil, fmt.Errorf("%s does not match %v: %s", quoted(text), m, p.why())
	}
	if m.filter && !m.full.MatchString(text) {
		return nil, fmt.Errorf("%s does not match %v: a condition such as ^, $ or \\b does not hold", quoted(text), m)
	}
	return p.derivation(), nil
}

// why returns why the text has no derivation.
func (p *parser) why() string {
	switch {
	case p.steps > stepsMax:
		return fmt.Sprintf("no derivation found in %d steps", stepsMax)
	case p.far == len(p.text):
		return "the text ends too early"
	case isInvalid(p.text[p.far:]):
		return fmt.Sprintf("byte %d is not UTF-8", p.far)
	}
	return fmt.Sprintf("it does not fit from byte %d on", p.far)
}

func isInvalid(text string) bool {
	r, n := utf8.DecodeRuneInString(text)
	return r == utf8.RuneError && n == 1
}

// quoted returns a text for a message, without the middle of a long one.
func quoted(text string) string {
	const most = 60
	if len(text) > most {
		text = text[:most/2] + "..." + text[len(text)-most/2:]
	}
	return strconv.Quote(text)
}

// parser runs a program.
type parser struct {
	code  []instr
	text  string
	path  []emitted
	tried []uint64 // a bit for each choice and position
	jobs  []choicePoint
	far   int // the largest position that was reached
	steps int
}

// emitted is an instruction on the current path that is a part of the derivation.
type emitted struct {
	pc int
	x  uint64 // index of a member of a class
}

// choicePoint is a choice whose second alternative is still to be tried.
type choicePoint struct{ pc, pos, path int }

// run reports whether the text has a derivation. Its instructions are left in p.path.
func (p *parser) run() bool {
	p.jobs = append(p.jobs, choicePoint{})
	for len(p.jobs) > 0 && p.steps <= stepsMax {
		j := p.jobs[len(p.jobs)-1]
		p.jobs, p.path = p.jobs[:len(p.jobs)-1], p.path[:j.path]
		if p.from(j.pc, j.pos) {
			return true
		}
	}
	return false
}

// from runs instructions until one fails, or the text ends.
func (p *parser) from(pc, pos int) bool {
	for ; ; pc++ {
		in := &p.code[pc]
		p.steps++
		switch in.kind {
		case inOpen, inClose:
			p.path = append(p.path, emitted{pc: pc})
		case inClass:
			r, n := utf8.DecodeRuneInString(p.text[pos:])
			x, ok := in.s.Class.Index(r)
			if p.far = max(p.far, pos); !ok || n == 0 || r == utf8.RuneError && n == 1 {
				return false
			}
			p.path = append(p.path, emitted{pc, x})
			pos += n
		case inText:
			if !strings.HasPrefix(p.text[pos:], in.text) {
				p.far = max(p.far, pos+common(p.text[pos:], in.text))
				return false
			}
			pos += len(in.text)
		case inSplit:
			bit := in.split*(len(p.text)+1) + pos
			if p.tried[bit/64]&(1<<(bit%64)) != 0 {
				return false
			}
			p.tried[bit/64] |= 1 << (bit % 64)
			p.jobs = append(p.jobs, choicePoint{in.to, pos, len(p.path)})
		case inJump:
			pc = in.to - 1
		case inEnd:
			p.far = max(p.far, pos)
			return pos == len(p.text)
		}
	}
}

// common returns the length of the common prefix of two texts, in whole characters.
func common(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return n
}

// derivation returns the term of the current path.
func (p *parser) derivation() (t term.Term) {
	type opened struct {
		at   int
		list bool
	}
	var open []opened
	for _, e := range p.path {
		in := &p.code[e.pc]
		last := len(open) - 1
		if in.kind == inClose {
			t[open[last].at].N = uint32(len(t) - open[last].at)
			open = open[:last]
			continue
		}
		if last >= 0 && open[last].list {
			t[open[last].at].X++
		}
		if in.kind == inOpen {
			open = append(open, opened{len(t), in.s.IsList()})
		}
		t = append(t, term.Node{S: in.s.ID, C: in.c, N: 1, X: e.x})
	}
	return t
}
