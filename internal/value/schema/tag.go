//go:build go1.25

package schema

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/term"
)

// Many structs say in tags which values their fields should have:
//
//	Name string `validate:"required,min=3,max=32"`
//
// These are the tags of github.com/go-playground/validator; the framework gin calls them
// binding. They say what a program should accept, not what it may be given. So a tag excludes
// nothing: the schema of the field has the same terms as without the tag, cases and examples
// may have any value, and only package gen and the search prefer terms that satisfy it. The
// schema is a copy of that of the field's type, with a Tag.

// Tag is what the struct tag of a field says about the terms of a schema.
type Tag struct {
	Text     string // as in the source: validate:"required,min=3"
	Required bool   // a pointer or a list is not nil, any other value is not zero
	Omit     bool   // nil or zero is allowed, whatever else the tag says
	omitLess bool   // with Omit, a list may be empty

	LenMin, LenMax int  // the length of a list or of a text, in characters; LenMax may be Unbounded
	Unique         bool // the elements of a list are different

	Narrow *Schema  // of a number: the schema with the limits of the tag; nil if the tag has none
	Among  []uint64 // the only numbers; nil if the tag does not list them
	except []uint64 // numbers that are excluded
	never  bool     // a limit excludes all numbers

	Words     []string // the only texts; nil if the tag does not list them
	fold      bool     // upper and lower case are the same in Words
	letters   string   // the letters of a text; "" means any
	noLetters bool     // the words about letters have none in common
	prefix    string
	suffix    string
	parts     []string                 // the text contains them
	adapt     func(string) string      // changes a text so that it satisfies a word, such as lowercase
	sources   []func(*rng.Rand) string // each draws texts that satisfy a word, such as email
	texts     []textCheck              // what the words check
	pool      []string                 // texts that satisfy the tag, if few drawn ones do

	of    *Schema // the schema without the tag
	world *World

	// Recursive says that a term of the schema may contain another one. If it must, only the
	// size of a term makes it end.
	Recursive bool
}

// Breach is a part of an input that does not satisfy its tag, or is no constant of its type.
type Breach struct {
	Path  string
	Tag   string // empty if the part is no constant
	Value string // the part, if it is no constant
}

// IsTag reports whether the part does not satisfy its tag.
func (b Breach) IsTag() bool { return b.Tag != "" }

// String returns the path, and the tag or the value.
func (b Breach) String() string {
	if b.IsTag() {
		return fmt.Sprintf("%s (%s)", b.Path, b.Tag)
	}
	return fmt.Sprintf("%s = %s", b.Path, b.Value)
}

// Tagged reports whether tags are used for a part of the input.
func (w *World) Tagged() bool { return w.tagged }

// Inside reports whether a term certainly satisfies all tags.
func (w *World) Inside(t term.Term) bool { return w.Broken(t) == 0 }

// Broken returns the number of parts of a term that do not certainly satisfy their tags.
func (w *World) Broken(t term.Term) (n int) {
	if !w.tagged {
		return 0
	}
	for at := range t.Nodes() {
		if s := w.Of(t[at]); s.Tag != nil && !s.Tag.Holds(t.Sub(at)) {
			n++
		}
	}
	return n
}

// Outside returns the parts of a term that certainly break their tags, and those that are no constants of their types.
func (w *World) Outside(t term.Term) (all []Breach) {
	if len(t) > 0 {
		w.outside(t, 0, "in", &all)
	}
	return all
}

// notConstant reports whether a term of s is a value that is not one of the constants of its type, and returns it as
// source code. The zero value is what a field has that nobody has set.
func notConstant(s *Schema, t term.Term) (value string, ok bool) {
	if !HasConstants(s) || t[0].X == 0 {
		return "", false
	}
	switch x := t[0].X; {
	case s.Kind == String:
		text := string(t.Bytes(0))
		return fmt.Sprintf("%s(%q)", s.Type.Name(), text), !slices.Contains(s.Words, text)
	case slices.Contains(s.Consts, x):
		return "", false
	case s.IsFloat():
		return fmt.Sprintf("%s(%v)", s.Type.Name(), math.Float64frombits(x)), true
	case s.IsSigned():
		return fmt.Sprintf("%s(%d)", s.Type.Name(), int64(x)), true
	default:
		return fmt.Sprintf("%s(%d)", s.Type.Name(), x), true
	}
}

func (w *World) outside(t term.Term, at int, path string, all *[]Breach) {
	n := t[at]
	s := w.Of(n)
	if s.Tag != nil && s.Tag.Breaks(t.Sub(at)) {
		*all = append(*all, Breach{Path: path, Tag: s.Tag.Text})
	}
	if value, ok := notConstant(s, t.Sub(at)); ok {
		*all = append(*all, Breach{Path: path, Value: value})
	}
	i := 0
	for kid := range t.Kids(at) {
		sub := path
		switch {
		case s.Kind == Map && i%2 == 0:
			sub += keysName
		case s.Kind == Map:
			sub += elemsName
		case s.IsList():
			sub += fmt.Sprintf("[%d]", i)
		case s.Ctors[n.C].Fields[i].Name != "":
			sub += "." + s.Ctors[n.C].Fields[i].Name
		}
		w.outside(t, kid, sub, all)
		i++
	}
}

