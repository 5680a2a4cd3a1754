//go:build go1.25

package schema

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unsafe"
)

// form is a regular expression, and texts that match it. If a method accepts these texts, it
// is assumed to accept the others.
type form struct {
	expr   string
	probes []string
	all    bool // the texts are arbitrary
}

// commonForms are texts that types of many programs read. No two expressions match the same
// text, so that a text has one derivation. No number has an exponent of more than two digits.
var commonForms = []form{
	{`0|[1-9][0-9]{0,8}`, []string{"0", "1", "42", "900000001"}, false},
	{`-[1-9][0-9]{0,8}`, []string{"-1", "-15", "-900000001"}, false},
	{`(0|[1-9][0-9]{0,5})\.[0-9]{1,6}`, []string{"0.0", "1.5", "100.250001", "999999.999999"}, false},
	{`-(0|[1-9][0-9]{0,5})\.[0-9]{1,6}`, []string{"-0.5", "-10.01"}, false},
	{`[1-9](\.[0-9]{1,3})?[eE]-?[1-9][0-9]?`, []string{"1e2", "1.25e-7", "9E99", "9e-99"}, false},
	{`[1-9][0-9]{0,3}(Ki|Mi|Gi)`, []string{"1Ki", "12Mi", "9999Gi"}, false},
	{`[1-9][0-9]{0,3}(m|k|M|G)`, []string{"500m", "12k", "1M", "9999G"}, false},
	{`[1-9][0-9]{0,3}(ms|s|h)`, []string{"1s", "250ms", "9h"}, false},
	{`[1-9][0-9]{0,3}h[1-5][0-9]m`, []string{"1h10m", "26h30m"}, false},
	{`[1-9][0-9]{0,3}(B|KB|MB|GB)`, []string{"1B", "20KB", "512MB"}, false},
	{`[1-9][0-9]?(\.[0-9])?%`, []string{"1%", "12.5%"}, false},
	{version, []string{"0.0.1", "1.2.3", "10.0.100"}, false},
	{version + `-(alpha|beta|rc)\.[0-9]`, []string{"1.2.3-rc.1", "0.0.0-alpha.0"}, false},
	{version + `\+[a-z]{1,4}`, []string{"1.2.3+b", "2.0.0+abcd"}, false},
	{`v` + version, []string{"v0.0.1", "v1.2.3"}, false},
	{day, []string{"1999-01-28", "2026-12-01"}, false},
	{day + `T[01][0-9]:[0-5][0-9]:[0-5][0-9]Z`, []string{"1999-01-28T19:59:59Z", "2026-12-01T00:00:00Z"}, false},
	{day + `T[01][0-9]:[0-5][0-9]:[0-5][0-9]\.[0-9]{2}[1-9]\+0[1-9]:[03]0`, []string{"1999-01-28T19:59:59.001+01:30"}, false},
	{`[01][0-9]:[0-5][0-9]`, []string{"00:00", "19:59"}, false},
	{`[01][0-9]:[0-5][0-9]:[0-5][0-9]`, []string{"00:00:00", "19:59:01"}, false},
	{hex8 + `-` + hex4 + `-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-` + hex8 + hex4, []string{"01234567-89ab-4def-8123-456789abcdef"}, false},
	{octet + `(\.` + octet + `){3}`, []string{"0.0.0.0", "10.1.2.99"}, false},
	{octet + `(\.` + octet + `){3}/[12][0-9]`, []string{"10.0.0.0/20", "9.0.0.0/19"}, false},
	{`[0-2]\.[1-3]?[0-9](\.(0|[1-9][0-9]{0,4})){3,6}`, []string{"0.0.0.0.0", "1.2.840.1.99999", "2.39.1.0.1"}, false},
	{`fe80::[1-9a-f][0-9a-f]{0,3}`, []string{"fe80::1", "fe80::abcd"}, false},
	{`#[0-9a-f]{6}`, []string{"#000000", "#12abef"}, false},
	{`0x([0-9a-f]{2}){1,8}`, []string{"0x00", "0x01ff"}, false},
	{`https?://[a-z]{1,6}\.example/[a-z]{0,4}`, []string{"http://a.example/", "https://abc.example/x"}, false},
	{`[a-z]{1,6}@[a-z]{1,6}\.example`, []string{"a@b.example", "abc@de.example"}, false},
	{`true|false`, []string{"true", "false"}, false},
	{`[a-z]{1,8}`, []string{"a", "xyz", "word", "qqqqqqqq"}, false},
	{`[a-z]{1,5}/[a-z]{1,5}`, []string{"a/b", "text/plain"}, false},
	{`[a-z]{1,5}:[a-z]{1,5}`, []string{"a:b", "key:value"}, false},
	{`[a-z]{1,5}=[a-z]{1,5}`, []string{"a=b", "key=value"}, false},
}

