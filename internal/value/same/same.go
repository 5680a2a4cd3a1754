//go:build go1.25

// Package same decides whether two values that a program computed are equal, however
// strange their types are.
//
//	d := same.Digest(v)        // at the moment at which v is of interest
//	equal := d == same.Digest(w)
//
// Values are compared by digests, so nothing has to be copied: a later change of v does not
// change d. Two runs of one property are compared, so the rules follow what a program can
// notice, and leave out what differs from run to run.
//
//	value                    equal if
//	bool, integer, string    the types and the values are equal
//	float, complex           the types are equal, and the values are equal by ==; NaN equals NaN, and -0 equals +0
//	pointer                  both are nil, or both point to equal values; how many pointers share a value does not matter
//	cycle                    the pointers lead back over the same number of steps
//	interface                both are nil, or hold equal values of the same type
//	error                    both are nil, or have the same type; the text and the fields do not matter
//	struct                   all fields are equal, unexported ones too
//	array, slice             the lengths and all elements are equal; a nil slice differs from an empty one
//	map                      the lengths are equal, and each entry has an equal entry; NaN keys too; nil differs from empty
//	function                 both are nil, or neither is
//	channel                  both are nil, or neither is and the lengths and capacities are equal
//	unsafe.Pointer           both are nil, or neither is
//	time.Time                the instants and the locations are equal; the monotonic clock does not matter
//	types of package sync    always: locks, pools and once-only flags are no results; sync.Map is not compared either
//	numbers of math/big      nil and empty slices inside of them are equal
//	reflect.Type             the types are identical
//
// An error is a value whose type has the method Error. Texts of errors contain positions and
// quote other texts, and programs rarely depend on them. -0 equals +0 because == says so, and
// hardly a program tells them apart.
//
// Of a huge value only a part is compared: see nodesMax and depthMax. Digest never panics.
//
// Apart reports whether values share memory, which a comparison of their contents does not show.
package same

import (
	"math"
	"reflect"
	"slices"
	"sync"
	"time"
	"unsafe"
)

const (
	// nodesMax is how many parts of a value are compared. Reading so many takes some
	// milliseconds. A text counts as one part for every partBytes bytes.
	nodesMax  = 1 << 17
	partBytes = 64
	// depthMax is how many pointers, slices, maps and interfaces are followed one inside
	// the other. It bounds the stack.
	depthMax = 10_000
)

// Digest returns a number that is the same for equal values. It differs for other values,
// except for one pair in 2^64.
func Digest(v any) (digest uint64) {
	defer func() {
		if recover() != nil { // a value that another goroutine is changing, for example
			digest = unreadable
		}
	}()
	d := digester{left: nodesMax, low: math.MaxInt, path: map[ref]int{}, known: map[ref]memo{}}
	return d.dynamic(reflect.ValueOf(v))
}

// Combine returns a digest of two digests.
func Combine(a, b uint64) uint64 { return mix(mix(3, a), b) }

// The digests of things that have no content.
const (
	unreadable = 1 + iota
	null
	cut // a part that is too far away to be compared
	notNull
	back
)

type digester struct {
	left  int         // how many more parts may be read
	path  map[ref]int // references that are being followed, with their depths
	low   int         // the smallest depth that a reference led back to, since low was last set
	cut   bool        // some part was not read, since cut was last reset
	known map[ref]memo
	depth int
}

// ref identifies what a reference refers to.
type ref struct {
	at  unsafe.Pointer
	typ reflect.Type
	len int // of a slice
}

// memo is the digest of something that was read before, and how many parts that has.
type memo struct {
	digest uint64
	parts  int
}

// mix adds a number to a digest.
func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x9e3779b97f4a7c15
	h ^= h >> 32
	h *= 0xbf58476d1ce4e5b9
	return h ^ h>>29
}

