package programs

import (
	"fmt"
	"html"
	"strings"

	"github.com/allele-go/allele"
)

// Sexp is an expression of Lisp, as general as possible: atoms and lists.
type Sexp interface{ write(*strings.Builder) }

// The constructors.
type (
	Symbol  string
	Integer int16
	Quoted  string
	Cells   []Sexp
)

func (v Symbol) write(b *strings.Builder)  { b.WriteString(word(string(v))) }
func (v Integer) write(b *strings.Builder) { fmt.Fprint(b, int16(v)) }
func (v Quoted) write(b *strings.Builder)  { fmt.Fprintf(b, "%q", string(v)) }
func (v Cells) write(b *strings.Builder) {
	b.WriteByte('(')
	for i, e := range v {
		if i > 0 {
			b.WriteByte(' ')
		}
		if e == nil {
			e = Symbol("nil")
		}
		e.write(b)
	}
	b.WriteByte(')')
}

// word makes a text a word.
func word(s string) string {
	w := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c == '-' || c == '+' || c == '*' {
			return c
		}
		return 'a' + c%26
	}, s)
	if w == "" {
		return "x"
	}
	return w
}

func lispText(v Sexp) ([]byte, error) {
	var b strings.Builder
	v.write(&b)
	return []byte(b.String() + "\n(exit)\n"), nil // without it newlisp reads its standard input
}

var lispVariants = allele.Variants[Sexp](Symbol(""), Integer(0), Quoted(""), Cells{})

// These types are arguments of the functions of a library for Lisp.
type (
	Operator uint8 // of one argument
	Operand  uint8 // of two
	Name     uint8
)

var (
	operators1 = strings.Fields(`first rest last length reverse list? number? string not abs upper-case sort unique float int quote
		eval print flat inc chop explode null? symbol? char`)
	operators2 = strings.Fields(`+ - * / % = < > and or list cons append max pow member find nth dup join rotate union intersect
		difference map filter apply begin sequence push assoc select starts-with slice`)
	namesOf = []string{"x", "y", "z", "f", "g", "h"}
)

func pick(names []string, i uint8) Symbol { return Symbol(names[int(i)%len(names)]) }

// These are the functions that a library for Lisp has.

func call1(f Operator, a Sexp) Sexp   { return Cells{pick(operators1, uint8(f)), a} }
func call2(f Operand, a, b Sexp) Sexp { return Cells{pick(operators2, uint8(f)), a, b} }
func condition(c, a, b Sexp) Sexp     { return Cells{Symbol("if"), c, a, b} }
func variable(n Name) Sexp            { return n.symbol() }
func set(n Name, v Sexp) Sexp         { return Cells{Symbol("setq"), n.symbol(), v} }
func caught(in Sexp) Sexp             { return Cells{Symbol("catch"), in} }
func let(n Name, v, in Sexp) Sexp     { return Cells{Symbol("let"), Cells{Cells{n.symbol(), v}}, in} }
func lambda(n Name, in Sexp) Sexp     { return Cells{Symbol("lambda"), Cells{n.symbol()}, in} }
func define(n, arg Name, in, then Sexp) Sexp {
	return Cells{Symbol("begin"), Cells{Symbol("define"), Cells{n.symbol(), arg.symbol()}, in}, then}
}
func loop(n Name, times uint8, in Sexp) Sexp {
	return Cells{Symbol("dotimes"), Cells{n.symbol(), Integer(times % 8)}, in}
}

func (n Name) symbol() Sexp { return pick(namesOf, uint8(n)) }

var lispFunctions = []allele.Option{
	allele.Builder(call1), allele.Builder(call2), allele.Builder(condition), allele.Builder(let), allele.Builder(lambda),
	allele.Builder(variable), allele.Builder(set), allele.Builder(define), allele.Builder(loop), allele.Builder(caught),
	allele.Range[Operator](0, Operator(len(operators1)-1)), allele.Range[Operand](0, Operand(len(operators2)-1)),
	allele.Range[Name](0, Name(len(namesOf)-1)),
	allele.Pattern[Sexp]("quoted list", Cells{Symbol("quote"), Cells{Integer(1), Integer(2)}}),
	allele.Pattern[Sexp]("pairs", Cells{Symbol("quote"), Cells{Cells{Symbol("x"), Integer(1)}, Cells{Symbol("y"), Integer(2)}}}),
}

