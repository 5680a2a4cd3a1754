//go:build go1.25

package schema

import (
	"fmt"
	"reflect"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// A text that must match a regular expression is not generated as a text. The
// expression is turned into a small grammar of schemas, and the term is a derivation:
//
//	[a-z]+(=\d*)?   a Rule with two fields: a list of letters, and an optional part,
//	                which is a Rule with two constructors; the second has a list of digits
//
// Fixed text such as the = has no node. It belongs to the constructor that contains
// it. So all other packages generate, mutate and shrink a derivation like any term, and
// the text matches by construction. A regular expression has no recursion, so the
// schemas form a tree. The schemas of equal parts of an expression are the same, so
// that mutations can exchange these parts.
//
// The text itself is made when a value is built, printed or compared: see flat.go. A
// given text is parsed: see parse.go. Conditions such as \b inside an expression are
// checked when the value is built; the package gen draws again if one does not hold.

// Match is a regular expression that describes the whole text of a value.
type Match struct {
	Expr string
	re   *syntax.Regexp
	full *regexp.Regexp // matches whole texts only
}

// partsMax is the maximal number of parts of an expression, which bounds the number of
// its schemas.
const partsMax = 10_000

// NewMatch parses a regular expression in the syntax of package regexp.
func NewMatch(expr string) (*Match, error) {
	if _, err := regexp.Compile(expr); err != nil {
		return nil, err
	}
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	if parts(re) > partsMax {
		return nil, fmt.Errorf("the expression has more than %d parts", partsMax)
	}
	full, err := regexp.Compile(`\A(?:` + expr + `)\z`)
	return &Match{expr, re, full}, err
}

func parts(re *syntax.Regexp) int {
	n := 1 + len(re.Rune)
	for _, sub := range re.Sub {
		n += parts(sub)
	}
	return n
}

// String returns the expression as messages quote it.
func (m *Match) String() string {
	if strconv.CanBackquote(m.Expr) {
		return "`" + m.Expr + "`"
	}
	return strconv.Quote(m.Expr)
}

// match derives a type whose values are texts that match an expression.
func (d *deriver) match(s *Schema, m *Match, path string) {
	s.Kind, s.Base = Rule, d.add(s.Type)
	s.Base.Kind = String
	if s.Type.Kind() == reflect.Slice {
		s.Base.Kind = Bytes
	}
	if d.grammars == nil {
		d.grammars = map[string]*Schema{}
	}
	if len(d.world.Schemas)+2*parts(m.re) >= schemasMax {
		d.refuse(path, s.Type, fmt.Sprintf("Match(%v): the expressions of this input have too many parts", m))
		return
	}
	g := grammar{deriver: d}
	q := newSequence()
	if !g.add(q, m.re, ends{true, true}) {
		d.refuse(path, s.Type, fmt.Sprintf("no text matches %v", m))
		return
	}
	s.Ctors = []Ctor{{Name: m.Expr, Fields: q.fields, texts: q.texts}}
	s.match = &matcher{Match: m, refusal: &Func{Name: fmt.Sprintf("Match(%v)", m), Form: Filter{}, Named: true}, filter: g.filter}
	d.world.fallible = d.world.fallible || g.filter || g.bounded
	if !g.filter {
		return
	}
	text, ok := m.witness()
	if ok {
		s.Least, _ = s.Parse(text)
	}
	if s.Least == nil {
		d.refuse(path, s.Type, fmt.Sprintf("no text matches %v", m))
	}
}

// grammar makes the schemas of one expression.
type grammar struct {
	*deriver
	filter  bool // the expression has conditions that the schemas do not express
	bounded bool // the length of a list has a bound
}

// sequence is the content of a constructor: fields, and the text around them.
type sequence struct {
	fields []Field
	texts  []string // one more than fields
}

func newSequence() *sequence { return &sequence{texts: []string{""}} }

func (q *sequence) text(s string) { q.texts[len(q.texts)-1] += s }

func (q *sequence) field(s *Schema) {
	q.fields, q.texts = append(q.fields, Field{S: s}), append(q.texts, "")
}

// join appends another sequence.
func (q *sequence) join(p *sequence) {
	q.text(p.texts[0])
	q.fields, q.texts = append(q.fields, p.fields...), append(q.texts, p.texts[1:]...)
}

// ends says that nothing can come before a part of the text, or after it.
type ends struct{ first, last bool }

// add appends what re matches to a sequence. It returns false if re matches nothing.
func (g *grammar) add(q *sequence, re *syntax.Regexp, at ends) bool {
	switch re.Op {
	case syntax.OpNoMatch:
		return false
	case syntax.OpLiteral:
		return g.literal(q, re)
	case syntax.OpCharClass:
		return g.class(q, newClass(re.Rune))
	case syntax.OpAnyCharNotNL:
		return g.class(q, newClass([]rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune}))
	case syntax.OpAnyChar:
		return g.class(q, newClass([]rune{0, unicode.MaxRune}))
	case syntax.OpBeginLine, syntax.OpBeginText:
		g.filter = g.filter || !at.first
	case syntax.OpEndLine, syntax.OpEndText:
		g.filter = g.filter || !at.last
	case syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		g.filter = true
	case syntax.OpCapture:
		return g.add(q, re.Sub[0], at)
	case syntax.OpConcat:
		return g.concat(q, re, at)
	case syntax.OpAlternate:
		return g.alternate(q, re, re.Sub, at)
	case syntax.OpQuest:
		return g.alternate(q, re, []*syntax.Regexp{{Op: syntax.OpEmptyMatch}, re.Sub[0]}, at)
	case syntax.OpStar:
		return g.repeat(q, re, 0, Unbounded)
	case syntax.OpPlus:
		return g.repeat(q, re, 1, Unbounded)
	case syntax.OpRepeat:
		if re.Max < 0 {
			return g.repeat(q, re, re.Min, Unbounded)
		}
		return g.repeat(q, re, re.Min, re.Max)
	}
	return true // OpEmptyMatch
}

