package schema

import (
	"reflect"
	"runtime/debug"
	"strings"
	"sync"
)

// Own reports whether a type is declared in the module under test. Allele may set
// its unexported fields: the developer who writes the property may break the
// package's own invariants on purpose.
func Own(t reflect.Type) bool {
	return t.PkgPath() == "" || owns(modules(), t.PkgPath())
}

// owns reports whether the longest module path that contains pkg is the main one,
// which comes first. The path of a nested module is longer than that of the
// module around it.
func owns(modules []string, pkg string) bool {
	pkg, _, _ = strings.Cut(pkg, " ") // "p [p.test]", as go list writes it
	if pkg == "main" || strings.HasPrefix(pkg, "command-line-arguments") {
		return true
	}
	best, main := 0, false
	for i, m := range modules {
		inside := pkg == m || pkg == m+"_test" || strings.HasPrefix(pkg, m+"/")
		if inside && len(m) > best {
			best, main = len(m), i == 0
		}
	}
	return main
}

var modules = sync.OnceValue(func() []string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return []string{""}
	}
	paths := []string{info.Main.Path}
	for _, m := range info.Deps {
		paths = append(paths, m.Path)
	}
	return paths
})
