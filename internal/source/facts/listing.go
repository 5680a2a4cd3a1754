//go:build go1.25

package facts

import (
	"fmt"
	"go/token"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
)

// Package contains all facts about one package.
type Package struct {
	*load.Package
	Sums     []Sum
	Enums    []Enum
	Errors   *Errors // nil if there are none
	Builders []Builder
	Rejected []Rejected
	Fields   []*Field
	Patterns []Pattern
}

// Package finds all facts about a package.
func (x *Index) Package(pkg *load.Package) Package {
	p := Package{Package: pkg, Sums: x.sums[pkg], Enums: x.Enums(pkg), Fields: x.Fields(pkg), Patterns: x.Patterns(pkg)}
	p.Enums = append(p.Enums, x.importedEnums(pkg)...)
	p.Errors = x.Errors(pkg)
	p.Builders, p.Rejected = x.Builders(pkg)
	return p
}

// Line is one fact, or one rejected builder, as text.
type Line struct {
	Kind string // variants, constants, errors, builder, field, pattern, or no builder
	Pos  token.Position
	Text string
}

// Lines lists the facts, grouped by kind. Each kind is in the order of the source.
func (p Package) Lines() (all []Line) {
	add := func(kind string, pos token.Position, format string, args ...any) {
		all = append(all, Line{kind, pos, fmt.Sprintf(format, args...)})
	}
	n := readable(p.Types.Path())
	for _, s := range p.Sums {
		names := make([]string, len(s.types))
		for i, t := range s.types {
			names[i] = n.typ(t)
		}
		add("variants", s.Pos, "%s is %s", s.Interface(n), strings.Join(names, ", "))
	}
	for _, e := range p.Enums {
		add("constants", e.Pos, "%s is %s", e.Type(n), e.Consts(n))
	}
	if e := p.Errors; e != nil {
		add("errors", e.Pos, "error may be %s", e.List(n))
	}
	for _, b := range p.Builders {
		verb := "makes"
		if b.Kind == Mutator {
			verb = "changes"
		}
		add("builder", b.Pos, "%s %s %s", b.Expr(n), verb, n.typ(b.Type))
	}
	for _, f := range p.Fields {
		add("field", f.Pos, "%s.%s is compared with %s", f.Struct(n), f.Name, f.values(n))
	}
	for _, s := range p.Patterns {
		text := s.Value(n)
		if fixed := s.Fixed(); len(fixed) > 0 {
			text += ", and zero at " + strings.Join(fixed, ", ")
		}
		add("pattern", s.Pos, "%s looks for %s", s.Name, text)
	}
	for _, t := range p.Rejected {
		add("no builder", t.Pos, "%s: %s", t.Name, t.Why)
	}
	return all
}

// values returns the constants without their type, separated by commas.
func (f *Field) values(n *Names) string {
	texts := make([]string, len(f.consts))
	for i, c := range f.consts {
		texts[i] = n.constant(c.value, c.named)
	}
	return strings.Join(texts, ", ")
}
