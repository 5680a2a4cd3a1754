//go:build go1.25

package schema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/allele-go/allele/internal/value/attempt"
)

// A struct with hidden fields often has a method that reads a text: UnmarshalText, UnmarshalJSON
// or Scan. If its fields give only zero or invalid values, its values are made by this method.
//
// A random text is hardly ever accepted. So the derivation tries texts of common forms (numbers,
// dates, versions and so on, see forms.go) and forms of texts that the type itself writes. The
// accepted ones together are a regular expression, and its derivations are the terms (see Match).

// reading is a method that sets a value from a text, and one that writes the text.
type reading struct {
	typ    reflect.Type
	method string
	set    func(p any, text string) error
	text   func(p any) (string, error) // nil if the type has no such method
	writes string                      // the name of the method text
	json   bool
	exact  bool // a text is of use only if its value is the same after it is written and read
}

// readings returns how *t reads texts, the best way first. A method that t got by embedding is left
// out if it is not about the whole of t, see speaks.
func readings(t reflect.Type) []reading {
	return slices.DeleteFunc(allReadings(t), func(r reading) bool { return !speaks(t, r.method) })
}

func allReadings(t reflect.Type) (all []reading) {
	p := reflect.New(t).Interface()
	if _, ok := p.(encoding.TextUnmarshaler); ok {
		r := reading{typ: t, method: "UnmarshalText"}
		r.writes, r.text = textOf(p)
		r.set = func(p any, text string) error { return p.(encoding.TextUnmarshaler).UnmarshalText([]byte(text)) }
		all = append(all, r)
	}
	if _, ok := p.(json.Unmarshaler); ok {
		r := reading{typ: t, method: "UnmarshalJSON", writes: "MarshalJSON", json: true, exact: !Hides(t)}
		r.set = func(p any, text string) error { return p.(json.Unmarshaler).UnmarshalJSON([]byte(text)) }
		if _, ok := p.(json.Marshaler); ok {
			r.text = func(p any) (string, error) {
				b, err := p.(json.Marshaler).MarshalJSON()
				return string(b), err
			}
		}
		all = append(all, r)
	}
	if _, ok := p.(scanner); ok {
		r := reading{typ: t, method: "Scan"}
		r.writes, r.text = textOf(p)
		r.set = func(p any, text string) error { return p.(scanner).Scan(text) }
		all = append(all, r)
	}
	return all
}

// scanner is sql.Scanner, whose package need not be linked.
type scanner interface{ Scan(any) error }

// textOf returns how p writes its text, and the name of the method, or nil.
func textOf(p any) (method string, text func(any) (string, error)) {
	if _, ok := p.(encoding.TextMarshaler); ok {
		return "MarshalText", func(p any) (string, error) {
			b, err := p.(encoding.TextMarshaler).MarshalText()
			return string(b), err
		}
	}
	if _, ok := p.(fmt.Stringer); ok {
		return "String", func(p any) (string, error) { return p.(fmt.Stringer).String(), nil }
	}
	return "", nil
}

// read sets *p from a text. A panic is an error.
func (r *reading) read(p any, text string) (ok bool) {
	defer func() {
		if !ok {
			recover()
		}
	}()
	return tame(text) && r.set(p, text) == nil
}

// write returns the text of *p. A panic is an error.
func (r *reading) write(p any) (text string, ok bool) {
	if r.text == nil {
		return "", false
	}
	defer func() {
		if !ok {
			recover()
		}
	}()
	text, err := r.text(p)
	return text, err == nil
}

// tryRead is like read, for a method that may never return.
func (r *reading) tryRead(p any, text string) bool {
	return attempt.Call(r.typ, r.method, func() bool { return r.read(p, text) })
}

// tryWrite is like write, for a method that may never return.
func (r *reading) tryWrite(p any) (text string, ok bool) {
	type written struct {
		text string
		ok   bool
	}
	w := attempt.Call(r.typ, r.writes, func() written {
		text, ok := r.write(p)
		return written{text, ok}
	})
	return w.text, w.ok
}

// accepts reports whether a new value can be set from the text.
func (r *reading) accepts(t reflect.Type, text string) bool {
	p := reflect.New(t).Interface()
	return r.tryRead(p, text) && (!r.exact || r.keeps(t, p))
}

// keeps reports whether a value is the same after it is written and read.
func (r *reading) keeps(t reflect.Type, v any) bool {
	text, ok := r.tryWrite(v)
	p := reflect.New(t).Interface()
	return ok && r.tryRead(p, text) && reflect.DeepEqual(p, v)
}