func (g *grammar) literal(q *sequence, re *syntax.Regexp) bool {
	for _, r := range re.Rune {
		switch {
		case !utf8.ValidRune(r):
			return false
		case re.Flags&syntax.FoldCase != 0:
			g.class(q, folds(r))
		default:
			q.text(string(r))
		}
	}
	return true
}

// classIndex is the Go type of a scalar that is an index of a Class.
type classIndex uint32

func (g *grammar) class(q *sequence, c *Class) bool {
	switch c.Len {
	case 0:
		return false
	case 1:
		q.text(string(c.Rune(0)))
		return true
	}
	q.field(g.schema(fmt.Sprint("class", c.spans), func(s *Schema) bool {
		s.Type = reflect.TypeFor[classIndex]()
		s.number()
		s.Hi, s.Limited, s.Class = uint64(c.Len-1), true, c
		return true
	}))
	return true
}

// schema returns the schema with a key, and fills a new one if there is none. A schema
// without a key is always new. It returns nil if fill fails.
func (g *grammar) schema(key string, fill func(*Schema) bool) *Schema {
	if s := g.grammars[key]; key != "" && s != nil {
		return s
	}
	s := g.deriver.add(reflect.TypeFor[string]())
	s.Kind = Rule
	if !fill(s) {
		s.Ctors = []Ctor{{Name: "none", texts: []string{""}}} // unused
		return nil
	}
	if key != "" {
		g.grammars[key] = s
	}
	return s
}

// keyOf returns the key of the schema of an expression. There is none if the schema
// depends on where the expression is, or if it needs a filter.
func keyOf(re *syntax.Regexp) string {
	if conditional(re) {
		return ""
	}
	return re.String()
}

func conditional(re *syntax.Regexp) bool {
	return re.Op >= syntax.OpBeginLine && re.Op <= syntax.OpNoWordBoundary || slices.ContainsFunc(re.Sub, conditional)
}

// isEmpty reports whether re matches only the empty text.
func isEmpty(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpBeginText, syntax.OpEndLine, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return true
	}
	return len(re.Sub) > 0 && !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !isEmpty(sub) })
}

func (g *grammar) concat(q *sequence, re *syntax.Regexp, at ends) bool {
	for i, sub := range re.Sub {
		before, after := true, true
		for j, other := range re.Sub {
			before = before && (j >= i || isEmpty(other))
			after = after && (j <= i || isEmpty(other))
		}
		if !g.add(q, sub, ends{at.first && before, at.last && after}) {
			return false
		}
	}
	return true
}

// alternate appends a choice of the alternatives that match anything.
func (g *grammar) alternate(q *sequence, re *syntax.Regexp, subs []*syntax.Regexp, at ends) bool {
	var only *sequence
	s := g.schema(keyOf(re), func(s *Schema) bool {
		for _, sub := range subs {
			if alt := newSequence(); g.add(alt, sub, at) {
				only = alt
				s.Ctors = append(s.Ctors, Ctor{Name: sub.String(), Fields: alt.fields, texts: alt.texts})
			}
		}
		return len(s.Ctors) > 1
	})
	switch {
	case s != nil:
		q.field(s)
	case only == nil:
		return false
	default:
		q.join(only)
	}
	return true
}

// repeat appends a list of the parts that the operand of re matches.
func (g *grammar) repeat(q *sequence, re *syntax.Regexp, least, most int) bool {
	sub := re.Sub[0]
	switch {
	case most == 0 || isEmpty(sub) && least == 0:
		return true
	case most == 1 && least == 0:
		return g.alternate(q, re, []*syntax.Regexp{{Op: syntax.OpEmptyMatch}, sub}, ends{})
	case most == 1 || isEmpty(sub):
		return g.add(q, sub, ends{})
	}
	s := g.schema(keyOf(re), func(s *Schema) bool {
		if s.Elem = g.element(sub); s.Elem == nil {
			return false
		}
		s.Kind, s.LenMin, s.LenMax = Slice, least, most
		if least == most {
			s.Kind, s.Len, s.LenMin, s.LenMax = Array, least, 0, 0
		}
		return true
	})
	if s == nil {
		return least == 0
	}
	q.field(s)
	g.bounded = g.bounded || s.Kind == Slice && (least > 0 || most < Unbounded)
	return true
}

// element returns the schema of the elements of a list, or nil if sub matches nothing.
func (g *grammar) element(sub *syntax.Regexp) *Schema {
	q := newSequence()
	if !g.add(q, sub, ends{}) {
		return nil
	}
	if len(q.fields) == 1 && q.texts[0] == "" && q.texts[1] == "" {
		return q.fields[0].S
	}
	key := keyOf(sub)
	if key != "" {
		key = "element " + key
	}
	return g.schema(key, func(s *Schema) bool {
		s.Ctors = []Ctor{{Name: sub.String(), Fields: q.fields, texts: q.texts}}
		return true
	})
}
