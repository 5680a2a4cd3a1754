package facts

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// shape is what is known about a value. It is a tree: parts contains what is known
// about the parts of the value.
type shape struct {
	typ      types.Type     // type of the field, element or parameter that contains the value
	within   types.Type     // if typ is an interface: the type of the value in it, or nil if unknown
	cell     bool           // the value is a pointer that is not nil
	null     bool           // the value is nil
	value    constant.Value // the value, if it equals a constant
	named    *types.Const   // the constant that names the value, or nil
	length   int            // minimum length of a list
	exact    bool           // length is exact
	explicit bool           // a condition is about the value itself, not only about a part of it
	parts    []part
}

// part is a field of a struct or an element of a list.
type part struct {
	field *types.Var // nil for an element
	index int
	shape *shape
}

func (s *shape) clone() *shape {
	c := *s
	c.parts = slices.Clone(s.parts)
	for i := range c.parts {
		c.parts[i].shape = c.parts[i].shape.clone()
	}
	return &c
}

// below counts the parts of a value, at any depth, about which something is known.
func (s *shape) below() (n int) {
	for _, p := range s.parts {
		n += p.shape.below()
		if p.shape.determined() {
			n++
		}
	}
	return n
}

// rare reports whether some part of a value must be something that random values seldom
// contain: a certain constructor, a list with elements, or a constant other than a
// bool.
func (s *shape) rare() bool {
	return slices.ContainsFunc(s.parts, func(p part) bool {
		q := p.shape
		return q.within != nil || q.cell || q.length > 0 || q.value != nil && q.value.Kind() != constant.Bool || q.rare()
	})
}

// determined reports whether anything is known about the value itself.
func (s *shape) determined() bool {
	return s.within != nil || s.cell || s.null || s.value != nil || s.length > 0 || s.exact
}

// begins reports whether the shape t requires everything that the shape s requires.
func (s *shape) begins(t *shape) bool {
	if s.within != nil && (t.within == nil || variantName(s.within) != variantName(t.within)) || s.cell && !t.cell || s.null && !t.null ||
		s.length > t.length || s.exact && !t.exact || s.value != nil && (t.value == nil || !constant.Compare(s.value, token.EQL, t.value)) {
		return false
	}
	for _, p := range s.parts {
		i := slices.IndexFunc(t.parts, func(q part) bool { return q.is(p) })
		if i < 0 || !p.shape.begins(t.parts[i].shape) {
			return false
		}
	}
	return true
}

// is reports whether two parts are about the same field or element.
func (p part) is(q part) bool {
	if p.field == nil || q.field == nil {
		return p.field == nil && q.field == nil && p.index == q.index
	}
	return p.field.Name() == q.field.Name()
}

// at returns what is known about the part that moves lead to, or nil if nothing is
// known.
func (s *shape) at(moves []move) *shape {
	for _, m := range moves {
		if s == nil {
			return nil
		}
		i := slices.IndexFunc(s.parts, part{field: m.field, index: m.index}.is)
		if i < 0 {
			return nil
		}
		s = s.parts[i].shape
	}
	return s
}

// place is a part of a parameter: the parameter, and moves from there to the part.
// Following a pointer and asserting a type are not moves of their own. Instead, a move to
// a field records (in via) which type the code uses for the value that has the field.
type place struct {
	root  types.Object
	moves []move
	typ   types.Type // type that the value has in the code
	given []cond     // what holds if the value is not nil
	maybe bool       // the value may be nil
}

// move is a step to a field of a struct, or to an element of a list. For a field, via
// is the type of the struct or of a pointer to it. For an element, via is the type of
// the element, and field is nil.
type move struct {
	via   types.Type
	field *types.Var
	index int
}

func (p place) key() string {
	var b strings.Builder
	for _, s := range p.moves {
		b.WriteByte('.')
		if s.field != nil {
			b.WriteString(s.field.Name())
		} else {
			b.WriteString(itoa(s.index))
		}
	}
	return p.root.Name() + itoa(int(p.root.Pos())) + b.String() + "."
}

// to returns the place that one more move leads to, where t is the type of the value.
func (p place) to(s move, t types.Type) place {
	return place{root: p.root, moves: append(slices.Clip(p.moves), s), typ: t, given: p.given}
}

// as returns the same place with another type.
func (p place) as(t types.Type) place {
	return place{root: p.root, moves: p.moves, typ: t, given: p.given}
}

// in returns the same place with the type of a variable that the value was assigned to.
func (p place) in(o types.Object) place {
	p.typ = o.Type()
	return p
}

// cond is one condition about the value at a place.
type cond struct {
	at   place
	kind condKind
	typ  types.Type     // for isType
	v    constant.Value // for equals
	name *types.Const   // the constant that names v, or nil
	n    int            // for hasLength and atLeast
}

type condKind uint8

const (
	isType condKind = iota
	isNil
	notNil
	equals
	hasLength
	atLeast
)

// learn adds a condition to the shape of a parameter. possible is false if the
// condition contradicts what is known. fresh is true if the condition adds something
// new.
func (x *Index) learn(root *shape, c cond) (possible, fresh bool) {
	s := root
	for _, step := range c.at.moves {
		if s = x.descend(s, step); s == nil {
			return false, false
		}
	}
	before := *s
	ok := x.refine(s, c)
	fresh = before.within != s.within || before.cell != s.cell || before.null != s.null || before.value != s.value ||
		before.length != s.length || before.exact != s.exact || !before.explicit
	s.explicit = true
	return ok, fresh
}

