//go:build go1.25

package schema

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/value/attempt"
)

// The constants of a type are not known at run time. But most enumerations have a String method
// that returns a name for each constant, and for other numbers a text with the number in it, such as
// %!Month(13). So calling the method shows which numbers are constants. This is done only for types
// of other modules: the user can declare those of the module under test, and the allele command finds
// both in the source.

const (
	enumLast = 255 // the last number that is tried; the first is -1
	enumMax  = 128 // a type with more names is not an enumeration
)

// enumerated returns the numbers for which the String method of an integer type has names of their
// own, or nil if it has no such method, or no clear end.
func enumerated(s *Schema) []uint64 {
	if s.Bits < 8 || s.IsFloat() || s.Type.Kind() == reflect.Bool || !s.Type.Implements(reflect.TypeFor[fmt.Stringer]()) {
		return nil
	}
	return attempt.Call(s.Type, "String", func() []uint64 { return namedNumbers(s) })
}

// namedNumbers calls the String method.
func namedNumbers(s *Schema) (members []uint64) {
	far := min(1<<20, s.Hi-60)
	_, other := nameOfNumber(s, far)
	for _, x := range []uint64{far + 23, far + 59} {
		if _, form := nameOfNumber(s, x); form != other {
			return nil
		}
	}
	names := map[string]bool{}
	for i := int64(-1); i <= enumLast; i++ {
		x := uint64(i)
		if !s.In(x) {
			continue
		}
		if name, form := nameOfNumber(s, x); form != other {
			members = append(members, x)
			names[name] = true
		}
	}
	if len(names) < 2 || len(members) > enumMax {
		return nil
	}
	return members
}

// nameOfNumber returns what the String method returns, and the same with # in place of the number. Many
// methods panic for a number that is not a constant; then the form is the same for all of these.
func nameOfNumber(s *Schema, x uint64) (name, form string) {
	defer func() {
		if recover() != nil {
			form = "#panic"
		}
	}()
	v := reflect.New(s.Type).Elem()
	if v.CanInt() {
		v.SetInt(int64(x))
	} else {
		v.SetUint(x)
	}
	name = v.Interface().(fmt.Stringer).String()
	form = name
	for _, number := range []string{strconv.FormatInt(int64(x), 10), strconv.FormatUint(x, 10), strconv.FormatUint(fitted(s, x), 10)} {
		form = strings.Replace(form, number, "#", 1)
	}
	return name, form
}

// fitted returns the bits of a number that its type has.
func fitted(s *Schema, x uint64) uint64 { return x << (64 - s.Bits) >> (64 - s.Bits) }
