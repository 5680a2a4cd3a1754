//go:build go1.25

package schema

import (
	"reflect"
	"runtime/debug"
	"strings"
	"sync"
)

// Own reports whether a type is declared in the module under test. Allele may set
// the unexported fields of such a type, since the developer who writes the property
// may want to break the type's invariants on purpose.
func Own(t reflect.Type) bool {
	return t.PkgPath() == "" || owns(modules(), t.PkgPath())
}

// owns reports whether package pkg belongs to the main module, modules[0]. If
// several module paths are prefixes of pkg, the longest one counts, because it is
// that of a nested module.
func owns(modules []string, pkg string) bool {
	pkg, _, _ = strings.Cut(pkg, " ") // go list writes "p [p.test]"
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
