package facts

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// shape is what is known about a value: a tree that is as deep as the knowledge.
type shape struct {
	typ      types.Type // of the place where the value is
	within   types.Type // type of the value in an interface, if known
	cell     bool       // it is a pointer that is not nil
	null     bool       // it is nil
	value    constant.Value
	named    *types.Const // the constant that names the value, or nil
	length   int          // minimum length of a list
	exact    bool         // length is exact
	explicit bool         // a condition requires it, and not only the use of a part
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

// below counts the known properties of the parts of a value.
func (s *shape) below() (n int) {
	for _, p := range s.parts {
		n += p.shape.below()
		if p.shape.determined() {
			n++
		}
	}
	return n
}

// rare reports whether a part of a value must be a constructor, a list with
// elements, or a constant other than a bool: what random values seldom have.
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

// begins reports whether another shape requires all that this one does.
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

// is reports whether two parts are of the same field or element.
func (p part) is(q part) bool {
	if p.field == nil || q.field == nil {
		return p.field == nil && q.field == nil && p.index == q.index
	}
	return p.field.Name() == q.field.Name()
}

// at returns what is known about the part at the end of some moves, or nil.
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

// place is where a value is: a parameter and moves from there to a part. Pointers
// and interfaces in between need no move of their own; a move contains the type
// as which the code sees the value that it starts from.
type place struct {
	root  types.Object
	moves []move
	typ   types.Type // type as which the code sees the value
	given []cond     // what holds if the value is not nil
	maybe bool       // the value may be nil
}

// move goes to a field of a struct, or to an element of a list. via is the type
// of the struct, or of a pointer to it, or of the element.
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

// to appends a move.
func (p place) to(s move, t types.Type) place {
	return place{root: p.root, moves: append(slices.Clip(p.moves), s), typ: t, given: p.given}
}

// as returns the same place, seen as another type.
func (p place) as(t types.Type) place {
	return place{root: p.root, moves: p.moves, typ: t, given: p.given}
}

// in returns the place with the type of a variable that it was assigned to.
func (p place) in(o types.Object) place {
	p.typ = o.Type()
	return p
}

// cond is one condition about the value at a place.
type cond struct {
	at   place
	kind condKind
	typ  types.Type     // isType
	v    constant.Value // equals
	name *types.Const
	n    int // hasLength, atLeast
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

// learn adds a condition to a shape. It reports whether the condition is
// possible, given what is known, and whether it adds anything.
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

// become sets the type of a value to the type that the code sees. It reports
// whether that is possible.
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

// refine adds what a condition requires of the value itself. It reports whether
// that is possible.
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

// text writes a value as Go, or "" for a hole.
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
		elem := n.typ(u.Elem())
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
	return n.typ(t) + "{" + strings.Join(texts, ", ") + "}"
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

// hole writes the zero value of a type, where an expression is required.
func (n *Names) hole(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return n.zeroOf(u)
	case *types.Struct, *types.Array:
		return n.typ(t) + "{}"
	}
	return n.Word("nil")
}

// fixed lists the parts that are known to be zero.
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