// tagKeys are the keys of struct tags that are read.
var tagKeys = [...]string{"validate", "binding"}

// pendingTags are the fields of a struct, some of which have tags, until all schemas are derived.
type pendingTags struct {
	t      reflect.Type
	fields []Field
	path   string
}

// tagged stores the fields of a struct if one of them has a tag.
func (d *deriver) tagged(t reflect.Type, fields []Field, sc *scope, path string) {
	has := func(f Field) bool { return len(tagsOf(t, f.Name)) > 0 || malformed(t, f.Name) != "" }
	if !sc.ignore.Tags && slices.ContainsFunc(fields, has) {
		d.tags = append(d.tags, pendingTags{t, fields, path})
	}
}

// tagsOf returns the tags of a field that are read, as they are written, each text once.
func tagsOf(t reflect.Type, name string) (tags []fieldTag) {
	f, _ := t.FieldByName(name)
	for _, key := range tagKeys {
		same := func(tag fieldTag) bool { return tag.text == f.Tag.Get(key) }
		if text := f.Tag.Get(key); text != "" && text != "-" && !slices.ContainsFunc(tags, same) {
			tags = append(tags, fieldTag{key, text})
		}
	}
	return tags
}

// pairExpr matches a key and its value in a struct tag.
const pairExpr = `[^\s:"]+:"([^"\\]|\\.)*"`

// malformed returns the tags of a field if they are not in the form that package reflect reads, a key
// and a value in quotes, so that a key in them is not found.
func malformed(t reflect.Type, name string) string {
	f, _ := t.FieldByName(name)
	missing := func(key string) bool { _, ok := f.Tag.Lookup(key); return !ok && strings.Contains(string(f.Tag), key) }
	if !slices.ContainsFunc(tagKeys[:], missing) || wholeMatch(` *(`+pairExpr+`( +`+pairExpr+`)*)? *`).MatchString(string(f.Tag)) {
		return ""
	}
	return string(f.Tag)
}

type fieldTag struct{ key, text string }

// String returns the tag as it is written.
func (t fieldTag) String() string { return fmt.Sprintf("%s:%q", t.key, t.text) }

// errForm is the reason for a note about a tag that package reflect cannot read.
var errForm = errors.New(`it is not in the form key:"value"`)

// tagNotes is how many tags that are not used have a note of their own.
const tagNotes = 3

// useTags gives the fields with tags schemas of their own, now that all others are derived.
func (d *deriver) useTags() {
	u := tagUser{deriver: d, declared: map[*Schema]bool{}, copies: map[string]*Schema{}}
	for _, part := range d.world.declared {
		u.declared[part.S] = !part.facts // constants in a file of facts mean what they mean to the command
	}
	unused := 0
	note := func(p pendingTags, f *Field, tag string, err error) {
		if unused++; unused <= tagNotes {
			d.world.Notes = append(d.world.Notes, fmt.Sprintf("%s.%s: the tag %s is not used: %v", p.path, f.Name, tag, err))
		}
	}
	for _, p := range d.tags {
		for i := range p.fields {
			f := &p.fields[i]
			tags, bad := tagsOf(p.t, f.Name), malformed(p.t, f.Name)
			if bad != "" && !u.declared[f.S] {
				note(p, f, bad, errForm)
			}
			if len(tags) == 0 {
				continue
			}
			schemas, shapes := len(d.world.Schemas), len(d.shapes)
			if s, err := u.field(f.S, tags); err == nil {
				f.S = s
			} else {
				u.undo(schemas, shapes)
				note(p, f, written(tags), err)
			}
		}
	}
	if unused == tagNotes+1 {
		d.world.Notes = append(d.world.Notes, "1 more tag is not used, for a reason of this kind")
	} else if unused > tagNotes {
		d.world.Notes = append(d.world.Notes, fmt.Sprintf("%d more tags are not used, for reasons of this kind", unused-tagNotes))
	}
	for _, s := range u.copies {
		inside := map[*Schema]bool{}
		for _, part := range s.parts() {
			d.world.reach(part, inside)
		}
		s.Tag.Recursive = inside[s]
	}
	d.world.tagged = len(u.copies) > 0
}

// tagUser makes the copies of schemas that have a Tag.
type tagUser struct {
	*deriver
	declared map[*Schema]bool   // a declaration about a type or a field takes precedence over a tag
	copies   map[string]*Schema // equal tags of equal schemas have one copy
}