// Markup is HTML as the library blaze-html has it: four constructors, for elements of any name.
type Markup interface{ markup(*strings.Builder) }

// The constructors.
type (
	Parent struct {
		Name string
		In   []Markup
	}
	Leaf         struct{ Name string }
	Content      string
	AddAttribute struct {
		Name, Value string
		In          Markup
	}
)

func (v Parent) markup(b *strings.Builder) { element(b, v.Name, "", v.In, true) }
func (v Leaf) markup(b *strings.Builder)   { element(b, v.Name, "", nil, false) }
func (v Content) markup(b *strings.Builder) {
	b.WriteString(html.EscapeString(string(v)))
}
func (v AddAttribute) markup(b *strings.Builder) {
	attrs, in := "", Markup(v)
	for {
		a, ok := in.(AddAttribute)
		if !ok {
			break
		}
		attrs += " " + word(a.Name) + `="` + html.EscapeString(a.Value) + `"`
		in = a.In
	}
	switch in := in.(type) {
	case Parent:
		element(b, in.Name, attrs, in.In, true)
	case Leaf:
		element(b, in.Name, attrs, nil, false)
	case nil:
	default:
		in.markup(b)
	}
}

func element(b *strings.Builder, name, attrs string, in []Markup, end bool) {
	if name != "!doctype" && name != "h1" && name != "h2" {
		name = word(name)
	}
	b.WriteString("<" + name + attrs + ">")
	for _, m := range in {
		if m != nil {
			m.markup(b)
		}
	}
	if end {
		b.WriteString("</" + name + ">")
	}
}

func markupText(v Markup) ([]byte, error) {
	var b strings.Builder
	v.markup(&b)
	return []byte(b.String()), nil
}

var markupVariants = allele.Variants[Markup](Parent{}, Leaf{}, Content(""), AddAttribute{})

// The library has a function for each element and each attribute. Here the name is an argument.
type (
	ParentName uint8
	LeafName   uint8
	AttrName   uint8
)

var (
	parentNames = strings.Fields(`a abbr address article aside audio b bdo blockquote body button canvas caption cite code colgroup
		datalist dd del details dfn div dl dt em fieldset figcaption figure footer form h1 h2 head header
		hgroup html i iframe ins kbd label legend li map mark menu meter nav noscript object ol optgroup
		option output p pre progress q rp rt ruby samp script section select small span strong style sub
		summary sup table tbody td textarea tfoot th thead time title tr ul var video center font frameset
		noframes dir applet big strike tt u`)
	leafNames = strings.Fields(`area base br col command embed hr img input keygen link meta param source track wbr frame isindex
		basefont spacer`)
	attrNames = strings.Fields(`accept action align alt bgcolor border cellpadding charset checked class color cols colspan content
		coords data dir disabled face for frame height href hreflang id ismap label lang language link
		longdesc maxlength media method multiple name nowrap onclick onload rel rows rowspan scope selected
		shape size span src start style summary tabindex target text title type usemap valign value width`)
)

func parent(n ParentName, in []Markup) Markup {
	return Parent{parentNames[int(n)%len(parentNames)], in}
}
func leaf(n LeafName) Markup { return Leaf{leafNames[int(n)%len(leafNames)]} }
func attribute(n AttrName, value string, in Markup) Markup {
	return AddAttribute{attrNames[int(n)%len(attrNames)], value, in}
}
func page(title string, in []Markup) Markup {
	return Parent{"html", []Markup{Parent{"head", []Markup{Parent{"title", []Markup{Content(title)}}}}, Parent{"body", in}}}
}
func content(s string) Markup { return Content(s) }

var markupFunctions = []allele.Option{
	allele.Builder(parent), allele.Builder(leaf), allele.Builder(attribute), allele.Builder(page), allele.Builder(content),
	allele.Range[ParentName](0, ParentName(len(parentNames)-1)), allele.Range[LeafName](0, LeafName(len(leafNames)-1)),
	allele.Range[AttrName](0, AttrName(len(attrNames)-1)),
	allele.Pattern[Markup]("table", Parent{"table", []Markup{Parent{"tr", []Markup{Parent{Name: "td"}}}}}),
	allele.Pattern[Markup]("list", Parent{"ul", []Markup{Parent{Name: "li"}, Parent{Name: "li"}}}),
	allele.Pattern[Markup]("choice", Parent{"select", []Markup{Parent{Name: "option"}}}),
}
