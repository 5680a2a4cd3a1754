//go:build go1.25

package codec

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/value/schema"
)

// candidate is a field that a lost field may have become.
type candidate struct {
	path   string   // as in Renames
	unlike float64  // how much the names differ, from 0 to 1
	parts  []part   // what is in the field then
	names  []string // fields that a struct is Dissolved into
}

// part is an expression and the schema that it may be a value of.
type part struct {
	s *schema.Schema
	e ast.Expr
}

// similar is how much the names of a field may differ before and after it was renamed, so that
// the name alone shows it.
const similar = 0.5

// likeMax is the number of lost fields of a case for which candidates are looked for: that tries
// the value of a lost field in many places.
const likeMax = 16

// likely finds out what the lost fields of a literal have probably become, and what is lost in
// their values then.
func (f *fieldSet) likely() {
	var open []*lostField
	for i := range f.lost {
		if f.liked++; f.liked > likeMax || f.lost[i].at >= len(f.losses) {
			break
		}
		f.lost[i].might = f.candidates(f.lost[i])
		open = append(open, &f.lost[i])
	}
	found := match(open)
	for _, l := range open {
		c, sure := found[l]
		if f.losses[l.at].Like = c.path; !sure {
			for _, c := range l.might {
				f.losses[l.at].Maybe = append(f.losses[l.at].Maybe, c.path)
			}
		}
		for _, p := range c.parts {
			f.under(step{name: l.name}, func() { f.within(p) })
		}
	}
}

// match returns what lost fields have become, as far as it is certain. Names that are similar
// decide first. Else, if as many fields are new as lost, they have the same order.
func match(open []*lostField) map[*lostField]candidate {
	found := map[*lostField]candidate{}
	take := func(l *lostField, c candidate) {
		found[l] = c
		open = slices.DeleteFunc(slices.Clone(open), func(x *lostField) bool { return x == l })
		for _, x := range open {
			x.might = slices.DeleteFunc(slices.Clone(x.might), func(y candidate) bool {
				return y.path == c.path || slices.Contains(c.names, y.path) || c.path == Dissolved && y.unlike > similar
			})
		}
	}
	for {
		l, c, ok := mostAlike(open)
		if !ok {
			break
		}
		take(l, c)
	}
	for len(open) > 0 {
		var group []*lostField
		for _, l := range open {
			if slices.EqualFunc(l.might, open[0].might, func(a, b candidate) bool { return a.path == b.path }) {
				group = append(group, l)
			}
		}
		if might := open[0].might; len(group) == len(might) {
			for i, l := range group {
				found[l] = might[i]
			}
		}
		open = slices.DeleteFunc(slices.Clone(open), func(l *lostField) bool { return slices.Contains(group, l) })
	}
	return found
}

// mostAlike returns the lost field with the most similar candidate, if no other candidate is as
// similar.
func mostAlike(open []*lostField) (field *lostField, best candidate, ok bool) {
	best.unlike = 2 * similar
	for _, l := range open {
		for _, c := range l.might {
			if c.unlike <= similar && c.unlike < best.unlike {
				field, best, ok = l, c, true
			}
		}
	}
	if ok {
		same := func(c candidate) bool { return c.unlike == best.unlike && c.path != best.path }
		ok = !slices.ContainsFunc(field.might, same)
	}
	return field, best, ok
}

// candidates returns what a lost field may have become: a field of the same name in a struct below;
// else a field at the same place between other fields, or with a similar name; else all fields of
// its struct, if that struct was dissolved; else a field of another name in a struct below. The
// literal does not set this field yet, and the value fits.
func (f *fieldSet) candidates(l lostField) []candidate {
	find := []func(lostField) []candidate{f.sameInside, f.renamed, f.dissolved, f.inside}
	for _, look := range find {
		if all := look(l); len(all) > 0 {
			return all
		}
	}
	return nil
}

// renamed returns fields of the same struct.
func (f *fieldSet) renamed(l lostField) (all []candidate) {
	for i, x := range f.fields {
		c := candidate{path: x.Name, unlike: unlike(l.name, x.Name), parts: []part{{x.S, l.value}}}
		if f.exprs[i] == nil && (f.atPlace(l, i) || c.unlike <= similar) && f.fits(c.parts[0]) {
			all = append(all, c)
		}
	}
	return all
}

