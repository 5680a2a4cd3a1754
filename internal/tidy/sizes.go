//go:build go1.25

package tidy

import (
	"fmt"
	"go/ast"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A type with many fields and methods has no clear task. What it embeds counts too: its users see
// one type.
const (
	fieldsMax  = 15
	methodsMax = 25
)

// strict lists the folders, and the types, to which the limits apply without exception: the search, the
// changes of a term, events, and what users declare. A further kind is a further type there.
var strict = []string{
	"internal/search", "internal/value/mutate", "internal/proc/event",
	"internal/value/schema.Decl", "internal/value/schema.Func", "internal/value/schema.entry",
}

// wideTypes are the agreed exceptions, each with its reason.
var wideTypes = map[string]string{
	"..T": "it implements all methods of testing.TB",
}

// A size is the number of fields and methods of a type, with those of what it embeds.
type size struct{ fields, methods int }

func (s size) exceeds(limit size) bool { return s.fields > limit.fields || s.methods > limit.methods }

// oversized returns the types that exceed the limits, except wideTypes.
func oversized(tree *Tree) map[string]size {
	all := typesOf(tree)
	over := map[string]size{}
	for name := range all {
		if s := total(all, name, nil); s.exceeds(size{fieldsMax, methodsMax}) && wideTypes[name] == "" {
			over[name] = s
		}
	}
	return over
}

// sizes compares the types that exceed the limits with their listed sizes. A listed size is a
// ceiling that may only fall. Each line of the list is a type, its fields and its methods.
func sizes(tree *Tree, listed map[string]size) (problems []string) {
	over := oversized(tree)
	for _, name := range slices.Sorted(maps.Keys(over)) {
		s := over[name]
		limit, ok := listed[name]
		if !ok || isStrict(name) {
			limit = size{fieldsMax, methodsMax}
		}
		if s.exceeds(limit) {
			problems = append(problems, fmt.Sprintf("%s: %d fields and %d methods, at most %d and %d",
				name, s.fields, s.methods, limit.fields, limit.methods))
		}
	}
	return problems
}

func isStrict(name string) bool {
	return slices.ContainsFunc(strict, func(s string) bool {
		return name == s || holds(s, path.Dir(name)) || strings.HasPrefix(name, s+".")
	})
}

// readSizes reads a list of sizes.
func readSizes(text string) map[string]size {
	all := map[string]size{}
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) == 3 {
			fields, _ := strconv.Atoi(words[1]) // a number that cannot be read is a limit of 0
			methods, _ := strconv.Atoi(words[2])
			all[words[0]] = size{fields, methods}
		}
	}
	return all
}

// lowerSizes returns the list as it should be: a listed size falls with its type, and never grows. No type is
// added.
func lowerSizes(tree *Tree, listed map[string]size) string {
	var b strings.Builder
	over := oversized(tree)
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		if s, ok := over[name]; ok && !isStrict(name) {
			fmt.Fprintln(&b, name, min(s.fields, listed[name].fields), min(s.methods, listed[name].methods))
		}
	}
	return b.String()
}

// A declared type has its own fields and methods, and the names of the types that it embeds.
type declaredType struct {
	size
	embeds []string
}

// typesOf returns the types of the main module, named by their folder. Methods count for their
// receiver, in whatever file they are.
func typesOf(tree *Tree) map[string]*declaredType {
	all := map[string]*declaredType{}
	for _, f := range tree.Files {
		if f.Test || f.Nested {
			continue
		}
		of := func(name string) *declaredType {
			key := f.Dir + "." + name
			if all[key] == nil {
				all[key] = &declaredType{}
			}
			return all[key]
		}
		for _, decl := range f.AST.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					of(baseName(d.Recv.List[0].Type)).methods++
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if t, ok := spec.(*ast.TypeSpec); ok {
						of(t.Name.Name).members(f, t.Type)
					}
				}
			}
		}
	}
	return all
}

// members counts the fields of a struct, or the methods of an interface.
func (d *declaredType) members(f *File, e ast.Expr) {
	var list *ast.FieldList
	count := &d.fields
	switch t := e.(type) {
	case *ast.StructType:
		list = t.Fields
	case *ast.InterfaceType:
		list, count = t.Methods, &d.methods
	default:
		return
	}
	for _, field := range list.List {
		if len(field.Names) > 0 {
			*count += len(field.Names)
		} else if name := embedded(f, field.Type); name != "" {
			d.embeds = append(d.embeds, name)
		} else {
			*count++
		}
	}
}

// embedded returns the name of an embedded type of this module, or "".
func embedded(f *File, e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return f.Dir + "." + baseName(e)
	}
	pkg, ok := sel.X.(*ast.Ident)
	if !ok {
		return ""
	}
	for _, spec := range f.AST.Imports {
		target, _ := strconv.Unquote(spec.Path.Value) // the parser checked it
		name := path.Base(target)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if dir, ours := ourDir(target); ours && name == pkg.Name {
			return dir + "." + sel.Sel.Name
		}
	}
	return ""
}

// total adds up a type and what it embeds.
func total(all map[string]*declaredType, name string, within []string) size {
	t := all[name]
	if t == nil || slices.Contains(within, name) {
		return size{fields: 1} // not of this module
	}
	sum := t.size
	for _, e := range t.embeds {
		s := total(all, e, append(within, name))
		sum.fields, sum.methods = sum.fields+s.fields, sum.methods+s.methods
	}
	return sum
}
