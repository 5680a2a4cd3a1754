//go:build go1.25

package schema

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// tagWord is a word of a tag: min=3 has the name min and the parameter 3.
type tagWord struct{ name, param string }

// String returns the word as it is written.
func (w tagWord) String() string {
	if w.param == "" {
		return w.name
	}
	return w.name + "=" + w.param
}

// unknown returns the error for a word that is not known, or not for this type.
func (w tagWord) unknown(t reflect.Type) error {
	if knownWord(w.name) {
		return fmt.Errorf("the word %v does not apply to %v", w, t)
	}
	return fmt.Errorf("the word %s is not known", w.name)
}

// tagWords splits the text of a tag. In a parameter, 0x2C and 0x7C stand for a comma and a bar.
func tagWords(text string) (words []tagWord, err error) {
	for word := range strings.SplitSeq(text, ",") {
		name, param, _ := strings.Cut(word, "=")
		if strings.Contains(word, "|") {
			return nil, fmt.Errorf("%s has alternatives", word)
		}
		param = strings.ReplaceAll(strings.ReplaceAll(param, "0x2C", ","), "0x7C", "|")
		words = append(words, tagWord{strings.TrimSpace(name), param})
	}
	return words, nil
}

// cutDive splits words at the first dive: those before it are about a list, the others about its
// elements.
func cutDive(words []tagWord) (own, rest []tagWord, dive bool) {
	if i := slices.IndexFunc(words, func(w tagWord) bool { return w.name == "dive" }); i >= 0 {
		return words[:i], words[i+1:], true
	}
	return words, nil, false
}

// about handles the words that all types have: whether a value may be zero.
func (tag *Tag) about(w tagWord) bool {
	switch w.name {
	case "required":
		tag.Required = true
	case "omitempty", "omitzero", "omitnil":
		tag.Omit = true
	case "", "structonly", "nostructlevel":
	default:
		return false
	}
	return true
}

// presence handles the words of a type that has no others.
func (tag *Tag) presence(s *Schema, words []tagWord) error {
	for _, w := range words {
		if !tag.about(w) {
			return w.unknown(s.Type)
		}
	}
	return nil
}

// bound is a comparison with a parameter.
type bound struct{ min, max, over, under, not bool }

var bounds = map[string]bound{
	"min": {min: true}, "gte": {min: true}, "max": {max: true}, "lte": {max: true},
	"len": {min: true, max: true}, "eq": {min: true, max: true},
	"gt": {over: true}, "lt": {under: true}, "ne": {not: true},
}

// length handles the words of a list, whose numbers are about its length.
func (tag *Tag) length(s *Schema, words []tagWord) error {
	tag.NotNil = true
	for _, w := range words {
		switch {
		case tag.about(w):
		case w.name == "unique" && w.param == "" && s.Kind == Slice:
			tag.Unique = true
		case !tag.limitLength(w):
			return w.unknown(s.Type)
		}
	}
	return tag.possible()
}

// limitLength handles a comparison with a length.
func (tag *Tag) limitLength(w tagWord) bool {
	b, ok := bounds[w.name]
	n, err := strconv.Atoi(w.param)
	if !ok || err != nil || n < 0 || b.not {
		return false
	}
	switch {
	case b.over:
		tag.LenMin = max(tag.LenMin, n+1)
	case b.under:
		tag.LenMax = min(tag.LenMax, n-1)
	}
	if b.min {
		tag.LenMin = max(tag.LenMin, n)
	}
	if b.max {
		tag.LenMax = min(tag.LenMax, n)
	}
	return true
}

func (tag *Tag) possible() error {
	if tag.LenMax < max(tag.LenMin, 0) {
		return fmt.Errorf("no value satisfies it")
	}
	return nil
}

// number handles the words of a number or a bool.
func (tag *Tag) number(s *Schema, words []tagWord) error {
	for _, w := range words {
		b, compares := bounds[w.name]
		switch {
		case tag.about(w):
		case w.name == "oneof":
			if !tag.among(s, w.param) {
				return w.unknown(s.Type)
			}
		case compares && s.Type.Kind() != reflect.Bool:
			x, ok := numberOf(s, w.param)
			if !ok {
				return w.unknown(s.Type)
			}
			if err := tag.limit(s, b, x); err != nil {
				return err
			}
		case w.name == "latitude" && s.IsFloat():
			tag.narrow(s, FloatBits(-90), FloatBits(90))
		case w.name == "longitude" && s.IsFloat():
			tag.narrow(s, FloatBits(-180), FloatBits(180))
		case w.name == "port" && s.In(math.MaxUint16) && !s.IsFloat() && !s.IsSigned():
			tag.narrow(s, 1, math.MaxUint16)
		case (w.name == "numeric" || w.name == "number") && s.Type.Kind() != reflect.Bool:
		case w.name == "boolean" && s.Type.Kind() == reflect.Bool:
		default:
			return w.unknown(s.Type)
		}
	}
	if n := tag.Narrow; n != nil && n.Less(n.Hi, n.Lo) {
		return fmt.Errorf("no value satisfies it")
	}
	return nil
}