// field returns the schema of a field with tags. All of them hold.
func (u *tagUser) field(base *Schema, tags []fieldTag) (*Schema, error) {
	if u.declared[base] {
		return base, nil
	}
	var words []tagWord
	for _, tag := range tags {
		more, err := tagWords(tag.text)
		if err != nil {
			return nil, err
		}
		own, rest, dive := cutDive(words)
		if _, _, dives := cutDive(more); dive && dives {
			return nil, fmt.Errorf("two tags have the word dive")
		}
		if words = slices.Concat(own, more); dive {
			words = slices.Concat(words, []tagWord{{name: "dive"}}, rest)
		}
	}
	return u.schema(base, words, written(tags))
}

// written returns tags as they are written.
func written(tags []fieldTag) string {
	var all []string
	for _, t := range tags {
		all = append(all, t.String())
	}
	return strings.Join(all, " ")
}

// schema returns a copy of base for the terms of which the words hold.
func (u *tagUser) schema(base *Schema, words []tagWord, text string) (*Schema, error) {
	own, rest, dive := cutDive(words)
	if u.declared[base] || len(own) == 0 && !dive {
		return base, nil
	}
	key := fmt.Sprint(base.ID, text, words)
	if s := u.copies[key]; s != nil {
		return s, nil
	}
	s := *base
	var err error
	switch {
	case base.Kind == Pointer:
		err = u.pointer(&s, words, text)
	case dive && !base.IsList():
		err = fmt.Errorf("dive needs a list or a map, and the field is a %v", base.Type)
	default:
		if s.Tag, err = u.newTag(base, own, text); isNone(err) {
			err = u.contradiction(base, own, err)
		}
		switch {
		case err != nil:
		case base.IsList():
			err = u.list(&s, rest, dive)
		case base.Kind != Scalar && base.Kind != String && !base.isLengthy() && !s.Tag.Required:
			return base, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return u.copy(key, base, &s), nil
}

// copy adds the copy of a schema to the world. Patterns of its type apply to it too.
func (u *tagUser) copy(key string, base, s *Schema) *Schema {
	own := u.add(base.Type)
	id := own.ID
	*own = *s
	own.ID = id
	u.copies[key] = own
	for _, p := range u.shapes {
		if p.s == base {
			u.shapes = append(u.shapes, pendingShapes{own, p.e})
			break
		}
	}
	return own
}

// undo drops the copies that were made for a tag that is not used.
func (u *tagUser) undo(schemas, shapes int) {
	u.world.Schemas, u.shapes = u.world.Schemas[:schemas], u.shapes[:shapes]
	maps.DeleteFunc(u.copies, func(_ string, s *Schema) bool { return int(s.ID) >= schemas })
}

// pointer applies a tag to a pointer. All words but those about nil are about what it points to.
func (u *tagUser) pointer(s *Schema, words []tagWord, text string) error {
	fields := s.Ctors[1].Fields
	isStruct := len(fields) != 1 || fields[0].Name != "" // the fields of a struct
	var inner []tagWord
	for i, w := range words {
		if w.name == "dive" {
			inner = append(inner, words[i:]...)
			break
		}
		switch {
		case w.name == "omitzero": // the value may be zero
			inner = append(inner, tagWord{name: "omitempty"})
		case !omits(w) && w.name != "required", w.name == "required" && !isStruct && fields[0].S.Kind == Pointer:
			inner = append(inner, w)
		}
	}
	s.Tag = &Tag{Text: text, LenMax: Unbounded, of: s, world: u.world}
	s.Tag.Omit = omits(words[0]) // after another word, which is about nil too, it is too late
	s.Tag.Required = !s.Tag.Omit
	if isStruct {
		_, err := u.schema(&Schema{Kind: Struct, Type: s.Type.Elem()}, inner, text)
		return err
	}
	target, err := u.schema(fields[0].S, inner, text)
	if err != nil {
		return err
	}
	s.Ctors = slices.Clone(s.Ctors)
	s.Ctors[1].Fields = slices.Clone(fields)
	s.Ctors[1].Fields[0].S = target
	return nil
}

// list applies the words after dive to the elements of a list or a map.
func (u *tagUser) list(s *Schema, rest []tagWord, dive bool) (err error) {
	if dive && len(rest) > 0 && rest[0].name == "keys" {
		end := slices.IndexFunc(rest, func(w tagWord) bool { return w.name == "endkeys" })
		if end < 0 || s.Kind != Map {
			return fmt.Errorf("keys needs a map, and endkeys after the words about its keys")
		}
		if s.Key, err = u.schema(s.Key, rest[1:end], s.Tag.Text); err != nil {
			return err
		}
		rest = rest[end+1:]
	}
	if dive {
		if s.Elem, err = u.schema(s.Elem, rest, s.Tag.Text); err != nil {
			return err
		}
	}
	apart, what := distinctMax, "elements"
	if s.Tag.Unique {
		apart = s.Elem.distinct()
	} else if s.Kind == Map {
		apart, what = s.Key.distinct(), "keys"
	}
	if s.Tag.LenMin > apart {
		return fmt.Errorf("it requests at least %d different %s, and there are %d", s.Tag.LenMin, what, apart)
	}
	if apart < distinctMax {
		s.Tag.LenMax = min(s.Tag.LenMax, apart)
	}
	return nil
}