const (
	version = `(0|[1-9][0-9]{0,2})\.(0|[1-9][0-9]?)\.(0|[1-9][0-9]{0,2})`
	day     = `(19[7-9][0-9]|20[0-9]{2})-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])`
	hex4    = `[0-9a-f]{4}`
	hex8    = `[0-9a-f]{8}`
	octet   = `([1-9]?[0-9])`
)

// anyForm are arbitrary texts. If they are accepted, no other form is needed.
var anyForm = form{`(?s).{0,24}`, []string{"", "\x00", "a b\n", "é\"\\", "{}[];,", "12:-"}, true}

// forms returns the forms of texts that a method accepts: arbitrary ones, common ones, and those
// that the type itself writes.
func (r *reading) forms(t reflect.Type) []form {
	var all []form
	if !r.json {
		all = append(all, anyForm)
		all = append(all, commonForms...)
	} else {
		for i, f := range commonForms {
			if i < numberForms {
				all = append(all, f)
			}
		}
		for _, f := range commonForms {
			quoted := form{expr: `"(` + f.expr + `)"`}
			for _, text := range f.probes {
				quoted.probes = append(quoted.probes, `"`+text+`"`)
			}
			all = append(all, quoted)
		}
	}
	all = slices.DeleteFunc(all, func(f form) bool { return !r.reads(t, f) })
	return append(all, r.written(t, all)...)
}

// reads reports whether all texts of a form are accepted.
func (r *reading) reads(t reflect.Type, f form) bool {
	return !slices.ContainsFunc(f.probes, func(text string) bool { return !r.accepts(t, text) })
}

// numberForms is how many of the common forms are JSON numbers.
const numberForms = 5

const (
	writtenMax = 8  // how many forms of texts that the type writes are tried
	writtenLen = 80 // and how long such a text may be
)

// written returns forms of the texts that the type writes. Numbers and words in them are replaced
// by others, where that is accepted. A text with the shape of a known form is left out: its form
// might share texts with the known one, and such a text would have two derivations.
func (r *reading) written(t reflect.Type, known []form) (all []form) {
	shapes := map[string]bool{}
	for _, f := range known {
		for _, text := range f.probes {
			shapes[shapeOf(text)] = true
		}
	}
	for n := range fillings {
		text, ok := r.tryWrite(filled(t, n))
		if !ok || text == "" || len(text) > writtenLen || shapes[shapeOf(text)] || !r.accepts(t, text) || len(all) == writtenMax {
			continue
		}
		is := func(f form) bool { return regexp.MustCompile(`\A(?:` + f.expr + `)\z`).MatchString(text) }
		if !slices.ContainsFunc(known, is) && !slices.ContainsFunc(all, is) {
			all = append(all, r.generalise(t, text))
		}
	}
	return all
}

// shapeOf returns a text with one digit for each number, and one letter for each word.
func shapeOf(text string) string {
	return allLetters.ReplaceAllString(allDigits.ReplaceAllString(text, "0"), "a")
}

var allDigits, allLetters = regexp.MustCompile(`[0-9]+`), regexp.MustCompile(`[A-Za-z]+`)

// part is a part of a text: digits, letters or other characters.
type part struct{ expr, text, least, most string }

// generalise returns a form for a text that the type has written and that it reads.
func (r *reading) generalise(t reflect.Type, text string) form {
	parts := split(text)
	f := form{probes: []string{text}}
	for i := range parts {
		p := &parts[i]
		for _, option := range options(p.text) {
			if r.accepts(t, joined(parts, i, option.least)) && r.accepts(t, joined(parts, i, option.most)) {
				f.probes = append(f.probes, joined(parts, i, option.least), joined(parts, i, option.most))
				p.expr = option.expr
				break
			}
		}
		f.expr += p.expr
	}
	return f
}

