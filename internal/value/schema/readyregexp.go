//go:build go1.25

package schema

import (
	"reflect"
	"regexp"
	"strings"
)

// rxChoice is a regular expression: one or more alternatives, each a chain of
// pieces. The types follow the precedence of the operators, so that a text has only
// one structure.
type (
	rxChoice struct {
		Pieces *rxPiece
		Or     *rxChoice
	}
	rxPiece struct {
		Atom rxAtom
		Op   rxOp
		Next *rxPiece
	}
	rxAtom  interface{ write(b []byte) []byte }
	rxChar  struct{ C byte }
	rxGroup struct {
		Open rxOpen
		In   rxChoice
	}
	rxClass struct {
		Not   bool
		First rxItem
		Rest  *rxItems
	}
	rxItems struct {
		Item rxItem
		Next *rxItems
	}
	rxItem interface{ write(b []byte) []byte }
	rxSpan struct{ From, To rxHalf }
	rxHalf byte // a letter in one half of the alphabet: its offset from a or from z

	rxSign   string // an atom that is written verbatim
	rxMember string // the same in a class
	rxOp     string
	rxOpen   string
)

// Texts that are written verbatim. If one text is a prefix of another, the longer
// one comes first. No text begins with a small letter, nor with a text that may
// follow a text of the same kind. For example, no rxSign begins with an rxOp.
var (
	rxSigns = []rxSign{".", "^", "$", `\d`, `\w`, `\s`, `\b`, `\B`, `\D`, `\W`, `\S`, `\pL`, `\A`, `\z`,
		" ", "0", "1", "A", "Z", "_", "-", "/", "é", "世", `\.`, `\*`, `\(`, `\\`, `\n`, `\x{10ffff}`}
	rxMembers = []rxMember{"0-9", "A-Z", `\d`, `\s`, `\w`, "_", ".", " ", `\]`, `\-`, `\^`, "é", "α-ω", "[:space:]", `\pN`}
	rxOps     = []rxOp{"", "*?", "*", "+?", "+", "??", "?", "{2}", "{0,2}", "{1,}"}
	rxOpens   = []rxOpen{"(?:", "(?i:", "(?s:", "(?P<x>", "("}
)

// rxHalfMax bounds rxHalf, so that the first letter of a span such as a-z comes
// before the last.
const rxHalfMax = 12

var rxDecls = []Decl{
	variantsOf[rxAtom](rxChar{}, rxSign(""), rxClass{}, rxGroup{}),
	variantsOf[rxItem](rxChar{}, rxSpan{}, rxMember("")),
	valuesOf(rxSigns...), valuesOf(rxMembers...), valuesOf(rxOps...), valuesOf(rxOpens...),
	rangeOf[byte]('a', 'z'),
	rangeOf[rxHalf](0, rxHalfMax),
}

func (x rxChoice) write(b []byte) []byte {
	for p := x.Pieces; p != nil; p = p.Next {
		b = append(p.Atom.write(b), p.Op...)
	}
	if x.Or != nil {
		b = x.Or.write(append(b, '|'))
	}
	return b
}

func (x rxChar) write(b []byte) []byte   { return append(b, x.C) }
func (x rxSign) write(b []byte) []byte   { return append(b, x...) }
func (x rxMember) write(b []byte) []byte { return append(b, x...) }
func (x rxSpan) write(b []byte) []byte   { return append(b, 'a'+byte(x.From), '-', 'z'-byte(x.To)) }
func (x rxGroup) write(b []byte) []byte  { return append(x.In.write(append(b, x.Open...)), ')') }

func (x rxClass) write(b []byte) []byte {
	b = append(b, '[')
	if x.Not {
		b = append(b, '^')
	}
	b = x.First.write(b)
	for i := x.Rest; i != nil; i = i.Next {
		b = i.Item.write(b)
	}
	return append(b, ']')
}

var regexpSpelling = spelling[rxChoice, *regexp.Regexp]{
	write: func(x *rxChoice) string { return string(x.write(nil)) },
	parse: func(text string) (rxChoice, bool) {
		p := rxParser{rest: text}
		x := p.choice(0)
		return x, !p.failed && p.rest == ""
	},
	from: parsed(regexp.Compile),
	text: func(re **regexp.Regexp) (string, bool) {
		if *re == nil {
			return "", false
		}
		// regexp.MustCompile cannot make a longest-match or POSIX expression, or the
		// zero Regexp.
		again, err := regexp.Compile((*re).String())
		return (*re).String(), err == nil && reflect.DeepEqual(again, *re)
	},
	decls: rxDecls,
}

var regexpFuncs = []*Func{
	hiddenZero[*regexp.Regexp]("(*regexp.Regexp)(nil)"),
	verbatim("regexp.MustCompile(_text)", regexpSpelling),
	spelled("regexp.MustCompile(_text)", regexpSpelling),
}

// rxDepthMax is the maximal nesting of groups in a text that is parsed. Package
// regexp has the same limit.
const rxDepthMax = 1000

// rxParser parses the texts that rxChoice.write returns. For other texts it fails or
// returns something else, see spelling.parse.
type rxParser struct {
	rest   string
	failed bool
}

func (p *rxParser) skip(prefix string) bool {
	rest, ok := strings.CutPrefix(p.rest, prefix)
	p.rest = rest
	return ok
}

func (p *rxParser) choice(depth int) (x rxChoice) {
	p.failed = p.failed || depth > rxDepthMax
	for end := &x.Pieces; !p.failed && p.rest != "" && p.rest[0] != '|' && p.rest[0] != ')'; end = &(*end).Next {
		*end = &rxPiece{Atom: p.atom(depth)}
		(*end).Op = oneOf(p, rxOps)
	}
	if !p.failed && p.skip("|") {
		or := p.choice(depth + 1)
		x.Or = &or
	}
	return x
}

func (p *rxParser) atom(depth int) rxAtom {
	if open := oneOf(p, rxOpens); open != "" {
		g := rxGroup{open, p.choice(depth + 1)}
		p.failed = p.failed || !p.skip(")")
		return g
	}
	if p.skip("[") {
		return p.class()
	}
	if sign := oneOf(p, rxSigns); sign != "" {
		return sign
	}
	return p.char()
}

func (p *rxParser) class() rxAtom {
	x := rxClass{Not: p.skip("^"), First: p.item()}
	for end := &x.Rest; !p.failed && !p.skip("]"); end = &(*end).Next {
		*end = &rxItems{Item: p.item()}
	}
	return x
}

func (p *rxParser) item() rxItem {
	if m := oneOf(p, rxMembers); m != "" {
		return m
	}
	c := p.char()
	if len(p.rest) >= 2 && p.rest[0] == '-' {
		s := rxSpan{From: rxHalf(c.C - 'a'), To: rxHalf('z' - p.rest[1])}
		p.rest = p.rest[2:]
		p.failed = p.failed || s.From > rxHalfMax || s.To > rxHalfMax
		return s
	}
	return c
}

func (p *rxParser) char() rxChar {
	if p.failed = p.failed || p.rest == "" || p.rest[0] < 'a' || p.rest[0] > 'z'; p.failed {
		return rxChar{'a'}
	}
	c := p.rest[0]
	p.rest = p.rest[1:]
	return rxChar{c}
}

// oneOf returns the longest of the texts that p.rest begins with, and skips it. If
// there is none, it returns "".
func oneOf[S ~string](p *rxParser, texts []S) (found S) {
	for _, s := range texts {
		if len(s) > len(found) && strings.HasPrefix(p.rest, string(s)) {
			found = s
		}
	}
	p.rest = p.rest[len(found):]
	return found
}
