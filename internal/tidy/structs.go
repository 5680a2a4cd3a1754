//go:build go1.25

package tidy

import (
	"cmp"
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// A struct with many fields and methods has no clear task. These bounds apply to folders
// in which structs once grew too large.
const (
	fieldsMax  = 15
	methodsMax = 25
)

// bounded lists the folders that these bounds apply to. In other folders the limit is the
// size of the largest struct today.
var bounded = []string{
	".", "cmd", "internal/property", "internal/isolated", "internal/finding", "internal/verdict", "internal/worker", "internal/ops",
}

const (
	fieldsCeiling  = 32 // internal/search/engine.line
	methodsCeiling = 68 // internal/value/mutate.frame
)

// wideStructs are the agreed exceptions, at most four, each with its reason.
var wideStructs = map[string]string{
	"..T":                      "it implements all methods of testing.TB",
	"internal/ops/event.Event": "one type for all kinds of event; fields that a kind does not use stay zero",
}

const wideStructsMax = 4

func structs(tree *Tree) []string {
	all := map[string]*width{}
	for _, f := range tree.Files {
		if !f.Test && !f.Nested {
			measure(f, all)
		}
	}
	var problems []string
	used := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		w := all[name]
		if w.fields <= w.fieldsMax && w.methods <= w.methodsMax {
			continue
		}
		if used[name] = true; wideStructs[name] == "" {
			problems = append(problems, fmt.Sprintf("%s: %d fields and %d methods, at most %d and %d",
				name, w.fields, w.methods, w.fieldsMax, w.methodsMax))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(wideStructs)) {
		if w := all[name]; w != nil && !used[name] {
			problems = append(problems, name+": exception no longer needed")
		}
	}
	if len(wideStructs) > wideStructsMax {
		problems = append(problems, fmt.Sprintf("%d exceptions, at most %d", len(wideStructs), wideStructsMax))
	}
	return problems
}

// width is the size of a type and its limit.
type width struct{ fields, methods, fieldsMax, methodsMax int }

// measure adds the types of a file. Methods count for their receiver, in whatever file
// they are. An embedded type is one field.
func measure(f *File, all map[string]*width) {
	of := func(name string) *width {
		key := f.Dir + "." + name
		if all[key] == nil {
			all[key] = &width{fieldsMax: fieldsCeiling, methodsMax: methodsCeiling}
			if isBounded(f.Dir) {
				all[key].fieldsMax, all[key].methodsMax = fieldsMax, methodsMax
			}
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
					of(t.Name.Name).fields = fieldCount(t.Type)
				}
			}
		}
	}
}

func isBounded(dir string) bool {
	return slices.ContainsFunc(bounded, func(folder string) bool { return dir == folder || folder != "." && holds(folder, dir) })
}

func fieldCount(e ast.Expr) (n int) {
	s, ok := e.(*ast.StructType)
	if !ok {
		return 0
	}
	for _, field := range s.Fields.List {
		n += max(1, len(field.Names))
	}
	return n
}

// columnsMax is the width of a line that fits on a screen beside another file. Test files
// are exempt, because their tables may be wider.
const (
	columnsMax = 140
	tab        = 4
)

func columns(tree *Tree) []string {
	var problems []string
	for _, f := range tree.Files {
		if f.Test {
			continue
		}
		text := tree.Texts[slices.IndexFunc(tree.Texts, func(t Text) bool { return t.Path == f.Path })].Body
		for i, line := range strings.Split(text, "\n") {
			if n := len([]rune(line)) + (tab-1)*strings.Count(line, "\t"); n > columnsMax {
				problems = append(problems, fmt.Sprintf("%s:%d: %d columns, at most %d", f.Path, i+1, n, columnsMax))
			}
		}
	}
	return problems
}

// variables lists the environment variables that product code names, each with the folders
// that name it. The result is compared with a golden list, because users may depend on
// each variable.
func variables(tree *Tree) []string {
	found := map[string][]string{}
	for _, f := range tree.Files {
		if f.Test || f.Nested || strings.HasPrefix(f.Dir, "internal/tidy") {
			continue
		}
		ast.Inspect(f.AST, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || !strings.HasPrefix(lit.Value, `"ALLELE_`) {
				return true
			}
			if name := strings.Trim(lit.Value, `"`); len(name) > len("ALLELE_") && !slices.Contains(found[name], f.Dir) {
				found[name] = append(found[name], f.Dir)
			}
			return true
		})
	}
	var lines []string
	for _, name := range slices.SortedFunc(maps.Keys(found), cmp.Compare[string]) {
		lines = append(lines, name+" "+strings.Join(found[name], " "))
	}
	return lines
}