// tame reports whether a text has no number with a long exponent: it could take all memory to
// compute with such a number.
func tame(text string) bool { return !wild.MatchString(text) }

var wild = regexp.MustCompile(`[0-9.][eEpP][+-]?[0-9]{4}`)

// textBuilders are the builders of textFuncs by type. Deriving them calls methods of the type.
var textBuilders = struct {
	sync.Mutex
	of map[reflect.Type][]*Func
}{of: map[reflect.Type][]*Func{}}

// textFuncs returns the builders of a type that are made by a method that reads a text, or nil
// if its fields give good values, or no text is accepted.
func textFuncs(t reflect.Type) []*Func {
	if t.Kind() != reflect.Struct || t.PkgPath() == "" || startsZero(t) || t.Size() > valueBytes {
		return nil
	}
	textBuilders.Lock()
	defer textBuilders.Unlock()
	return textFuncsLocked(t)
}

func textFuncsLocked(t reflect.Type) []*Func {
	if fs, ok := textBuilders.of[t]; ok {
		return fs
	}
	textBuilders.of[t] = nil // in a value of t itself
	if _, proto := reflect.PointerTo(t).MethodByName("ProtoReflect"); proto {
		return nil
	}
	for _, r := range readings(t) {
		if !Hides(t) && r.method == "Scan" || r.fieldsSuffice(t) {
			break
		}
		if expr, probes := r.grammar(t); expr != "" {
			textBuilders.of[t] = r.funcs(t, expr, probes)
			break
		}
	}
	if attempt.Endless(t) != "" {
		textBuilders.of[t] = nil
	}
	return textBuilders.of[t]
}

// fillings is how many values are made from fields, to see whether they are good.
const fillings = 20

// fieldsSuffice reports whether values that are made from the fields of a type are good: at least
// half of them write different texts that can be read. If the type writes no text, the fields
// that can be set decide.
func (r *reading) fieldsSuffice(t reflect.Type) bool {
	switch {
	case r.text == nil:
		return Own(t) || !Hides(t) || slices.ContainsFunc(reflect.VisibleFields(t), reflect.StructField.IsExported)
	case r.exact:
		return r.keepsFields(t)
	}
	good := map[string]bool{}
	for n := range fillings {
		if text, ok := r.tryWrite(filled(t, n)); ok && r.accepts(t, text) {
			good[text] = true
		}
	}
	return len(good) >= fillings/2
}

// keepsFields reports whether at least half of the values that are made from the fields of a type are
// kept. If not, the fields depend on each other: one may say which of the others counts. The
// fields of a type that is written as an object or a list are always used, because it has more values than
// the texts that could be tried.
func (r *reading) keepsFields(t reflect.Type) bool {
	good := 0
	for n := range fillings {
		v := filled(t, n)
		if text, _ := r.tryWrite(v); strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") || r.keeps(t, v) {
			good++
		}
	}
	return good >= fillings/2
}

// grammar returns a regular expression of texts that are accepted, and some of them, or "". An
// expression for a single value is of no use.
func (r *reading) grammar(t reflect.Type) (expr string, probes []string) {
	values := map[string]bool{}
	var exprs []string
	for _, f := range r.forms(t) {
		exprs, probes = append(exprs, f.expr), append(probes, f.probes...)
		for _, text := range f.probes {
			p := reflect.New(t).Interface()
			r.tryRead(p, text)
			values[fmt.Sprintf("%#v", p)] = true
			if again, ok := r.tryWrite(p); ok {
				values[again] = true
			}
		}
		if f.all {
			break // anything is accepted
		}
	}
	if len(values) < 3 {
		return "", nil
	}
	return strings.Join(exprs, "|"), probes
}

// funcs returns the builders of a type whose texts match an expression: of the zero value, if the type
// reads what it writes for it, and of the texts. Hidden ones are for other texts, also of the other methods, and for
// values that were stored as fields.
func (r *reading) funcs(t reflect.Type, expr string, probes []string) []*Func {
	given := asGiven(t)
	given.invert = func(v reflect.Value) ([]reflect.Value, bool) { return []reflect.Value{v}, Own(t) || onlyVisible(v) }
	fs := []*Func{given}
	for _, r := range allReadings(t) {
		other := r.reader(t)
		other.Name, other.hidden, other.Args[0].Decls = r.method+"((_0))", true, []Decl{}
		other.Template = other.Name
		fs = append(fs, other)
	}
	if text, ok := r.tryWrite(reflect.New(t).Interface()); ok && r.accepts(t, text) {
		zero := literal(t, "")
		zero.Form = Literal{text: &text}
		fs = append(fs, zero)
	}
	made := r.reader(t)
	made.Args[0].Decls, made.Form = []Decl{matchOf(expr)}, Reader{r.method, probes}
	return append(fs, made)
}