// options returns what a part of a text may be replaced with.
func options(text string) []part {
	switch r := rune(text[0]); {
	case unicode.IsDigit(r):
		n := len(text)
		return []part{
			{`(0|[1-9][0-9]{0,3})`, "", "0", "9870"},
			{fmt.Sprintf(`[0-9]{%d}`, n), "", strings.Repeat("0", n), strings.Repeat("9", n)},
			{fmt.Sprintf(`[1-9][0-9]{%d}`, n-1), "", "1" + strings.Repeat("0", n-1), strings.Repeat("9", n)},
		}
	case unicode.IsLetter(r):
		return []part{{`[a-z]{1,6}`, "", "a", "qwxyzk"}}
	}
	return nil
}

func joined(parts []part, at int, with string) string {
	var b strings.Builder
	for i, p := range parts {
		if i == at {
			b.WriteString(with)
		} else {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// split splits a text into digits, letters and single other characters.
func split(text string) (parts []part) {
	for _, s := range regexp.MustCompile(`[0-9]+|[A-Za-z]+|(?s:.)`).FindAllString(text, -1) {
		parts = append(parts, part{expr: regexp.QuoteMeta(s), text: s})
	}
	return parts
}

// filled returns a pointer to a value of t whose fields are set, as far as allele may set them.
// The number selects the value. The caller has locked textBuilders.
func filled(t reflect.Type, n int) any {
	p := reflect.New(t)
	f := filler{n: n}
	f.fill(p.Elem(), 0)
	return p.Interface()
}

// filler fills values for a trial. The values are simple: package gen, which makes the inputs,
// needs the schemas that are derived after the trial.
type filler struct{ n, leaf int }

const fillDepth = 4

var (
	fillInts  = [...]int64{0, 1, 7, -3, 12, 100, 2, 5000, -70, 31}
	fillTexts = [...]string{"a", "", "word", "B c", "x-1", "é", "42", "a,b"}
)

func (f *filler) fill(v reflect.Value, depth int) {
	f.leaf++
	h := uint32(f.n+1)*2654435761 + uint32(f.leaf)*2246822519 // any function that mixes both
	h = (h ^ h>>15) * 2246822519
	n := int(h >> 8)
	switch v = settable(v); v.Kind() {
	case reflect.Bool:
		v.SetBool(n%2 == 1)
	case reflect.String:
		v.SetString(fillTexts[n%len(fillTexts)])
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(fillInts[n%len(fillInts)]) / 4)
	case reflect.Slice:
		if depth < fillDepth {
			v.Set(reflect.MakeSlice(v.Type(), n%3, n%3))
			f.elements(v, depth)
		}
	case reflect.Array:
		f.elements(v, depth)
	case reflect.Pointer:
		if depth < fillDepth && n%3 > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem(), depth+1)
		}
	case reflect.Struct:
		if fs := textFuncsLocked(v.Type()); depth > 0 && fs != nil {
			made := fs[len(fs)-1]
			samples := made.Form.(Reader).samples
			text := samples[n%len(samples)]
			made.call(v.Addr().UnsafePointer(), unsafe.Pointer(&text))
			return
		}
		for i := range v.NumField() {
			if sf := v.Type().Field(i); (sf.IsExported() || Own(v.Type())) && sf.Name != "_" && !startsZero(v.Type()) {
				f.fill(v.Field(i), depth+1)
			}
		}
		if isNull(v.Type()) && !v.FieldByName("Valid").Bool() {
			v.SetZero()
		}
	default:
		switch {
		case v.CanInt():
			v.SetInt(fillInts[n%len(fillInts)])
		case v.CanUint():
			v.SetUint(uint64(max(0, fillInts[n%len(fillInts)])))
		}
	}
}

func (f *filler) elements(v reflect.Value, depth int) {
	for i := range min(v.Len(), 64) {
		f.fill(v.Index(i), depth+1)
	}
}