// limit handles a comparison with a number.
func (tag *Tag) limit(s *Schema, b bound, x uint64) error {
	lo, hi := s.Lo, s.Hi
	switch {
	case b.not:
		tag.except = append(tag.except, x)
		return nil
	case b.over && !s.Less(x, s.Hi), b.under && !s.Less(s.Lo, x):
		return fmt.Errorf("no value satisfies it")
	case b.over:
		lo = s.next(x, 1)
	case b.under:
		hi = s.next(x, -1)
	}
	if b.min {
		lo = x
	}
	if b.max {
		hi = x
	}
	tag.narrow(s, lo, hi)
	return nil
}

// next returns the number after x, or the one before it if by is -1.
func (s *Schema) next(x uint64, by int64) uint64 {
	if s.IsFloat() {
		return s.Ranked(s.Rank(x) + by)
	}
	return x + uint64(by)
}

// narrow limits a number to those from lo to hi.
func (tag *Tag) narrow(s *Schema, lo, hi uint64) {
	if tag.Narrow == nil {
		n := *s
		n.Tag, n.Limited = nil, true
		tag.Narrow = &n
	}
	n := tag.Narrow
	if n.Less(n.Lo, lo) {
		n.Lo = lo
	}
	if n.Less(hi, n.Hi) {
		n.Hi = hi
	}
	n.Consts = slices.DeleteFunc(slices.Clone(n.Consts), func(x uint64) bool { return !n.In(x) })
}

// numberOf parses a parameter. The end of a type's range stands for a number beyond it.
func numberOf(s *Schema, param string) (x uint64, ok bool) {
	var err error
	switch {
	case s.Type == reflect.TypeFor[time.Duration]() && strings.ContainsAny(param, "nuµmsh"):
		var d time.Duration
		d, err = time.ParseDuration(param)
		x = uint64(d)
	case s.IsFloat():
		var f float64
		f, err = strconv.ParseFloat(param, 64)
		x = FloatBits(f)
	case s.IsSigned():
		var i int64
		i, err = strconv.ParseInt(param, 0, 64)
		x = uint64(i)
	default:
		x, err = strconv.ParseUint(param, 0, 64)
	}
	if err != nil || s.IsFloat() && isNaN(x) {
		return 0, false
	}
	if s.Less(x, s.Lo) {
		x = s.Lo
	}
	if s.Less(s.Hi, x) {
		x = s.Hi
	}
	return x, true
}

func (tag *Tag) among(s *Schema, param string) bool {
	if s.Type.Kind() == reflect.Bool || s.IsFloat() {
		return false
	}
	for _, word := range listed(param) {
		x, ok := numberOf(s, word)
		if !ok {
			return false
		}
		tag.Among = append(tag.Among, x)
	}
	return len(tag.Among) > 0
}

// listed splits the parameter of oneof: words, or texts in single quotes.
func listed(param string) (words []string) {
	for param = strings.TrimSpace(param); param != ""; param = strings.TrimSpace(param) {
		word, rest, _ := strings.Cut(param, " ")
		if param[0] == '\'' {
			if quoted, after, ok := strings.Cut(param[1:], "'"); ok {
				word, rest = quoted, after
			}
		}
		words, param = append(words, word), rest
	}
	return words
}

// text handles the words of a text.
func (tag *Tag) text(s *Schema, words []tagWord) error {
	for _, w := range words {
		switch w.name {
		case "oneof", "oneofci":
			if tag.Words = listed(w.param); len(tag.Words) == 0 {
				return w.unknown(s.Type)
			}
			tag.fold = w.name == "oneofci"
		case "eq":
			tag.Words = []string{w.param}
		case "ne":
			tag.texts = append(tag.texts, func(text string) bool { return text != w.param })
		default:
			if !tag.about(w) && !tag.limitLength(w) && !tag.parts(w) && !tag.format(w) {
				return w.unknown(s.Type)
			}
		}
	}
	return tag.possible()
}

// parts handles the words about parts of a text.
func (tag *Tag) parts(w tagWord) bool {
	if w.param == "" {
		return false
	}
	var ok func(string) bool
	switch w.name {
	case "startswith":
		tag.Prefix, ok = w.param, func(text string) bool { return strings.HasPrefix(text, w.param) }
	case "endswith":
		tag.Suffix, ok = w.param, func(text string) bool { return strings.HasSuffix(text, w.param) }
	case "contains":
		tag.Part, ok = w.param, func(text string) bool { return strings.Contains(text, w.param) }
	case "containsany", "containsrune":
		_, n := utf8.DecodeRuneInString(w.param)
		tag.Part, ok = w.param[:n], func(text string) bool { return strings.ContainsAny(text, w.param) }
	case "startsnotwith":
		ok = func(text string) bool { return !strings.HasPrefix(text, w.param) }
	case "endsnotwith":
		ok = func(text string) bool { return !strings.HasSuffix(text, w.param) }
	case "excludes":
		ok = func(text string) bool { return !strings.Contains(text, w.param) }
	case "excludesall", "excludesrune":
		ok = func(text string) bool { return !strings.ContainsAny(text, w.param) }
	case "datetime":
		tag.Layout, ok = w.param, func(text string) bool { _, err := time.Parse(w.param, text); return err == nil }
	default:
		return false
	}
	tag.texts = append(tag.texts, ok)
	return true
}

// knownWord reports whether a word is known for some type.
func knownWord(name string) bool {
	_, compares := bounds[name]
	tag := &Tag{}
	return compares || tag.about(tagWord{name: name}) || tag.parts(tagWord{name, "a"}) || formatNamed(name) != nil ||
		slices.Contains([]string{"oneof", "oneofci", "unique", "dive", "keys", "endkeys"}, name)
}
