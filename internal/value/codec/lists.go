//go:build go1.25

package codec

import (
	"fmt"
	"go/ast"
	"go/constant"
	"math"
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// list resolves a slice or an array. Either may have been the other when the case
// was written.
func (r *resolver) list(s *schema.Schema, e ast.Expr) {
	if s.Kind == schema.Slice && !s.NonNil && r.isNil(s.Type, e) {
		r.open(s, 0, 0)
		return
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		r.unfit(s, e, "%s", cannotUse(e, s.Type.String()))
		return
	}
	c, room := 1, r.room()
	if s.Kind == schema.Array {
		c, room = 0, s.Len
	}
	elems, length, ok := r.elements(lit, room)
	if !ok || s.Kind == schema.Slice && length > room {
		r.unfit(s, e, "%s", cannotUse(e, s.Type.String()))
		return
	}
	if s.Kind == schema.Array {
		r.checkLength(lit, s, length)
		length = s.Len
	}
	at := r.open(s, c, uint64(length))
	for i := range length {
		r.under(step{index: i}, func() {
			if i < len(elems) && elems[i] != nil {
				r.value(s.Elem, elems[i])
			} else {
				r.zero(s.Elem, lit)
			}
		})
	}
	r.seal(at)
}

// checkLength records a loss if the array was longer when the case was written. If
// the literal has a type with a length, this length counts as well, since zeros at
// the end may be omitted.
func (r *resolver) checkLength(lit *ast.CompositeLit, s *schema.Schema, was int) {
	if typ, ok := lit.Type.(*ast.ArrayType); ok && typ.Len != nil {
		if n, err := r.index(typ.Len); err == nil {
			was = max(was, n)
		}
	}
	if was > s.Len {
		r.lose(lit, "the array has %d elements, not %d", s.Len, was)
	}
}

// room returns how many more nodes the case may have.
func (r *resolver) room() int { return max(0, nodesMax-r.nodes) }

// elements returns the elements of a list literal by index, and the length of the
// list. Elements that the literal skips, by its indexes, are nil. Elements at index
// room and above are left out. ok is false if the literal is a map or a struct.
func (r *resolver) elements(lit *ast.CompositeLit, room int) (elems []ast.Expr, length int, ok bool) {
	switch lit.Type.(type) {
	case *ast.MapType, *ast.StructType:
		return nil, 0, false
	}
	if !slices.ContainsFunc(lit.Elts, isKeyed) {
		return lit.Elts, len(lit.Elts), true
	}
	return r.indexed(lit, room)
}

func isKeyed(e ast.Expr) bool { _, ok := e.(*ast.KeyValueExpr); return ok }

// indexed is like elements, for literals with elements such as 5: x.
func (r *resolver) indexed(lit *ast.CompositeLit, room int) (elems []ast.Expr, length int, ok bool) {
	at := 0
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			i, err := r.index(kv.Key)
			if err != nil {
				return nil, 0, false
			}
			at, e = i, kv.Value
		}
		if at < room {
			elems = append(elems, make([]ast.Expr, max(0, at+1-len(elems)))...)
			elems[at] = e
		}
		at++
		length = max(length, at)
	}
	return elems, length, true
}

func (r *resolver) index(e ast.Expr) (int, error) {
	n, err := r.consts.eval(e)
	if err != nil || n.special {
		return 0, errNotConst
	}
	i, exact := constant.Int64Val(constant.ToInt(n.Value))
	if !exact || i < 0 || i > math.MaxInt32 {
		return 0, errNotConst
	}
	return int(i), nil
}

// entries resolves a map. Each key is checked when it is read, so that a duplicate
// key is reported with its line in the text.
func (r *resolver) entries(s *schema.Schema, e ast.Expr) {
	if !s.NonNil && r.isNil(s.Type, e) {
		r.open(s, 0, 0)
		return
	}
	lit, ok := e.(*ast.CompositeLit)
	if ok {
		_, isArray := lit.Type.(*ast.ArrayType)
		ok = !isArray && !slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool { return !isKeyed(e) })
	}
	if !ok {
		r.unfit(s, e, "%s", cannotUse(e, s.Type.String()))
		return
	}
	at := r.open(s, 1, 0)
	keys := keySet{world: r.world, seen: map[uint64][]int{}, last: -1, sorted: true}
	for _, elt := range lit.Elts {
		kv := elt.(*ast.KeyValueExpr)
		r.under(step{name: keyName(kv.Key)}, func() { r.entry(s, kv, &keys) })
		if r.err != nil {
			return
		}
	}
	r.out[at].X = uint64(keys.count)
	r.seal(at)
	if !keys.sorted {
		r.out = append(r.out[:at], r.world.SortEntries(r.out[at:])...)
	}
}

func keyName(key ast.Expr) string { return shorten(fmt.Sprintf("[%.40s]", describe(key))) }

// entry appends a key and its value, or nothing if the key is a duplicate or not
// allowed.
func (r *resolver) entry(s *schema.Schema, kv *ast.KeyValueExpr, keys *keySet) {
	at := len(r.out)
	r.value(s.Key, kv.Key)
	if r.err != nil {
		return
	}
	if reason := keys.add(r.out, at); reason != "" {
		r.out = r.out[:at]
		r.lose(kv, "%s", reason)
		return
	}
	r.value(s.Elem, kv.Value)
}

// keySet has the positions of the keys of a map that is being read.
type keySet struct {
	world  *schema.World
	seen   map[uint64][]int
	last   int
	count  int
	sorted bool
}

// add adds the key t[at:], or returns why it cannot be a key.
func (k *keySet) add(t term.Term, at int) (reason string) {
	key, nan := t[at:], false
	k.world.EachFloat(key, func(x uint64) uint64 {
		f := math.Float64frombits(x)
		if nan = nan || f != f; f == 0 {
			return 0 // -0 and +0 are one key
		}
		return x
	})
	if nan {
		return "NaN cannot be a key, since a map never finds it"
	}
	hash := term.Hash(key)
	for _, other := range k.seen[hash] {
		if term.Equal(t.Sub(other), key) {
			return "the key occurs twice"
		}
	}
	k.sorted = k.sorted && (k.last < 0 || k.world.Compare(t.Sub(k.last), key) < 0)
	k.seen[hash] = append(k.seen[hash], at)
	k.last = at
	k.count++
	return ""
}