// text returns the digest of a text, of which only a part is read if it is very long.
func (d *digester) text(s string) uint64 {
	h := mix(5, uint64(len(s)))
	if most := max(0, d.left) * partBytes; len(s) > most {
		s, d.cut = s[:most], true
	}
	d.left -= len(s) / partBytes
	for ; len(s) >= 8; s = s[8:] {
		h = mix(h, uint64(s[0])|uint64(s[1])<<8|uint64(s[2])<<16|uint64(s[3])<<24|
			uint64(s[4])<<32|uint64(s[5])<<40|uint64(s[6])<<48|uint64(s[7])<<56)
	}
	for i := range len(s) {
		h = mix(h, uint64(s[i]))
	}
	return h
}

// dynamic returns the digest of a value together with its type.
func (d *digester) dynamic(v reflect.Value) uint64 {
	if !v.IsValid() {
		return null
	}
	return mix(factsOf(v.Type()).name, d.value(v))
}

// value returns the digest of a value whose type is known to the reader of the digest.
func (d *digester) value(v reflect.Value) uint64 {
	if d.left--; d.left < 0 {
		d.cut = true
		return cut
	}
	switch f := factsOf(v.Type()); f.way {
	case byType:
		return nilness(v)
	case byInstant:
		return instant(v)
	case byNothing:
		return notNull
	case byAddress:
		return uint64(v.Pointer())
	}
	switch v.Kind() {
	case reflect.Array:
		return d.elements(v)
	case reflect.Struct:
		return d.fields(v)
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return d.reference(v)
	}
	return d.scalar(v)
}

func (d *digester) scalar(v reflect.Value) uint64 {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return mix(1, 1)
		}
		return mix(1, 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return mix(1, uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return mix(1, v.Uint())
	case reflect.Float32, reflect.Float64:
		return float(v.Float())
	case reflect.Complex64, reflect.Complex128:
		return mix(mix(2, float(real(v.Complex()))), float(imag(v.Complex())))
	case reflect.String:
		return d.text(v.String())
	case reflect.Chan:
		if !v.IsNil() {
			return mix(mix(2, uint64(v.Len())), uint64(v.Cap()))
		}
	}
	return nilness(v) // functions, unsafe pointers and nil channels
}

func float(x float64) uint64 {
	switch {
	case x != x:
		return mix(2, 1)
	case x == 0:
		return mix(1, 0)
	}
	return mix(1, math.Float64bits(x))
}

func nilness(v reflect.Value) uint64 {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if v.IsNil() {
			return null
		}
	}
	return notNull
}

func (d *digester) elements(v reflect.Value) uint64 {
	h := mix(4, uint64(v.Len()))
	for i := range v.Len() {
		if d.left <= 0 {
			d.cut = true
			break
		}
		h = mix(h, d.value(v.Index(i)))
	}
	return h
}

func (d *digester) fields(v reflect.Value) uint64 {
	h := uint64(6)
	for i := range v.NumField() {
		if v.Type().Field(i).Name != "_" {
			h = mix(h, d.value(v.Field(i)))
		}
	}
	return h
}

// reference returns the digest of what a pointer, slice, map or interface refers to. If it
// refers to something that contains it, the digest is the number of steps back to that.
func (d *digester) reference(v reflect.Value) uint64 {
	if v.IsNil() {
		if v.Kind() == reflect.Slice && factsOf(v.Type()).emptyIsNil {
			return d.elements(v)
		}
		return null
	}
	if v.Kind() == reflect.Interface {
		return d.guarded(func() uint64 { return d.dynamic(v.Elem()) })
	}
	r := ref{at: v.UnsafePointer(), typ: v.Type()}
	if v.Kind() == reflect.Slice {
		if r.len = v.Len(); r.len == 0 {
			return mix(4, 0)
		}
	}
	if depth, following := d.path[r]; following {
		d.low = min(d.low, depth)
		return mix(back, uint64(len(d.path)-depth))
	}
	if m, ok := d.known[r]; ok && m.parts <= d.left {
		d.left -= m.parts
		return m.digest
	}
	return d.follow(r, v)
}

// guarded calls f unless the depth is too large. Interfaces count too, although they are not
// in path: all cycles contain a pointer, slice or map.
func (d *digester) guarded(f func() uint64) uint64 {
	if d.depth >= depthMax {
		d.cut = true
		return cut
	}
	d.depth++
	h := f()
	d.depth--
	return h
}

