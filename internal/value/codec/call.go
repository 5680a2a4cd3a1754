//go:build go1.25

package codec

import (
	"cmp"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/allele-go/allele/internal/value/schema"
)

// made prints a call of a builder.
func (p *printer) made(f *schema.Func, v view, at int) doc {
	var args []doc
	switch form := f.Form.(type) {
	case schema.Reader:
		return p.read(f, form.Method, v, at)
	case schema.Variable:
		return p.variable(f.Result, f, false, context{})
	case schema.Mutator:
		return p.changed(f, v, at)
	case schema.Start:
		return p.started(f, form.Fields, v, at)
	case schema.Spelled:
		args = []doc{text(spelling(p.world.Spell(v.t, at)))}
	case schema.Call, schema.Parser, schema.Given:
		args = p.arguments(v, at, 0)
	case schema.Literal:
		return p.literal(f, form, v, at, context{})
	case schema.Filter: // it makes no values
	case schema.Calls, schema.Operation: // see steps.go
	}
	d := p.applied(f, args)
	switch {
	case f.Fallible() && !p.style.Case && f.IsReady() && f.Template[0] == '*':
		return dropSecond(p.typeText(f.Result), "*v", fill(p.requalified(f)[1:], args))
	case f.Fallible() && !p.style.Case:
		return dropSecond(p.typeText(f.Result), pointed(f), d)
	case f.Via == schema.Deref:
		return row(text("*"), d)
	case f.Via == schema.Ref && p.style.New:
		return row(text("new("), d, text(")"))
	case f.Via == schema.Ref:
		return row(typeLeaf("&[]"+p.elemText(f.Result.Elem())+"{"), d, text("}[0]"))
	}
	return d
}

// started prints a value that functions change later. Fields that are zero are omitted.
func (p *printer) started(f *schema.Func, fields []string, v view, at int) doc {
	typ := cell{typ: f.Pointee()}
	if f.Via != schema.Deref {
		typ.ptr = f.Result
	}
	var elems []doc
	i := 0
	for k := range v.t.Kids(at) {
		if !v.zero[k] || p.style.Case && p.namedZero(v, k) {
			elems = append(elems, row(text(fields[i]+": "), p.value(v, k, context{})))
		}
		i++
	}
	return list(p.open(typ, context{}), elems, "}")
}

// read prints a value that is set from a text, as a function literal:
//
//	func() T { var v T; v.UnmarshalText([]byte("1.5")); return v }()
func (p *printer) read(f *schema.Func, method string, v view, at int) doc {
	typ := p.typeText(f.Result)
	arg := row(append([]doc{text("v." + method + "([]byte(")}, append(p.arguments(v, at, 0), text("))"))...)...)
	if method == "Scan" {
		arg = row(append([]doc{text("v.Scan(")}, append(p.arguments(v, at, 0), text(")"))...)...)
	}
	return statements(typ, "v", text("var v "+typ), arg)
}

// literal prints a composite literal with the arguments of a Literal. No field is omitted, so that
// it is read back as the same builder.
func (p *printer) literal(f *schema.Func, lit schema.Literal, v view, at int, in context) doc {
	var elems []doc
	for i, arg := range p.arguments(v, at, 0) {
		elems = append(elems, row(text(lit.Fields[i]+": "), arg))
	}
	if lit.Fixed != "" {
		elems = append(elems, text(lit.Fixed+": true"))
	}
	return list(p.open(cell{typ: f.Result}, in), elems, "}")
}

// pointed returns the result expression of a printed function literal in which the
// variable v has the result of f: v or, if f returns a pointer to the value, *v, or, if f
// returns the value that the pointer is to point to, &v.
func pointed(f *schema.Func) string {
	switch f.Via {
	case schema.Deref:
		return "*v"
	case schema.Ref:
		return "&v"
	}
	return "v"
}

// spelling returns x as a string literal, in back quotes if that avoids escapes.
func spelling(x string) string {
	if strings.ContainsAny(x, "\"\\") && strconv.CanBackquote(x) {
		return "`" + x + "`"
	}
	return strconv.Quote(x)
}

// arguments prints the arguments of a call, starting with the one at index from.
func (p *printer) arguments(v view, at, from int) (args []doc) {
	for k := range v.t.Kids(at) {
		if from--; from < 0 {
			args = append(args, p.value(v, k, context{}))
		}
	}
	return args
}

