//go:build go1.25

package tidy

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// mayImport lists which packages of this repository each of its folders may import. A
// folder stands for everything below it, except "." and "internal", which are one package each. All
// other imports within this repository are forbidden, and a package that is in no folder of
// this table is a problem.
//
// These imports are the architecture: code about inputs (value) does not depend on how
// they are chosen (search), neither depends on processes or files (ops), and nothing that
// runs in a user's test binary links the build-time half (source).
var mayImport = map[string][]string{
	".": {"internal/property", "internal/suite", "internal/finding", "internal/worker", "internal/value", "internal/search",
		"internal/ops/job", "internal/hook", "internal/outside"},
	"cmd":             {"cmd", "program", "internal/source", "internal/ops", "internal/site"},
	"program":         {"internal/hook", "internal/outside"},
	"examples":        {".", "examples"}, // users of the library, so only the public package
	"internal/rng":    {},
	"internal/site":   {},
	"internal/hook":   {},
	"internal/stack":  {},
	"internal/suite":  {"internal/hook"}, // also compiled into modules of users, together with hook
	"internal/probed": {"internal/hook"}, // compiled into programs of users, together with hook
	"internal/value":  {"internal/value", "internal/rng"},
	"internal/search": {"internal/search", "internal/value", "internal/rng", "internal/hook", "internal/outside", "internal/stack"},
	"internal":        {}, // sources that package build adds to programs
	"internal/source": {"internal/source", "internal/site", "internal", "internal/value/schema"},
	"internal/ops":    {"internal/ops", "internal/site"},
	"internal/property": {"internal/value", "internal/search", "internal/hook", "internal/outside", "internal/stack",
		"internal/ops/job", "internal/ops/event", "internal/ops/gofuzz", "internal/ops/proc", "internal/ops/words",
		"internal/ops/casefile", "internal/ops/strays"},
	"internal/outside":  {"internal/hook"},
	"internal/oracle":   {"internal/property", "internal/search/engine", "internal/ops/fate"},
	"internal/isolated": with(inTests, "internal/property", "internal/value", "internal/search", "internal/hook"),
	"internal/finding":  with(inTests, "internal/property", "internal/isolated", "internal/value", "internal/search", "internal/stack"),
	"internal/verdict":  with(inTests, "internal/property", "internal/search"),
	"internal/worker": with(inTests, "internal/property", "internal/isolated", "internal/finding", "internal/verdict",
		"internal/oracle", "internal/ops/fate", "internal/value", "internal/search", "internal/hook", "internal/outside", "internal/rng"),
	"internal/testkit":     {"internal/testkit"},
	"internal/testkit/zoo": {"internal/value"}, // types with their declarations
	"internal/tidy":        {},
}

// inTests lists the packages of ops that are linked into the test binaries of users.
var inTests = []string{
	"internal/ops/child", "internal/ops/claims", "internal/ops/corpus", "internal/ops/dict", "internal/ops/dist", "internal/ops/event",
	"internal/ops/exchange", "internal/ops/job", "internal/ops/proc", "internal/ops/words",
}

func with(some []string, more ...string) []string { return slices.Concat(some, more) }

// testsMay lists what the tests of a folder may import in addition. The tests of worker
// need a Check: a process that serves requests is a test binary with a Check in it. The
// tests of the root package run jobs of the command and read their results, and test the
// packages below value with properties.
var testsMay = map[string][]string{
	".":               with(inTests, "internal/isolated", "internal/rng"),
	"internal/worker": {"."},
	// judge and suite have the same types, which a test compares.
	"internal/ops":    {"internal/suite"},
	"internal/oracle": {"internal/ops/proc"},
}

// openToTests is the folder that every test file may import from. Other files may not.
const openToTests = "internal/testkit"

// importsNothing is the package that all instrumented packages import. These may include
// packages of the standard library, so whatever this package imported could form a cycle.
const importsNothing = "internal/hook"

func imports(tree *Tree) []string {
	var problems []string
	for _, f := range tree.Files {
		if f.Nested {
			continue // a module of its own may import what its go.mod allows
		}
		row, known := rowOf(f.Dir)
		if !known {
			problems = append(problems, fmt.Sprintf("%s: folder %s is not in the table mayImport", f.Path, f.Dir))
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

// rowOf finds the folder of mayImport that contains dir.
func rowOf(dir string) (row string, known bool) {
	for row = dir; ; row = path.Dir(row) {
		if _, known = mayImport[row]; known && (row != "." && row != "internal" || dir == row) {
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
