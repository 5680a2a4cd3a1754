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
	".": {"internal/property", "internal/finding", "internal/worker", "internal/value", "internal/search",
		"internal/ops/job", "internal/hook"},
	"cmd":             {"cmd", "internal/source", "internal/ops", "internal/site"},
	"examples":        {".", "examples"}, // users of the library, so only what users see
	"internal/rng":    {},
	"internal/site":   {},
	"internal/hook":   {},
	"internal/stack":  {},
	"internal/value":  {"internal/value", "internal/rng"},
	"internal/search": {"internal/search", "internal/value", "internal/rng", "internal/hook", "internal/stack"},
	"internal/source": {"internal/source", "internal/site"},
	"internal/ops":    {"internal/ops", "internal/site"},
	"internal/property": {"internal/value", "internal/search", "internal/hook", "internal/stack",
		"internal/ops/job", "internal/ops/event", "internal/ops/proc", "internal/ops/words"},
	"internal/isolated": with(inTests, "internal/property", "internal/value", "internal/search", "internal/hook"),
	"internal/finding":  with(inTests, "internal/property", "internal/isolated", "internal/value", "internal/search", "internal/stack"),
	"internal/verdict":  with(inTests, "internal/property", "internal/search"),
	"internal/worker": with(inTests, "internal/property", "internal/isolated", "internal/finding", "internal/verdict",
		"internal/value", "internal/search", "internal/hook", "internal/rng"),
	"internal/testkit":     {"internal/testkit"},
	"internal/testkit/zoo": {"internal/value"}, // types with their declarations
	"internal/tidy":        {},
}

// inTests is what of ops is linked into the test binaries of users.
var inTests = []string{
	"internal/ops/child", "internal/ops/claims", "internal/ops/corpus", "internal/ops/dist", "internal/ops/event",
	"internal/ops/exchange", "internal/ops/job", "internal/ops/proc", "internal/ops/words",
}

func with(some []string, more ...string) []string { return slices.Concat(some, more) }

// testsMay says what tests of a folder may import beyond that. A process that serves
// is a test binary with a Check in it, and what a Check does for the command is seen
// through a Check.
var testsMay = map[string][]string{
	".":               with(inTests, "internal/isolated"),
	"internal/worker": {"."},
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
	if f.Test && (dir == f.Dir || holds(openToTests, dir) || mayHold(testsMay[row], dir)) {
		return true
	}
	return mayHold(mayImport[row], dir)
}

func mayHold(folders []string, dir string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool { return holds(folder, dir) })
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
