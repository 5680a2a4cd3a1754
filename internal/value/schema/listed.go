//go:build go1.25

package schema

import (
	"fmt"
	"reflect"
	"regexp"
	"runtime"
	"strings"
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
}

// listed returns where the values of a declaration are from.
func (d Decl) listed(values []reflect.Value) (all []Listed) {
	for i, v := range values {
		all = append(all, Listed{Site: d.Site, N: i, Of: len(values), value: v})
	}
	return all
}

// printMax is the maximal length of the text of a value.
const printMax = 200

// Print returns the type and the text of a value, which show whether another value has taken its
// place in the list. It is empty for a function. It calls methods of the user.
func (l Listed) Print() (text string) {
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
	detail := fmt.Sprintf("%+v", x)
	if err, ok := x.(error); ok {
		detail = err.Error()
	}
	if address.MatchString(detail) { // differs in every process
		return text
	}
	return strings.ToValidUTF8(fmt.Sprintf("%.*s", printMax, text+": "+detail), "?")
}

var address = regexp.MustCompile(`0x[0-9a-f]{6,}`)
