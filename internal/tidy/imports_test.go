//go:build go1.25

package tidy

import (
	"slices"
	"strings"
	"testing"
)

// Each arrow is "importing file->imported folder". forbidden lists the arrows that the
// rule rejects.
func TestImports(t *testing.T) {
	for _, c := range []struct{ name, arrows, forbidden string }{
		{"the root package may use property, worker, search, job and hook",
			"a.go->internal/check/property a.go->internal/check/worker a.go->internal/search/engine a.go->internal/proc/job a.go->internal/hook", ""},
		{"the root package may not use processes, files or sites",
			"a.go->internal/proc a.go->internal/store/corpus a.go->internal/proc/event a.go->internal/source/load a.go->internal/site",
			"a.go->internal/proc a.go->internal/store/corpus a.go->internal/proc/event a.go->internal/source/load a.go->internal/site"},
		{"finding may use property, but not the root package or worker",
			"internal/check/finding/a.go->internal/check/property internal/check/finding/a.go->. internal/check/finding/a.go->internal/check/worker",
			"internal/check/finding/a.go->. internal/check/finding/a.go->internal/check/worker"},
		{"property may use neither finding nor files",
			"internal/check/property/a.go->internal/check/finding internal/check/property/a.go->internal/store/corpus",
			"internal/check/property/a.go->internal/check/finding internal/check/property/a.go->internal/store/corpus"},
		{"worker may not use campaign", "internal/check/worker/a.go->internal/campaign", "internal/check/worker/a.go->internal/campaign"},
		{"tests of worker may use the root package", "internal/check/worker/a_test.go->. internal/check/finding/a_test.go->.", "internal/check/finding/a_test.go->."},
		{"a folder does not match another whose name begins with it",
			"internal/check/property/a.go->internal/proc/event internal/check/property/a.go->internal/procedure", "internal/check/property/a.go->internal/procedure"},
		{"value packages may use rng and each other",
			"internal/value/gen/a.go->internal/rng internal/value/gen/a.go->internal/value/term", ""},
		{"value packages may not use search",
			"internal/value/gen/a.go->internal/search/queue", "internal/value/gen/a.go->internal/search/queue"},
		{"search may use values and the hook, but not files",
			"internal/search/engine/a.go->internal/hook internal/search/engine/a.go->internal/store/corpus",
			"internal/search/engine/a.go->internal/store/corpus"},
		{"source and the rooms of processes share only the site table",
			"internal/source/probe/a.go->internal/site internal/score/judge/a.go->internal/site internal/proc/a.go->internal/source/build",
			"internal/proc/a.go->internal/source/build"},
		{"the command never links the library",
			"cmd/allele/a.go->internal/source/load cmd/allele/a.go->internal/proc cmd/allele/a.go->.", "cmd/allele/a.go->."},
		{"the lowest packages import no others",
			"internal/rng/a.go->internal/value/term internal/site/a.go->internal/rng internal/hook/a.go->internal/rng",
			"internal/rng/a.go->internal/value/term internal/site/a.go->internal/rng internal/hook/a.go->internal/rng"},
		{"examples may use the root package only",
			"examples/bst/a_test.go->. examples/bst/a_test.go->internal/rng", "examples/bst/a_test.go->internal/rng"},
		{"tests may use testkit and their own package, and no others",
			"a_test.go->. a_test.go->internal/testkit a_test.go->internal/testkit/zoo a_test.go->internal/source/load", "a_test.go->internal/source/load"},
		{"code that is not a test may not use testkit",
			"internal/rng/a.go->internal/testkit", "internal/rng/a.go->internal/testkit"},
		{"testkit itself may not use product code",
			"internal/testkit/a.go->internal/value/schema",
			"internal/testkit/a.go->internal/value/schema"},
		{"the zoo may use value packages to declare its types",
			"internal/testkit/zoo/a.go->internal/value/schema internal/testkit/zoo/a.go->internal/search/shrink",
			"internal/testkit/zoo/a.go->internal/search/shrink"},
		{"no package imports tidy",
			"a_test.go->internal/tidy", "a_test.go->internal/tidy"},
		{"nothing imports a nested module",
			"a.go->eval/lab internal/proc/a.go->fleet", "a.go->eval/lab internal/proc/a.go->fleet"},
	} {
		if got := forbiddenArrows(t, c.arrows); got != c.forbidden {
			t.Errorf("%s: forbidden are %q, wanted %q", c.name, got, c.forbidden)
		}
	}
}

// forbiddenArrows checks each arrow in a tree of its own.
func forbiddenArrows(t *testing.T, arrows string) string {
	t.Helper()
	return strings.Join(slices.DeleteFunc(strings.Fields(arrows), func(arrow string) bool {
		file, target, _ := strings.Cut(arrow, "->")
		target = strings.TrimSuffix(modulePath+"/"+target, "/.")
		return len(imports(fake(t, "-- "+file+" --\npackage a\nimport _ \""+target+"\"\n"))) == 0
	}), " ")
}

func TestImportsLayout(t *testing.T) {
	table(t, imports, []row{
		{"the folders are fixed", "-- internal/extra/a.go --\npackage extra\n",
			"internal/extra/a.go: folder internal/extra is not in the table mayImport"},
		{"also at the top", "-- plugin/a.go --\npackage plugin\n",
			"plugin/a.go: folder plugin is not in the table mayImport"},
		{"nested modules are not checked",
			"-- eval/go.mod --\nmodule e\n-- eval/a.go --\npackage e\nimport _ \"" + modulePath + "/internal/tidy\"\n", ""},
		{"the hook imports nothing at all", "-- internal/hook/hook.go --\npackage hook\nimport _ \"unsafe\"\n",
			"internal/hook/hook.go: may not import unsafe"},
		{"tests of the hook may import packages", "-- internal/hook/hook_test.go --\npackage hook\nimport _ \"testing\"\n", ""},
		{"other packages may use the standard library", "-- internal/rng/rng.go --\npackage rng\nimport _ \"math/bits\"\n", ""},
		{"an empty tree is fine", "", ""},
	})
}
