//go:build go1.25

package event

import (
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The bounds of strings and lists keep a line below lineMax even if every byte of its texts
// takes six bytes in JSON, as control characters do. An input of 16 KiB fills a few screens.
// The other bounds are in the tags max of the fields.
const (
	lineMax  = 1 << 20
	nameMax  = 1 << 10 // names, and reasons in a few words
	sitesMax = 1 << 14 // in one line; a site takes eleven bytes at most
	earlyMax = 1 << 12 // sites before the first run
)

// within returns a copy of a body that respects all bounds. What it changes is copied before.
func within(b Body) Body {
	v := reflect.New(reflect.TypeOf(b)).Elem()
	v.Set(reflect.ValueOf(b))
	shorten(v, 0)
	return v.Interface().(Body)
}

// shorten makes a value respect its bound, which is 0 if its field has no tag max.
func shorten(v reflect.Value, bound int) {
	switch v.Kind() {
	case reflect.String:
		if bound == 0 {
			bound = nameMax
		}
		v.SetString(cut(v.String(), bound))
	case reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			v.SetFloat(-1) // JSON cannot represent NaN and infinity, and the event must not be lost
		}
	case reflect.Struct:
		for i := range v.NumField() {
			bound, _ := strconv.Atoi(v.Type().Field(i).Tag.Get("max"))
			shorten(v.Field(i), bound)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			to := reflect.New(v.Type().Elem())
			to.Elem().Set(v.Elem())
			shorten(to.Elem(), bound)
			v.Set(to)
		}
	case reflect.Slice:
		shortenList(v, min(v.Len(), bound))
	}
}

func shortenList(v reflect.Value, n int) {
	v.SetLen(n)
	if k := v.Type().Elem().Kind(); n == 0 || k != reflect.String && k != reflect.Struct {
		return // numbers have no bound
	}
	to := reflect.MakeSlice(v.Type(), n, n)
	reflect.Copy(to, v)
	for i := range n {
		shorten(to.Index(i), 0)
	}
	v.Set(to)
}

// cut returns a text as valid UTF-8 of at most size bytes. A shortened text ends with an
// ellipsis.
func cut(s string, size int) string {
	const more = "…"
	if len(s) > size {
		end := size - len(more)
		for end > 0 && !utf8.RuneStart(s[end]) {
			end--
		}
		s = s[:end] + more
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "?") // this does not make the text longer
	}
	return s
}
