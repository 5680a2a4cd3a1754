//go:build go1.25

package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/value/term"
)

// ShapeDecl is a declared pattern. Its Value is a Go value in which zero values are
// holes, except for the fields whose paths are in Fixed.
type ShapeDecl struct {
	Name  string
	Value reflect.Value
	Fixed []string

	tier Tier
}

// pendingShapes stores declared patterns until all schemas are derived, because
// patterns refer to schemas.
type pendingShapes struct {
	s *Schema
	e entry
}

// patternShare is the maximal sum of the odds of all patterns of a type, relative to
// the sum of the odds of its constructors.
const patternShare = 0.5

// patterns turns declared patterns into terms with holes. A pattern that does not
// fit the schemas of this property is skipped, because it may need a variant that
// the property excludes.
func (d *deriver) patterns() {
	for _, p := range d.shapes {
		for _, decl := range p.e.shapes {
			r := shaper{fixed: decl.Fixed, met: map[string]bool{}}
			if !wantedPattern(p.e.mixes, decl.Name, p.e.shapes) {
				continue
			}
			shape := r.shape(p.s, decl.Value, "")
			if i := slices.IndexFunc(decl.Fixed, func(f string) bool { return !r.met[f] }); i >= 0 && !r.unfit && decl.tier == Local {
				d.problems = append(d.problems, fmt.Sprintf(
					"Pattern[%v](%q): the value has no field %s", p.s.Type, decl.Name, decl.Fixed[i]))
			}
			if shape != nil && !r.unfit {
				p.s.Patterns = append(p.s.Patterns, Pattern{decl.Name, shape})
			}
		}
		p.s.share(p.e.mixes)
	}
}

// share sets the odds of patterns. The user may declare other odds in a Mix.
func (s *Schema) share(mixes []*Mix) {
	if len(s.Patterns) == 0 {
		return
	}
	if s.Odds == nil {
		s.Odds = even(len(s.Ctors))
	}
	total := 0.0
	for _, w := range s.Odds[s.First():] {
		total += w
	}
	each := min(1, patternShare*total/float64(len(s.Patterns)))
	for _, p := range s.Patterns {
		s.Odds = append(s.Odds, weight(mixes, p.Name, each))
	}
}

// shaper makes a Shape from a Go value.
type shaper struct {
	fixed []string
	met   map[string]bool // paths that occur in the value
	unfit bool
}

// shape returns the shape of a value, nil for a hole.
func (r *shaper) shape(s *Schema, v reflect.Value, path string) *Shape {
	r.met[path] = true
	if v.IsZero() && !r.isFixed(path) {
		return nil
	}
	out := &Shape{S: s}
	switch s.Kind {
	case Scalar:
		out.X = ScalarBits(v)
		r.unfit = r.unfit || !s.In(out.X)
	case String:
		out.Text = v.String()
	case Bytes:
		out.C = term.Raw
		if v.IsNil() {
			out.C = 0
		}
		out.Text = string(v.Bytes())
	case Struct:
		if s.opaque != nil {
			r.unfit = true
			return out
		}
		out.Fields = r.fields(s.Ctors[0].Fields, v, path)
	case Pointer:
		if !v.IsNil() {
			out.C = 1
			out.Fields = r.fields(s.Ctors[1].Fields, v.Elem(), path)
		}
	case Interface:
		r.variant(out, v, path)
	case Slice, Array, Block:
		r.elems(out, v, path)
	default:
		r.unfit = true
	}
	return out
}

func (r *shaper) isFixed(path string) bool {
	for _, f := range r.fixed {
		if f == path || path == "" || strings.HasPrefix(f, path+".") {
			return true
		}
	}
	return false
}

func (r *shaper) fields(fs []Field, v reflect.Value, path string) []*Shape {
	out := make([]*Shape, len(fs))
	for i, f := range fs {
		switch {
		case f.Name == "":
			out[i] = r.shape(f.S, v, path)
		case path == "":
			out[i] = r.shape(f.S, v.FieldByName(f.Name), f.Name)
		default:
			out[i] = r.shape(f.S, v.FieldByName(f.Name), path+"."+f.Name)
		}
	}
	return out
}

func (r *shaper) variant(out *Shape, v reflect.Value, path string) {
	if v.Kind() == reflect.Interface {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	for c := 1; c < len(out.S.Ctors); c++ {
		if out.S.Variant(c) != v.Type() || out.S.Ctors[c].Call {
			continue
		}
		out.C = c
		fs := out.S.Ctors[c].Fields
		if direct := len(fs) == 1 && fs[0].Name == "" && fs[0].S.Type == v.Type(); v.Kind() == reflect.Pointer && !direct {
			if r.unfit = r.unfit || v.IsNil(); !v.IsNil() {
				out.Fields = r.fields(fs, v.Elem(), path)
			}
			return
		}
		out.Fields = r.fields(fs, v, path)
		return
	}
	r.unfit = true
}

func (r *shaper) elems(out *Shape, v reflect.Value, path string) {
	if out.S.Kind == Slice && v.IsNil() {
		r.unfit = r.unfit || out.S.NonNil
		return
	}
	if out.S.Kind == Slice {
		out.C = 1
	}
	out.X = uint64(v.Len())
	for i := range v.Len() {
		out.Fields = append(out.Fields, r.shape(out.S.Elem, v.Index(i), path+"."+strconv.Itoa(i)))
	}
}