// atPlace reports whether field i is between the fields that the literal sets before and after a
// lost field.
func (f *fieldSet) atPlace(l lostField, i int) bool {
	next := l.after
	for next < len(f.fields) && f.exprs[next] == nil {
		next++
	}
	return i >= l.after && i < next
}

// sameInside returns fields of the same name in structs below.
func (f *fieldSet) sameInside(l lostField) (all []candidate) {
	if slices.ContainsFunc(f.fields, func(x schema.Field) bool { return strings.EqualFold(x.Name, l.name) }) {
		return nil
	}
	for i, x := range f.fields {
		for _, inner := range innerFields(x.S) {
			p := part{inner.S, l.value}
			if inner.Name == l.name && !sets(f.exprs[i], l.name) && f.fits(p) {
				all = append(all, candidate{path: x.Name + "." + l.name, unlike: similar, parts: []part{p}})
			}
		}
	}
	return all
}

// inside returns fields of structs that the literal does not set.
func (f *fieldSet) inside(l lostField) (all []candidate) {
	for i, x := range f.fields {
		if f.exprs[i] != nil || !f.atPlace(l, i) {
			continue
		}
		for _, inner := range innerFields(x.S) {
			if p := (part{inner.S, l.value}); f.fits(p) {
				all = append(all, candidate{path: x.Name + "." + inner.Name, unlike: unlike(l.name, inner.Name), parts: []part{p}})
			}
		}
	}
	return all
}

// dissolved returns Dissolved if the struct has all fields of the value.
func (f *fieldSet) dissolved(l lostField) []candidate {
	lit := literalOf(l.value)
	if lit == nil || len(lit.Elts) == 0 {
		return nil
	}
	c := candidate{path: Dissolved}
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return nil
		}
		i := f.index(describe(kv.Key))
		if i < 0 || f.exprs[i] != nil || !f.fits(part{f.fields[i].S, kv.Value}) {
			return nil
		}
		c.parts, c.names = append(c.parts, part{f.fields[i].S, kv.Value}), append(c.names, f.fields[i].Name)
	}
	return []candidate{c}
}

// innerFields returns the fields of a struct, or of the struct that a pointer points to.
func innerFields(s *schema.Schema) []schema.Field {
	if s.Kind == schema.Struct || s.Kind == schema.Pointer {
		return s.Ctors[len(s.Ctors)-1].Fields
	}
	return nil
}

// sets reports whether a struct literal sets a field.
func sets(e ast.Expr, name string) bool {
	if e == nil {
		return false
	}
	lit := literalOf(e)
	return lit == nil || slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
		kv, ok := e.(*ast.KeyValueExpr)
		return !ok || describe(kv.Key) == name
	})
}

// fits reports whether an expression is a value of a schema, apart from fields that are lost in
// literals of the same types.
func (f *fieldSet) fits(p part) bool {
	trial := *f.resolver
	trial.out, trial.losses, trial.liked = nil, nil, likeMax
	trial.value(p.s, p.e)
	f.nodes = trial.nodes
	return trial.err == nil && !slices.ContainsFunc(trial.losses, func(l Loss) bool { return !l.Gone || l.foreign })
}

// within adds what is lost in a value that fits.
func (f *fieldSet) within(p part) {
	trial := *f.resolver
	trial.out, trial.losses = nil, nil
	trial.value(p.s, p.e)
	f.nodes, f.liked = trial.nodes, trial.liked
	f.losses = append(f.losses, trial.losses[:min(len(trial.losses), lossesMax-len(f.losses))]...)
}

// unlike returns how much two names differ, from 0 to 1, apart from upper and lower case. A name
// is similar to its beginning.
func unlike(a, b string) float64 {
	const beginning = 0.25
	a, b = strings.ToLower(a), strings.ToLower(b)
	switch {
	case a == b:
		return 0
	case strings.HasPrefix(a, b), strings.HasPrefix(b, a):
		return beginning
	}
	return float64(distance(a, b)) / float64(max(len(a), len(b)))
}

// distance returns how many letters must be changed, added or removed to make b of a. Of long
// names it looks at the beginning only.
func distance(a, b string) int {
	const most = 90
	x, y := []rune(a), []rune(b)
	x, y = x[:min(len(x), most)], y[:min(len(y), most)]
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		above := row[0] // of the row before, one to the left
		row[0] = i + 1
		for j := range y {
			cost := above
			if x[i] != y[j] {
				cost++
			}
			above = row[j+1]
			row[j+1] = min(cost, above+1, row[j]+1)
		}
	}
	return row[len(y)]
}
