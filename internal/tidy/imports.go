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
// folder stands for everything below it that has no row of its own, except "." and "internal",
// which are one package each. All
// other imports within this repository are forbidden, and a package that is in no folder of
// this table is a problem.
//
// These imports are the architecture. Each folder of internal is a room, and the rooms are
// listed from the ground up: code about inputs (value) does not depend on how they are chosen
// (search), neither depends on processes (proc) or files (store), what a Check does (check)
// depends on all of these, and nothing that runs in a user's test binary links the build-time
// half (source).
var mayImport = map[string][]string{
	"internal/rng":      {},
	"internal/site":     {},
	"internal/fate":     {},
	"internal/hook":     {},
	"internal/stack":    {},
	"internal/words":    {},
	"internal/filelock": {},
	"internal/probed":   {"internal/hook"}, // compiled into programs of users, together with hook
	"internal/outside":  {"internal/hook"},

	"internal/value":  {"internal/value", "internal/rng"},
	"internal/search": {"internal/search", "internal/value", "internal/rng", "internal/hook", "internal/outside", "internal/stack"},

	"internal/proc":  {"internal/proc", "internal/filelock", "internal/words"},
	"internal/store": {"internal/store", "internal/proc", "internal/filelock"},
	// The command alone uses these two, and they write messages for people.
	"internal/store/corpora":   {"internal/store", "internal/words"},
	"internal/store/fuzzinput": {"internal/store", "internal/words"},

	"internal/campaign": {"internal/campaign", "internal/store", "internal/proc", "internal/filelock", "internal/words"},
	// What a change affects depends on the source that was built, which the rest of the room does not know.
	"internal/campaign/affected": {"internal/campaign", "internal/proc/job", "internal/site", "internal/source", "internal/testbin"},

	"internal/show": {"internal/show", "internal/proc/event", "internal/proc/dist", "internal/words"},

	"internal": {}, // sources that package build adds to programs
	"internal/source": {"internal/source", "internal/proc/scoring", "internal/proc/job", "internal/site", "internal",
		"internal/value/schema"},

	// What builds test binaries, and keeps them in the user's cache. It knows no campaign and no score.
	"internal/testbin": {"internal/testbin", "internal/source", "internal/proc", "internal/store", "internal/site",
		"internal/filelock", "internal/words"},

	"internal/score":        {"internal/score", "internal/proc", "internal/hook", "internal/fate", "internal/site", "internal/words"},
	"internal/proc/scoring": {"internal/fate"},
	"internal/score/suite":  {"internal/hook", "internal/proc/scoring", "internal/fate"}, // also in modules of users
	// What an edit may influence depends on the source.
	"internal/score/ledger": {"internal/score/judge", "internal/proc/scoring", "internal/fate", "internal/site", "internal/source/change"},
	// Who judges faults: this package alone knows how test binaries are built and listed.
	"internal/score/members": {"internal/score", "internal/proc", "internal/fate", "internal/site", "internal/testbin", "internal/source",
		"internal/store"},

	"internal/check":          {}, // its page only
	"internal/check/property": with(belowCheck, "internal/store/gofuzz", "internal/store/casefile", "internal/store/strays"),
	"internal/check/oracle":   {"internal/check/property", "internal/search/engine", "internal/fate"},
	"internal/check/isolated": with(belowCheck, "internal/check/property"),
	"internal/check/finding":  with(belowCheck, "internal/check/property", "internal/check/isolated"),
	"internal/check/verdict":  with(belowCheck, "internal/check/property"),
	"internal/check/plain": with(belowCheck, "internal/check/property", "internal/check/isolated", "internal/check/finding",
		"internal/check/verdict"),
	"internal/check/worker": with(belowCheck, "internal/check", "internal/fate", "internal/store/corpus", "internal/store/dict",
		"internal/rng"),

	".": {"internal/check", "internal/score/suite", "internal/value", "internal/search", "internal/proc/job", "internal/hook",
		"internal/outside"},
	"program":  {"internal/hook", "internal/outside"},
	"examples": {".", "examples"}, // users of the library, so only the public package
	"cmd": {"cmd", "program", "internal/source", "internal/testbin", "internal/score", "internal/campaign", "internal/store",
		"internal/proc", "internal/show", "internal/words", "internal/filelock", "internal/site", "internal/fate"},

	"internal/testkit":     {"internal/testkit"},
	"internal/testkit/zoo": {"internal/value"}, // types with their declarations
	"internal/tidy":        {},
}

// belowCheck lists what all packages of check may import.
var belowCheck = []string{
	"internal/value", "internal/search", "internal/proc", "internal/words", "internal/hook", "internal/outside", "internal/stack",
}

func with(some []string, more ...string) []string { return slices.Concat(some, more) }

// testsMay lists what the tests of a folder may import in addition. The tests of worker
// need a Check: a process that serves requests is a test binary with a Check in it. The
// tests of the root package run jobs of the command and read their results, and test the
// packages below value with properties.
var testsMay = map[string][]string{
	".":                     {"internal/proc", "internal/store", "internal/rng"},
	"internal/check/worker": {"."},
	"internal/check/oracle": {"internal/proc"},
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