// descend returns the part of a value that a move leads to, and creates it if
// necessary. It returns nil if the value cannot have that part.
func (x *Index) descend(s *shape, st move) *shape {
	if s.null {
		return nil
	}
	var t types.Type
	if st.field == nil {
		if s.exact && s.length <= st.index {
			return nil
		}
		s.length = max(s.length, st.index+1)
		t = st.via
	} else {
		if !x.become(s, st.via) {
			return nil
		}
		t = st.field.Type()
	}
	next := part{st.field, st.index, &shape{typ: t}}
	if i := slices.IndexFunc(s.parts, next.is); i >= 0 {
		return s.parts[i].shape
	}
	s.parts = append(s.parts, next)
	return next.shape
}

// become records that a value has the type t in the code. It reports false if that
// contradicts what is known.
func (x *Index) become(s *shape, t types.Type) bool {
	if s.null {
		return false
	}
	if types.IsInterface(s.typ) {
		if s.within == nil && x.isVariant(s.typ, t) {
			s.within = t
		}
		return s.within != nil && variantName(s.within) == variantName(t)
	}
	if _, ok := s.typ.Underlying().(*types.Pointer); ok {
		s.cell = true
	}
	return true
}

// refine adds what a condition requires of the value itself. It reports false if that
// contradicts what is known.
func (x *Index) refine(s *shape, c cond) bool {
	switch c.kind {
	case isType:
		return x.become(s, c.typ)
	case isNil:
		if s.within != nil || s.cell || s.length > 0 {
			return false
		}
		s.null = true
	case notNil:
		if _, ok := s.typ.Underlying().(*types.Pointer); ok {
			s.cell = true
		}
		return !s.null
	case equals:
		if types.IsInterface(s.typ) && !x.become(s, c.at.typ) {
			return false
		}
		if s.value != nil {
			return constant.Compare(s.value, token.EQL, c.v)
		}
		s.value, s.named = c.v, c.name
	case hasLength, atLeast:
		if s.null || s.exact && s.length != c.n || s.length > c.n && c.kind == hasLength {
			return false
		}
		s.length, s.exact = max(s.length, c.n), s.exact || c.kind == hasLength
	}
	return true
}

// text returns a value as Go source, or "" for a hole.
func (s *shape) text(n *Names) string {
	t := s.typ
	if s.within != nil {
		t = s.within
	}
	t = types.Unalias(t)
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		switch {
		case !s.cell && s.within == nil:
			return ""
		case structOf(t) != nil:
			return "&" + s.fieldsText(n, types.Unalias(u.Elem()))
		}
		elem := n.value(u.Elem())
		return "func() *" + elem + " { var x " + elem + "; return &x }()"
	case *types.Struct:
		if s.within == nil && !slices.ContainsFunc(s.parts, func(p part) bool { return p.shape.text(n) != "" }) {
			return ""
		}
		return s.fieldsText(n, t)
	case *types.Slice:
		if s.length > 0 && !s.null {
			return s.listText(n, t, u.Elem())
		}
	case *types.Basic:
		if s.value != nil && s.within != nil {
			return n.typ(t) + "(" + n.constant(s.value, s.named) + ")"
		}
		if s.value != nil {
			return n.constant(s.value, s.named)
		}
	}
	if s.within != nil {
		return n.zero(t)
	}
	return ""
}

func (s *shape) fieldsText(n *Names, t types.Type) string {
	var texts []string
	for i := range structOf(t).NumFields() { // in the order of their declaration
		for _, p := range s.parts {
			if p.field == nil || p.field.Name() != structOf(t).Field(i).Name() {
				continue
			}
			if text := p.shape.text(n); text != "" {
				texts = append(texts, n.field(p.field)+": "+text)
			}
		}
	}
	return n.value(t) + "{" + strings.Join(texts, ", ") + "}"
}

func (s *shape) listText(n *Names, t, elem types.Type) string {
	texts := make([]string, s.length)
	for _, p := range s.parts {
		texts[p.index] = p.shape.text(n)
	}
	for i := range texts {
		if texts[i] == "" {
			texts[i] = n.hole(elem)
		}
	}
	return n.typ(t) + "{" + strings.Join(texts, ", ") + "}"
}

// hole returns the zero value of a type as Go source, for a hole that cannot be left
// out.
func (n *Names) hole(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return n.zeroOf(u)
	case *types.Struct, *types.Array:
		return n.value(t) + "{}"
	}
	return n.Word("nil")
}

// fixed appends the paths of the parts that are known to be zero. path is the path of s
// itself.
func (s *shape) fixed(to []string, path string) []string {
	if path != "" && (s.null || s.exact && s.length == 0 || s.value != nil && isZero(s.value)) {
		to = append(to, path)
	}
	for _, p := range s.parts {
		name := itoa(p.index)
		if p.field != nil {
			name = p.field.Name()
		}
		to = p.shape.fixed(to, strings.TrimPrefix(path+"."+name, "."))
	}
	return to
}

func isZero(v constant.Value) bool {
	switch v.Kind() {
	case constant.Bool:
		return !constant.BoolVal(v)
	case constant.String:
		return constant.StringVal(v) == ""
	}
	return constant.Sign(v) == 0
}
