//go:build go1.25

package codec

import (
	"fmt"
	"go/ast"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Printed code uses the names by which the source imports packages. If it does not show one, a package
// has its own name, unless another one has it too, or the name is only a version, as in corev1 "k8s.io/api/core/v1".

// need records an import, and returns the name of the package in the text. The text is unnameable if the
// package cannot be imported. The package that the text is for needs no import.
func (p *printer) need(path, name string) string {
	if path == p.style.Pkg {
		return ""
	}
	if alias, ok := p.imports[path]; ok {
		return alias
	}
	if alias := p.sourceName(path, name); path == library && (alias == "" || alias == name) {
		return name // the printed test calls it, so its file imports it
	}
	p.unnameable = p.unnameable || !importable(path, p.style.Pkg)
	if p.style.Case { // a case has no imports, and is read without them
		p.imports[path] = name
		return name
	}
	alias := p.sourceName(path, name)
	if alias == "" || p.taken(alias) {
		if alias = name; isVersionName.MatchString(name) || p.taken(name) {
			alias = distinct(path, name)
		}
	}
	for n := 2; p.taken(alias); n++ {
		alias = distinct(path, name) + strconv.Itoa(n)
	}
	p.imports[path] = alias
	if alias != name {
		p.aliases[path] = true
	}
	return alias
}

var isVersionName = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

const library = "github.com/allele-go/allele"

// taken reports whether a name in the text means another package, or one that every test imports.
func (p *printer) taken(name string) bool {
	if name == "testing" || name == "allele" {
		return true
	}
	for _, other := range p.imports {
		if other == name {
			return true
		}
	}
	return false
}

// distinct returns a name for a package that consists of its own and that of the folder around it.
func distinct(full, name string) string {
	parent := lastElem(path.Dir(full))
	return strings.ReplaceAll(parent, "_", "") + name
}

// specs returns the imports of the text as they are written in an import declaration.
func (p *printer) specs() (specs []string) {
	for _, path := range slices.Sorted(maps.Keys(p.imports)) {
		spec := fmt.Sprintf("%q", path)
		if p.aliases[path] {
			spec = p.imports[path] + " " + spec
		}
		specs = append(specs, spec)
	}
	return specs
}

// importDecls records the names by which a file imports packages. Those of tests count more.
func (p *PackageConsts) importDecls(f *ast.File, test bool) {
	external := strings.HasSuffix(f.Name.Name, "_test")
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := ""
		if spec.Name != nil {
			name = spec.Name.Name
		}
		key := importKey{path, external}
		if old, ok := p.imports[key]; name != "_" && name != "." && (!ok || test && !old.test) {
			p.imports[key] = importedAs{name, test}
		}
	}
}

type importKey struct {
	path     string
	external bool // in files of an external test
}

type importedAs struct {
	name string // "" if it is the name of the package
	test bool
}

// importName returns the name by which the source imports a package, which is "" if it is that of the package.
func (p *PackageConsts) importName(path string, external bool) (name string, ok bool) {
	p.load()
	n, ok := p.imports[importKey{path, external}]
	return n.name, ok
}

// sourceName returns the name of a package in the source, or "" if the source does not import it.
func (p *printer) sourceName(path, name string) string {
	names, ok := p.style.Consts.(errorNames)
	if !ok {
		return ""
	}
	alias, ok := names.importName(path, strings.HasSuffix(p.style.Pkg, "_test"))
	if ok && alias == "" {
		return name
	}
	return alias
}
