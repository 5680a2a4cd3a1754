//go:build go1.25

package schema

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
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
func (w tagWord) unknown(s *Schema) error {
	switch {
	case !knownWord(w.name):
		return fmt.Errorf("the word %s is not known", w.name)
	case w.param == "" && needsParam(w.name) && (s.IsScalar() || s.IsList()):
		return fmt.Errorf("the word %s has no parameter", w.name)
	}
	return fmt.Errorf("the word %v is not supported for %v", w, s.Type)
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

// errNone and errNotFound say that no value satisfies the words of a tag, or that none was found.
var errNone, errNotFound = errors.New("none"), errors.New("not found")

// newTag returns the tag of a schema for words before dive. Its error is errNone or errNotFound if
// no value satisfies them.
func (u *tagUser) newTag(base *Schema, words []tagWord, text string) (tag *Tag, err error) {
	tag = &Tag{Text: text, LenMax: Unbounded, of: base, world: u.world}
	switch {
	case base.Kind == Scalar:
		err = tag.number(words)
	case base.Kind == String:
		err = tag.text(words)
	case base.isLengthy():
		err = tag.length(words)
	default:
		for _, w := range words {
			if !tag.about(w) {
				return nil, w.unknown(base)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	// The validator reads words in their order: those before omitempty are about zero too.
	if i := slices.IndexFunc(words, omits); tag.Omit && i > 0 {
		before, err := u.newTag(base, words[:i], text)
		if err != nil {
			return nil, err
		}
		tag.Omit = !before.Required && before.holdsZero()
	}
	switch {
	case tag.never || tag.LenMax < max(tag.LenMin, 0) || tag.Required && !tag.Omit && tag.LenMax == 0 && base.Kind == String:
		return nil, errNone
	case base.Kind == Scalar && !tag.findNumber():
		return nil, errNone
	case tag.LenMin > TagLenMax && base.Kind != Array && base.Kind != Block:
		return nil, fmt.Errorf("a length of %d is too large to generate; at most %d is generated because of a tag", tag.LenMin, TagLenMax)
	case base.Kind == String && !tag.findTexts():
		return nil, errNotFound
	}
	return tag, nil
}

// contradiction says which words no value satisfies together.
func (u *tagUser) contradiction(base *Schema, words []tagWord, none error) error {
	for i, a := range words {
		if _, err := u.newTag(base, words[i:i+1], ""); isNone(err) {
			return noValue(base, a.String(), err)
		}
		if len(words) == 2 && i == 1 { // both were tried together
			return noValue(base, fmt.Sprintf("both %v and %v", words[0], a), none)
		}
		for _, b := range words[:i] {
			if _, err := u.newTag(base, []tagWord{b, a}, ""); isNone(err) {
				return noValue(base, fmt.Sprintf("both %v and %v", b, a), err)
			}
		}
	}
	return noValue(base, "all of its words", none)
}

func isNone(err error) bool { return err == errNone || err == errNotFound }

func noValue(base *Schema, what string, err error) error {
	if err == errNone {
		return fmt.Errorf("no %v satisfies %s", base.Type, what)
	}
	return fmt.Errorf("found no %v that satisfies %s", base.Type, what)
}

// holdsZero reports whether nil or zero satisfies a tag that does not say required.
func (tag *Tag) holdsZero() bool {
	switch tag.of.Kind {
	case Scalar:
		return tag.holdsNumber(0)
	case String:
		return tag.judgeText("", true)
	case Slice, Map, Bytes:
		return tag.LenMin == 0
	}
	return true
}

// omits reports whether a word says that the words after it are not about zero.
func omits(w tagWord) bool {
	return w.name == "omitempty" || w.name == "omitnil" || w.name == "omitzero"
}

// about handles the words that all types have: whether a value may be zero.
func (tag *Tag) about(w tagWord) bool {
	switch {
	case w.param != "":
		return false
	case w.name == "required":
		tag.Required = true
	case w.name == "omitnil" && !tag.of.canBeNil(): // it is about nil only
	case omits(w):
		tag.Omit, tag.omitLess = true, tag.omitLess || w.name == "omitzero"
	case w.name == "" || w.name == "structonly" || w.name == "nostructlevel":
	default:
		return false
	}
	return true
}

func (s *Schema) canBeNil() bool {
	return s.Kind == Slice || s.Kind == Map || s.Kind == Bytes || s.Kind == Pointer || s.Kind == Interface
}

// bound is a comparison with a parameter.
type bound struct{ min, max, over, under, not bool }

var bounds = map[string]bound{
	"min": {min: true}, "gte": {min: true}, "max": {max: true}, "lte": {max: true},
	"len": {min: true, max: true}, "eq": {min: true, max: true},
	"gt": {over: true}, "lt": {under: true}, "ne": {not: true},
}

// length handles the words of a list, whose numbers are about its length.
func (tag *Tag) length(words []tagWord) error {
	s := tag.of
	if s.Kind == Array || s.Kind == Block {
		tag.LenMin, tag.LenMax = s.Len, s.Len
	}
	for _, w := range words {
		if tag.about(w) {
			continue
		}
		if w.name == "unique" && w.param == "" && s.Kind == Slice && s.Elem.Type.Comparable() {
			tag.Unique = true
			continue
		}
		if ok, err := tag.limitLength(w); err != nil {
			return err
		} else if !ok {
			return w.unknown(s)
		}
	}
	return nil
}

// limitLength handles a comparison with a length.
func (tag *Tag) limitLength(w tagWord) (ok bool, err error) {
	b, ok := bounds[w.name]
	if !ok || b.not || w.param == "" {
		return false, nil
	}
	long, err := strconv.ParseInt(w.param, 0, 32)
	if err != nil {
		return false, fmt.Errorf("the parameter of %v is not a length", w)
	}
	n := int(long)
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
	return true, nil
}

// number handles the words of a number or a bool.
func (tag *Tag) number(words []tagWord) error {
	s := tag.of
	isBool := s.Type.Kind() == reflect.Bool
	for _, w := range words {
		b, compares := bounds[w.name]
		var err error
		switch {
		case tag.about(w):
		case w.name == "oneof" && !isBool && !s.IsFloat():
			err = tag.among(w)
		case compares && !isBool && w.param != "":
			err = tag.limit(b, w)
		case w.name == "latitude" && s.IsFloat():
			tag.narrow(FloatBits(-90), FloatBits(90))
		case w.name == "longitude" && s.IsFloat():
			tag.narrow(FloatBits(-180), FloatBits(180))
		case w.name == "port" && s.In(math.MaxUint16) && !s.IsFloat() && !s.IsSigned():
			tag.narrow(1, math.MaxUint16)
		case (w.name == "numeric" || w.name == "number") && !isBool:
		case w.name == "boolean" && isBool:
		default:
			err = w.unknown(s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// limit handles a comparison with a number.
func (tag *Tag) limit(b bound, w tagWord) error {
	s := tag.of
	x, beyond, err := numberOf(s, w)
	if err != nil {
		return err
	}
	lo, hi := s.Lo, s.Hi
	switch {
	case b.not && beyond == 0:
		tag.except = append(tag.except, x)
		return nil
	case b.not:
		return nil
	case beyond > 0 && (b.min || b.over), beyond < 0 && (b.max || b.under):
		tag.never = true
		return nil
	case beyond != 0:
		return nil // all values satisfy it
	case b.over && !s.Less(x, s.Hi), b.under && !s.Less(s.Lo, x):
		tag.never = true
		return nil
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
	tag.narrow(lo, hi)
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
func (tag *Tag) narrow(lo, hi uint64) {
	if tag.Narrow == nil {
		n := *tag.of
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
	tag.never = tag.never || n.Less(n.Hi, n.Lo)
}

// findNumber reports whether there is a number that satisfies the tag.
func (tag *Tag) findNumber() bool {
	if tag.Among != nil {
		tag.Among = slices.DeleteFunc(tag.Among, func(x uint64) bool { return !tag.holdsNumber(x) })
		return len(tag.Among) > 0
	}
	if tag.Narrow == nil {
		return true
	}
	x := tag.Narrow.Lo
	for range len(tag.except) + 2 { // each of them, and zero, may be excluded
		if tag.holdsNumber(x) {
			return true
		}
		if !tag.of.Less(x, tag.Narrow.Hi) {
			return false
		}
		x = tag.of.next(x, 1)
	}
	return false
}

// numberOf parses a parameter. If the type does not have the number, beyond says on which side of
// its values it is.
func numberOf(s *Schema, w tagWord) (x uint64, beyond int, err error) {
	what := "an integer"
	switch {
	case s.Type == reflect.TypeFor[time.Duration]() && strings.ContainsAny(w.param, "nuµmsh"):
		var d time.Duration
		d, err = time.ParseDuration(w.param)
		x, what = uint64(d), "a duration"
	case s.IsFloat():
		var f float64
		f, err = strconv.ParseFloat(w.param, s.Bits)
		x, what = FloatBits(f), "a number"
	case s.IsSigned():
		var i int64
		i, err = strconv.ParseInt(w.param, 0, 64)
		x = uint64(i)
	default:
		x, err = strconv.ParseUint(w.param, 0, 64)
		what = "an unsigned integer"
	}
	switch {
	case err != nil || s.IsFloat() && isNaN(x):
		return 0, 0, fmt.Errorf("the parameter of %v is not %s", w, what)
	case s.Less(x, s.Lo):
		return s.Lo, -1, nil
	case s.Less(s.Hi, x):
		return s.Hi, +1, nil
	}
	return x, 0, nil
}

// decimal matches an integer as a validator writes it to compare it with the words of oneof.
var decimal = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)

// among handles a list of numbers. Words that are not such numbers, and those that the type does not
// have, count for nothing.
func (tag *Tag) among(w tagWord) error {
	numbers := []uint64{}
	for _, word := range listed(w.param) {
		x, beyond, err := numberOf(tag.of, tagWord{w.name, word})
		if decimal.MatchString(word) && err == nil && beyond == 0 && (tag.Among == nil || slices.Contains(tag.Among, x)) {
			numbers = append(numbers, x)
		}
	}
	if listed(w.param) == nil {
		return fmt.Errorf("the word oneof lists no values")
	}
	tag.Among = numbers
	return nil
}

// distinctMax bounds distinct.
const distinctMax = 1 << 16

// distinct returns how many values a schema has, or distinctMax if they are many or not counted.
func (s *Schema) distinct() int {
	switch {
	case s.Kind == String && s.Tag != nil && s.Tag.Words != nil && !s.Tag.fold && !s.Tag.Omit:
		return len(s.Tag.Words)
	case s.Kind == Scalar && s.Tag != nil && s.Tag.Among != nil && !s.Tag.Omit:
		return len(s.Tag.Among)
	case s.Kind == Scalar && s.Tag != nil && s.Tag.Narrow != nil && !s.Tag.Omit:
		return s.Tag.Narrow.distinct()
	case s.Kind == Scalar && !s.IsFloat() && s.Hi-s.Lo < distinctMax:
		return int(s.Hi-s.Lo) + 1
	}
	return distinctMax
}