// changed prints a value that is made by methods which change it, as a function
// literal:
//
//	func() *T { v := New(); v.Set(1); v.Set(2); return v }()
//
// If New returns a T and not a *T, the literal returns &v.
func (p *printer) changed(f *schema.Func, v view, at int) doc {
	typ, result := p.typeText(f.Result), pointed(f)
	var calls []doc
	for {
		if !strings.Contains(f.Name, "[...]") { // a call of a method needs no type arguments
			p.callee(f) // only records whether f can be named
		}
		args := p.arguments(v, at, 1) // without the receiver, which is printed once, after the loop
		if last := len(args) - 1; isVariadic(f) {
			args[last] = row(args[last], text("..."))
		}
		calls = append(calls, list(text("v."+methodName(f)+"("), args, ")"))
		at++ // the receiver is the first argument
		n := v.t[at]
		s := p.world.Of(n)
		if s.Kind != schema.Made {
			break
		}
		next := s.Ctors[n.C].Func
		if !schema.Is[schema.Mutator](next) || next.Via == schema.Deref {
			break
		}
		f = next
	}
	slices.Reverse(calls)
	first := p.value(v, at, context{typed: true})
	if s := p.world.Of(v.t[at]); s.Kind == schema.Made && s.Ctors[v.t[at].C].Func.Via == schema.Ref {
		start := *s.Ctors[v.t[at].C].Func
		start.Via, start.Result = schema.AsIs, start.Result.Elem()
		first = p.made(&start, v, at)
		result = map[string]string{"v": "&v", "*v": "v"}[result]
	}
	return statements(typ, result, append([]doc{row(text("v := "), first)}, calls...)...)
}

func (p *printer) applied(f *schema.Func, args []doc) doc {
	if f.IsReady() {
		template := p.requalified(f)
		if len(args) > 0 && strings.HasPrefix(f.Template, "func() ") {
			return fillBody(template, args)
		}
		return fill(template, args)
	}
	open := text(p.callee(f) + "(")
	if last := len(args) - 1; isVariadic(f) {
		args[last] = row(args[last], text("..."))
	}
	if len(args) == 1 {
		return row(open, args[0], text(")"))
	}
	return list(open, args, ")")
}

// requalified returns the template of a builder that comes with allele, with the names that packages
// have in this text.
func (p *printer) requalified(f *schema.Func) string {
	template := holes(f)
	for _, path := range append([]string{f.Pkg}, f.Imports...) {
		if path == "" {
			continue
		}
		name := lastElem(path)
		if alias := p.need(path, name); alias != name {
			alias = strings.TrimPrefix(alias+".", ".") // the package that the text is for has no qualifier
			template = regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\.`).ReplaceAllString(template, alias)
		}
	}
	return template
}

// holes returns the template of f, with the numbered hole _0 instead of _text.
func holes(f *schema.Func) string {
	if schema.Is[schema.Spelled](f) {
		return strings.Replace(f.Template, "_text", "_0", 1)
	}
	return f.Template
}

func isVariadic(f *schema.Func) bool { return strings.HasSuffix(f.Template, "...)") }

// fill returns a template with the arguments in its holes _0, _1, ...
func fill(template string, args []doc) doc {
	if len(args) == 0 {
		return typeLeaf(template)
	}
	var parts []doc
	rest := template
	for {
		at := hole.FindStringIndex(rest)
		if at == nil {
			return row(append(parts, text(rest))...)
		}
		i := int(rest[at[0]+1] - '0')
		parts = append(parts, text(rest[:at[0]]), args[i])
		rest = rest[at[1]:]
	}
}

// fillBody is fill for a template of the form func() T { ...; return x }().
func fillBody(template string, args []doc) doc {
	typ, body, _ := strings.Cut(strings.TrimPrefix(template, "func() "), " { ")
	parts := strings.Split(strings.TrimSuffix(body, " }()"), "; ")
	last := len(parts) - 1
	var ss []doc
	for _, part := range parts[:last] {
		ss = append(ss, fill(part, args))
	}
	return statements(typ, strings.TrimPrefix(parts[last], "return "), ss...)
}

// hole matches a hole of a template.
var hole = regexp.MustCompile(`_[0-9]`)

// callee returns the name of a user's builder, which may be a method expression.
func (p *printer) callee(f *schema.Func) string {
	name := funcName(f)
	qualifier := ""
	if f.Pkg != p.style.Pkg {
		qualifier = p.need(f.Pkg, p.pkgName(f.Pkg)) + "."
		for part := range strings.SplitSeq(name, ".") {
			part, _, _ = strings.Cut(strings.Trim(part, "(*)"), "[")
			p.unnameable = p.unnameable || part != "" && !token.IsExported(part)
		}
	}
	p.unnameable = p.unnameable || !f.Named
	if method, ok := strings.CutPrefix(name, "(*"); ok {
		return "(*" + qualifier + method
	}
	return qualifier + name
}

// funcName returns the name of a builder without its package. If Go source cannot
// use the name, such as that of a function literal, it is turned into an identifier,
// so that at least allele can read the text.
func funcName(f *schema.Func) string {
	if !f.Named {
		return identifier(f.Name)
	}
	_, name, _ := strings.Cut(f.Name, ".")
	return name
}

// methodName returns the name of a builder that changes its receiver, for a call v.Name().
func methodName(f *schema.Func) string {
	if _, name, ok := strings.Cut(f.Name, ")."); ok && token.IsIdentifier(name) {
		return name
	}
	name := funcName(f)
	return name[strings.LastIndexByte(name, '.')+1:]
}

// identifier makes an identifier from pkg.Name, where Name is the linker's name
// of a function: Test.func1.2, T[...].M, (*T).M.
func identifier(full string) string {
	_, name, _ := strings.Cut(full, ".")
	parts := strings.FieldsFunc(cmp.Or(name, full), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(parts, "_")
}
