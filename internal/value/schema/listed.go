//go:build go1.25

package schema

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"sync"
)

// Site is a call in the source that declares values. Its arguments are the values as Go code.
type Site struct {
	Pkg  string // import path of the package that contains the call, with _test if it is external
	File string
	Line int
}

// SiteOf returns the call of the function that calls the caller of SiteOf.
func SiteOf() Site {
	var pcs [1]uintptr
	if runtime.Callers(3, pcs[:]) == 0 {
		return Site{}
	}
	frame, _ := runtime.CallersFrames(pcs[:]).Next()
	return Site{packageIn(frame.Function), frame.File, frame.Line}
}

// Listed is a declared value: argument N, of Of, of the call at Site.
type Listed struct {
	Site
	N, Of int
	Text  string // of an error that errors.New has made
	value reflect.Value
	texts func() []printed // of all values of the call
}

// printed has the texts of a value: the usual one, and one that also has its content, which is empty if
// it differs in every process.
type printed struct{ short, full string }

// listed returns the values that a call declares.
func (s Site) listed(values []reflect.Value) (all []Listed) {
	texts := sync.OnceValue(func() (texts []printed) {
		for _, l := range all {
			texts = append(texts, printed{l.short(), l.full()})
		}
		return texts
	})
	for i, v := range values {
		all = append(all, Listed{Site: s, N: i, Of: len(values), value: v, texts: texts})
	}
	return all
}

// printMax is the maximal length of the text of a value.
const printMax = 200

// Print returns the type and the text of a value, which show whether another value has taken its
// place in the list. It is empty for a function. It calls methods of the user.
//
// If other values of the list have the same text, it also has the content of the value. If that is the
// same too, it has the length of the list: then only its number tells the value apart. Values that
// a case names do not matter.
func (l Listed) Print(isNamed func(Listed) bool) string {
	if l.texts == nil {
		return "" // no declaration has it
	}
	all := l.texts()
	own := all[l.N]
	one, same := true, false
	for i, other := range all {
		peer := l
		if peer.N = i; i == l.N || other.short != own.short || isNamed(peer) {
			continue
		}
		one, same = false, same || other.full == own.full
	}
	switch {
	case one || own.short == "":
		return own.short
	case own.full != "" && !same:
		return own.full
	}
	return l.byNumber(cmp.Or(own.full, own.short))
}

func (l Listed) byNumber(text string) string {
	return fmt.Sprintf("%s (only its number tells it apart, in a list of %d)", text, l.Of)
}

// Prints reports whether text is one that Print returns for the value, in this list or another one. If
// the value is told apart by its number, only this list counts, and byNumber is true.
func (l Listed) Prints(text string) (ok, byNumber bool) {
	if text == "" || l.texts == nil {
		return false, false
	}
	switch own := l.texts()[l.N]; text {
	case own.short, own.full:
		return true, false
	default:
		return text == l.byNumber(cmp.Or(own.full, own.short)), true
	}
}

// Silent reports whether the value has no text, because it is a function or nil.
func (l Listed) Silent() bool { return l.texts == nil || l.texts()[l.N].short == "" }

// short returns the type and the text of a value.
func (l Listed) short() string {
	return l.typed(func(x any) string {
		if err, ok := x.(error); ok {
			return err.Error()
		}
		return fmt.Sprintf("%+v", x)
	}, func(text string) string { return fmt.Sprintf("%.*s", printMax, text) })
}

// full returns the text of a value with its content, or "" if this differs in every process.
func (l Listed) full() string {
	text := l.typed(func(x any) string {
		if v := reflect.ValueOf(x); v.Kind() == reflect.Pointer && !v.IsNil() {
			x = v.Elem().Interface()
		}
		return fmt.Sprintf("%#v", x)
	}, bothEnds)
	_, content, ok := strings.Cut(text, ": ")
	if !ok {
		return ""
	}
	return l.short() + ", " + content
}

// typed returns the type of a value, and a detail unless that differs in every process.
func (l Listed) typed(detail func(any) string, bounded func(string) string) (text string) {
	if l.value.Kind() != reflect.Interface || l.value.IsNil() {
		return ""
	}
	x := l.value.Interface()
	text = fmt.Sprintf("%T", x)
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("%T", x)
		}
	}()
	d := detail(x)
	if address.MatchString(d) {
		return text
	}
	return strings.ToValidUTF8(bounded(text+": "+d), "?")
}

// bothEnds shortens a text in the middle.
func bothEnds(text string) string {
	if len(text) <= printMax {
		return text
	}
	return text[:printMax/2] + " ... " + text[len(text)-printMax/2:]
}

var address = regexp.MustCompile(`0x[0-9a-f]{6,}`)
