package tidy

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// mayImport says who may import whom among our own packages. A folder stands for
// everything below it, except "." which is the root package alone. What is
// absent is forbidden, and a package in no folder of this table is a problem.
//
// The arrows are the architecture: an input (value) does not know how it is
// chosen (search), neither knows processes or files (ops), and nothing that runs
// in a user's test binary links the build-time half (source).
var mayImport = map[string][]string{
	".": {"internal/value", "internal/search", "internal/ops/event", "internal/ops/corpus", "internal/ops/dist", "internal/ops/exchange", "internal/ops/filelock",
		"internal/ops/job", "internal/ops/proc", "internal/hook", "internal/rng"},
	"internal/hook":        {},
	"cmd":                  {"cmd", "internal/source", "internal/ops", "internal/site"},
	"examples":             {".", "examples"}, // users of the library, so only what users see
	"internal/rng":         {},
	"internal/site":        {},
	"internal/value":       {"internal/value", "internal/rng"},
	"internal/search":      {"internal/search", "internal/value", "internal/rng", "internal/hook"},
	"internal/source":      {"internal/source", "internal/site"},
	"internal/ops":         {"internal/ops", "internal/site"},
	"internal/testkit":     {"internal/testkit"},
	"internal/testkit/zoo": {"internal/value"}, // types with their declarations
	"internal/tidy":        {},
}

// openToTests is the folder that every test file may import from, and nothing else may.
const openToTests = "internal/testkit"

// importsNothing is linked into every instrumented program, under packages as
// low as the standard library allows: any import could become a cycle there.
const importsNothing = "internal/hook"

func imports(tree *Tree) []string {
	var problems []string
	for _, f := range tree.Files {
		if f.Nested {
			continue // a module of its own may import what its go.mod allows
		}
		row, known := rowOf(f.Dir)
		if !known {
			problems = append(problems, fmt.Sprintf("%s: folder %s is not in the layout", f.Path, f.Dir))
			continue
		}
		for _, spec := range f.AST.Imports {
			target, _ := strconv.Unquote(spec.Path.Value) // the parser checked it
			if !allowed(f, row, target) {
				problems = append(problems, fmt.Sprintf("%s: may not import %s", f.Path, target))
			}
		}
	}
	return problems
}

// rowOf finds the table's folder that holds dir.
func rowOf(dir string) (row string, known bool) {
	for row = dir; ; row = path.Dir(row) {
		if _, known = mayImport[row]; known && (row != "." || dir == ".") {
			return row, true
		}
		if row == "." {
			return "", false
		}
	}
}

func allowed(f *File, row, target string) bool {
	dir, ours := ourDir(target)
	if !ours {
		return f.Test || row != importsNothing
	}
	if f.Test && (dir == f.Dir || holds(openToTests, dir)) {
		return true
	}
	return slices.ContainsFunc(mayImport[row], func(folder string) bool { return holds(folder, dir) })
}

func holds(folder, dir string) bool {
	return dir == folder || strings.HasPrefix(dir, folder+"/")
}

// ourDir turns an import path of this repository into its folder.
func ourDir(target string) (dir string, ours bool) {
	if target == modulePath {
		return ".", true
	}
	return strings.CutPrefix(target, modulePath+"/")
}