// follow reads what a reference refers to. It remembers the digest, unless that depends on
// how the reference was reached.
func (d *digester) follow(r ref, v reflect.Value) uint64 {
	return d.guarded(func() uint64 {
		depth, low, wasCut, left := len(d.path), d.low, d.cut, d.left
		d.low, d.cut, d.path[r] = math.MaxInt, false, depth
		h := d.target(v)
		delete(d.path, r)
		if d.low >= depth { // nothing inside refers to something outside
			d.low = math.MaxInt
			if !d.cut {
				d.known[r] = memo{h, left - d.left}
			}
		}
		d.low, d.cut = min(d.low, low), d.cut || wasCut
		return h
	})
}

func (d *digester) target(v reflect.Value) uint64 {
	switch v.Kind() {
	case reflect.Pointer:
		return mix(7, d.value(v.Elem()))
	case reflect.Map:
		return d.entries(v)
	}
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return d.text(unsafe.String((*byte)(v.UnsafePointer()), v.Len()))
	}
	return d.elements(v)
}

// entries returns the digest of a map. The order of its entries is random, so each gets the
// same share of the parts that may be read, and the digests of the entries are sorted.
func (d *digester) entries(v reflect.Value) uint64 {
	h := mix(8, uint64(v.Len()))
	share, spent := d.left/max(1, v.Len()), 0
	if share < 2 {
		d.cut = true
		return h
	}
	all := make([]uint64, 0, v.Len())
	total := d.left
	for i := v.MapRange(); i.Next(); {
		d.left = share
		all = append(all, mix(mix(9, d.value(i.Key())), d.value(i.Value())))
		spent += share - max(0, d.left)
	}
	d.left = total - spent
	slices.Sort(all)
	for _, x := range all {
		h = mix(h, x)
	}
	return h
}

// way is how the values of a type are compared.
type way uint8

const (
	byContent way = iota
	byType        // nil or not
	byInstant     // as a time
	byNothing     // all values are equal
	byAddress
)

// facts is what the digester knows about a type.
type facts struct {
	name       uint64 // digest of its name
	way        way
	emptyIsNil bool
}

var known sync.Map // reflect.Type -> facts

var (
	errorType  = reflect.TypeFor[error]()
	timeType   = reflect.TypeFor[time.Time]()
	typeOfType = reflect.TypeOf(errorType)
)

func factsOf(t reflect.Type) facts {
	if f, ok := known.Load(t); ok {
		return f.(facts)
	}
	d := digester{left: nodesMax}
	f := facts{name: mix(d.text(t.PkgPath()), d.text(t.String())), emptyIsNil: t.PkgPath() == "math/big"}
	switch {
	case t == timeType:
		f.way = byInstant
	case t == typeOfType:
		f.way = byAddress
	case t.PkgPath() == "sync":
		f.way = byNothing
	case t.Kind() != reflect.Interface && t.Implements(errorType):
		f.way = byType
	}
	known.Store(t, f)
	return f
}

// instant returns the digest of a time. The value may come from an unexported field, so it is
// copied field by field. If package time ever has other fields, all times are equal.
func instant(v reflect.Value) uint64 {
	if v.NumField() != 3 || v.Field(0).Kind() != reflect.Uint64 || v.Field(1).Kind() != reflect.Int64 ||
		v.Field(2).Kind() != reflect.Pointer {
		return notNull
	}
	var t time.Time
	raw := (*struct {
		wall uint64
		ext  int64
		loc  unsafe.Pointer
	})(unsafe.Pointer(&t))
	raw.wall, raw.ext, raw.loc = v.Field(0).Uint(), v.Field(1).Int(), v.Field(2).UnsafePointer()
	name, offset := t.Zone()
	d := digester{left: nodesMax}
	h := mix(mix(10, uint64(t.Unix())), uint64(t.Nanosecond()))
	return mix(mix(mix(h, uint64(offset)), d.text(name)), d.text(t.Location().String()))
}