// rare reports whether the builder makes the zero value of a type that reads texts.
func (m *Func) rare() bool {
	l, _ := m.Form.(Literal)
	return l.text != nil
}

// isNull reports whether it makes one that is written as null.
func (m *Func) isNull() bool {
	l, _ := m.Form.(Literal)
	return l.text != nil && *l.text == "null"
}

// pointee returns the schema of what a pointer or an interface contains. If the zero value of t is written as
// null, it is not generated there: it would be read as a nil pointer.
func (d *deriver) pointee(t reflect.Type, sc *scope, path string) *Schema {
	e := sc.entry(t)
	if e == nil || e.values != nil || !slices.ContainsFunc(e.makers, (*Func).isNull) {
		return d.schema(t, sc, path)
	}
	sc.places = append(sc.places, place{path, t})
	if s := sc.pointees[t]; s != nil {
		return s
	}
	s := d.add(t)
	if sc.pointees == nil {
		sc.pointees = map[reflect.Type]*Schema{}
	}
	sc.pointees[t] = s
	var ms []*Func
	for _, m := range sc.makers(t) {
		if m.isNull() {
			c := *m
			c.hidden, c.Form = true, Literal{}
			m = &c
		}
		ms = append(ms, m)
	}
	declared := sc.lookup(t)
	d.made(s, ms, sc, path)
	d.mix(s, declared)
	d.declare(s, declared, path)
	return s
}

// reader returns the builder that reads a text.
func (r *reading) reader(t reflect.Type) *Func {
	m := reflected(t, r.method+"(_0)", nil, stringType)
	m.Form, m.rejects = Reader{Method: r.method}, rejectsSilently
	m.call = func(dst, args unsafe.Pointer) bool {
		return r.read(reflect.NewAt(t, dst).Interface(), *(*string)(args))
	}
	m.invert = func(v reflect.Value) ([]reflect.Value, bool) {
		text, ok := r.write(v.Addr().Interface())
		if !ok {
			return nil, false
		}
		p := reflect.New(t)
		ok = r.read(p.Interface(), text)
		again, _ := r.write(p.Interface())
		return values(text), ok && (again == text || reflect.DeepEqual(p.Elem().Interface(), v.Interface()))
	}
	return m
}

// ReadText sets a new value of t from a text by one of the methods that read texts, and returns its error. known is false if t has
// no such method.
func ReadText(t reflect.Type, method, text string) (known bool, err error) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for _, r := range allReadings(t) {
		if r.method == method {
			return true, attempt.Call(t, method, func() (err error) {
				defer func() {
					if v := recover(); v != nil {
						err = fmt.Errorf("panic: %v", v)
					}
				}()
				return r.set(reflect.New(t).Interface(), text)
			})
		}
	}
	return false, nil
}

// onlyVisible reports whether all hidden fields of a struct are zero.
func onlyVisible(v reflect.Value) bool {
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() && !v.Field(i).IsZero() {
			return false
		}
	}
	return true
}

// decodes reports whether a function that was found in the source is a method that reads a text.
// Nearly all texts are errors, after which the receiver is still zero.
func (m *Func) decodes() bool {
	return Is[Mutator](m) && Decodes(m.Name[strings.LastIndexByte(m.Name, '.')+1:])
}

// Decodes reports whether a method reads a text or bytes, by its name.
func Decodes(method string) bool { return method == "Scan" || strings.HasPrefix(method, "Unmarshal") }

// constructors returns the functions that were found for t, which is T or *T, without methods that
// read a text, if values of T are made by one, or if one does not return. Functions that parse a text get texts that
// they accept.
func (sc *scope) constructors(e *entry, t reflect.Type) (ms []*Func) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	textual := slices.ContainsFunc(e.found, (*Func).decodes) && (textFuncs(t) != nil || attempt.Endless(t) != "")
	for _, m := range e.found {
		if textual && m.decodes() && m.origin.source != askedSource {
			continue
		}
		if declared := sc.types[stringType]; declared == nil {
			ms = append(ms, m.learned()...)
		} else {
			ms = append(ms, m)
		}
	}
	return ms
}
