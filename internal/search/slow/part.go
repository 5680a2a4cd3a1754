//go:build go1.25

package slow

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Place is a place in a type: a field of a constructor, or the elements of a list.
type Place struct {
	Schema uint16 // of the value that the part belongs to; the maximum for the whole input
	Ctor   uint16
	Field  int
}

// root is the place of the whole input.
var root = Place{Schema: math.MaxUint16}

// Part is a part of an input that has a size: a number, a list, a text or a time. Its size is the
// absolute value of the number, the length, or the distance from 1970 in seconds.
type Part struct {
	Place
	S    *schema.Schema
	Size uint64
	Func *schema.Func // the builder that it is an argument of, or nil
	Path []string     // the fields from the input to it, as in allele.At; nil inside of a builder
	at   int
}

// Bound is a limit for a kind of part of an input.
type Bound struct {
	Part
	Max uint64 // of the size
}

// String returns the bound as a text for Parse. A part that has the same place has it in every
// process of a program.
func (b Bound) String() string {
	return fmt.Sprintf("%d %d %d %d", b.Schema, b.Ctor, b.Field, b.Max)
}

// Parse reads what String has returned. The bound has a place and a size only.
func Parse(text string) (b Bound, err error) {
	_, err = fmt.Sscanf(text, "%d %d %d %d", &b.Schema, &b.Ctor, &b.Field, &b.Max)
	return b, err
}

// Exceeds reports whether an input has a part that is larger than the bound.
func (b Bound) Exceeds(w *schema.World, x term.Term) bool {
	for _, p := range parts(w, x) {
		if p.Place == b.Place && p.Size > b.Max {
			return true
		}
	}
	return false
}

// kindsOf returns the largest part of each place, the largest first.
func kindsOf(w *schema.World, x term.Term) []Part {
	all := parts(w, x)
	slices.SortStableFunc(all, func(a, b Part) int { return cmp.Compare(b.Size, a.Size) })
	var kinds []Part
	for _, p := range all {
		if p.Size > 1 && !slices.ContainsFunc(kinds, func(k Part) bool { return k.Place == p.Place }) {
			kinds = append(kinds, p)
		}
	}
	return kinds
}

// parts returns all parts of a term. The keys of maps are left out, because their order matters.
func parts(w *schema.World, x term.Term) []Part {
	v := visitor{world: w, x: x}
	v.visit(Part{Place: root, at: 0})
	return v.parts
}

type visitor struct {
	world *schema.World
	x     term.Term
	parts []Part
}

// visit adds the part p, of which only the place is known, and all parts inside of it.
func (v *visitor) visit(p Part) {
	n := &v.x[p.at]
	s := v.world.Of(*n)
	p.S = s
	if size, ok := sizeOf(s, v.x, p.at); ok {
		p.Size = size
		v.parts = append(v.parts, p)
	}
	if s.Kind == schema.Rule || s.IsScalar() || p.IsTime() {
		return
	}
	i := -1
	for at := range v.x.Kids(p.at) {
		i++
		kid := Part{Place: Place{s.ID, n.C, i}, Func: p.Func, Path: p.Path, at: at}
		switch {
		case s.IsList():
			if kid.Ctor, kid.Field = 0, 0; s.Kind == schema.Map && i%2 == 0 {
				continue
			}
		case s.Kind == schema.Made:
			kid.Func, kid.Path = s.Ctors[n.C].Func, nil
		case s.Kind == schema.Struct && p.Func == nil:
			kid.Path = append(slices.Clip(p.Path), s.Ctors[n.C].Fields[i].Name)
		case s.Kind == schema.Interface && p.Func == nil:
			kid.Path = append(slices.Clip(p.Path), s.Ctors[n.C].Name)
		}
		v.visit(kid)
	}
}

// sizeOf returns the size of a part, if it has one that can be changed.
func sizeOf(s *schema.Schema, x term.Term, at int) (uint64, bool) {
	n := x[at]
	switch {
	case s.Kind == schema.Scalar && s.Class == nil && s.Bits > 1 && s.Hi != 1:
		return magnitude(s, n.X), true
	case s.Kind == schema.Slice && s.LenMax == 0 && n.C != 0, s.Kind == schema.Map && n.C != 0:
		return n.X, true
	case s.IsText():
		return uint64(len(x.Bytes(at))), true
	case s.Kind == schema.Made:
		if _, ok := unixOf(s); ok {
			return absolute(seconds(s, x, at)), true
		}
	}
	return 0, false
}

// magnitude returns the absolute value of a number, rounded up.
func magnitude(s *schema.Schema, x uint64) uint64 {
	switch {
	case s.IsFloat():
		f := math.Ceil(math.Abs(math.Float64frombits(x)))
		if f != f {
			return 0
		}
		if f >= 1<<63 {
			return 1 << 63
		}
		return uint64(f)
	case s.IsSigned():
		return absolute(int64(x))
	}
	return x
}

func absolute(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// clamp returns the term with all parts at a place made as small as the size, where their type
// allows it.
func clamp(w *schema.World, x term.Term, place Place, size uint64) term.Term {
	x = x.Clone()
	all := parts(w, x)
	for _, p := range slices.Backward(all) { // from the end, so that positions stay valid
		if p.Place == place && p.Size > size {
			x = smaller(x, p, size)
		}
	}
	return x
}

func smaller(x term.Term, p Part, size uint64) term.Term {
	switch s := p.S; {
	case p.IsTime():
		return nearer(x, p, size)
	case s.IsText():
		n := int(size)
		return term.Replace(nil, x, p.at, term.AppendRaw(nil, s.ID, x.Bytes(p.at)[:n]))
	case s.IsList():
		return shorter(x, p, int(size))
	case s.IsFloat():
		x[p.at].X = nearest(s, math.Float64bits(math.Copysign(float64(size), math.Float64frombits(x[p.at].X))))
	case s.IsSigned() && int64(x[p.at].X) < 0:
		x[p.at].X = nearest(s, -size)
	default:
		x[p.at].X = nearest(s, size)
	}
	return x
}

// nearest returns the number of the type that is nearest to a number.
func nearest(s *schema.Schema, x uint64) uint64 {
	switch {
	case s.Less(x, s.Lo):
		return s.Lo
	case s.Less(s.Hi, x):
		return s.Hi
	}
	return x
}

// shorter removes elements at the end of a list.
func shorter(x term.Term, p Part, size int) term.Term {
	each := 1
	if p.S.Kind == schema.Map {
		each = 2
	}
	from, i := p.at+1, 0
	for at := range x.Kids(p.at) {
		if from = at; i == each*size {
			break
		}
		i++
	}
	to := p.at + int(x[p.at].N)
	x = term.Splice(nil, x, term.Span{Parent: p.at, From: from, To: to}, nil)
	x[p.at].X = uint64(size)
	return x
}
