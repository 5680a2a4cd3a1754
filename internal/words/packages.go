//go:build go1.25

package words

import (
	"slices"
	"strings"
)

// PackageName returns the short name of a package: the last element of its import path. A
// major version says nothing alone, so the name contains the element before it too.
func PackageName(path string) string { return lastElements(path, 1) }

// PackageNames returns a short name for each package. Packages with the same last element
// get as many elements as it takes to tell them apart.
func PackageNames(paths []string) map[string]string {
	names := map[string]string{}
	paths = slices.Compact(slices.Sorted(slices.Values(paths)))
	for n := 1; ; n++ {
		shared := map[string]int{}
		for _, p := range paths {
			if names[p] == "" {
				shared[lastElements(p, n)]++
			}
		}
		if len(shared) == 0 {
			return names
		}
		for _, p := range paths {
			if name := lastElements(p, n); names[p] == "" && (shared[name] == 1 || name == p) {
				names[p] = name
			}
		}
	}
}

// lastElements returns the last n elements of a path, not counting a major version at its
// end.
func lastElements(path string, n int) string {
	at := len(path)
	for range n {
		if slash := strings.LastIndexByte(path[:at], '/'); slash >= 0 && major(path[slash+1:]) {
			at = slash
		}
		if at = strings.LastIndexByte(path[:at], '/'); at < 0 {
			return path
		}
	}
	return path[at+1:]
}

// major reports whether the last element of an import path is a major version, such as v2.
func major(element string) bool {
	number, ok := strings.CutPrefix(element, "v")
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}
