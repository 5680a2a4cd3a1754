package codec

import (
	"cmp"
	"go/token"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/allele-go/allele/internal/value/schema"
)

// made prints a call of a builder.
func (p *printer) made(f *schema.Func, v view, at int) doc {
	if f.Mutates {
		return p.starred(f, p.changed(f, v, at))
	}
	d := p.applied(f, p.arguments(v, at))
	if f.Fallible() && !p.style.Case {
		result := f.Result
		if f.Deref {
			result = reflect.PointerTo(result)
		}
		d = dropSecond(p.typeText(result), d)
	}
	return p.starred(f, d)
}

// starred prints what a pointer points to, if that is what is meant.
func (p *printer) starred(f *schema.Func, d doc) doc {
	if f.Deref {
		return row(text("*"), d)
	}
	return d
}

func (p *printer) arguments(v view, at int) (args []doc) {
	for k := range v.t.Kids(at) {
		args = append(args, p.value(v, k, context{}))
	}
	return args
}

// changed prints methods that change a value, one after the other:
//
//	func() *T { v := New(); v.Set(1); v.Set(2); return v }()
func (p *printer) changed(f *schema.Func, v view, at int) doc {
	result := f.Result
	if f.Deref {
		result = reflect.PointerTo(result)
	}
	var calls []doc
	for {
		p.callee(f) // notes whether it can be named
		args := p.arguments(v, at)[1:]
		if last := len(args) - 1; isVariadic(f) {
			args[last] = row(args[last], text("..."))
		}
		name := funcName(f)
		calls = append(calls, list(text("v."+name[strings.LastIndexByte(name, '.')+1:]+"("), args, ")"))
		at++ // the receiver is the first argument
		n := v.t[at]
		s := p.world.Of(n)
		if s.Kind != schema.Made || !s.Ctors[n.C].Func.Mutates || s.Ctors[n.C].Func.Deref {
			break
		}
		f = s.Ctors[n.C].Func
	}
	slices.Reverse(calls)
	first := row(text("v := "), p.value(v, at, context{typed: true}))
	return statements(p.typeText(result), append([]doc{first}, calls...)...)
}

func (p *printer) applied(f *schema.Func, args []doc) doc {
	if isReady(f) {
		p.need(f.Pkg, lastElem(f.Pkg))
		return fill(f.Template, args)
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

// isReady reports whether a builder is one of ours, with a template of any
// form; a user's is a function and its arguments.
func isReady(f *schema.Func) bool { return f.Name == f.Template }

func isVariadic(f *schema.Func) bool { return strings.HasSuffix(f.Template, "...)") }

// fill puts arguments into the holes _0, _1, ... of a template.
func fill(template string, args []doc) doc {
	var parts []doc
	rest := template
	for {
		before, after, found := strings.Cut(rest, "_")
		if !found {
			return row(append(parts, text(rest))...)
		}
		i := int(after[0] - '0')
		parts = append(parts, text(before), args[i])
		rest = after[1:]
	}
}

// callee is the name of a user's builder, which may be a method expression.
func (p *printer) callee(f *schema.Func) string {
	name := funcName(f)
	qualifier := ""
	if f.Pkg != p.style.Pkg {
		pkg := p.pkgName(f.Pkg)
		p.need(f.Pkg, pkg)
		qualifier = pkg + "."
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

// funcName is the name of a builder without its package. One that no source
// could use, of a function literal for instance, is made into an identifier, so
// that at least the text can be read back.
func funcName(f *schema.Func) string {
	if !f.Named {
		return identifier(f.Name)
	}
	_, name, _ := strings.Cut(f.Name, ".")
	return name
}

// identifier makes one of pkg.Name, where Name is what the linker calls a
// function: Test.func1.2, T[...].M, (*T).M.
func identifier(full string) string {
	_, name, _ := strings.Cut(full, ".")
	parts := strings.FieldsFunc(cmp.Or(name, full), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(parts, "_")
}
