//go:build go1.25

package build

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The operand binary records the values that its code compares. It is the program
// without probes, with two changes. First, the compiler inserts calls beside
// comparisons, as it does for go test -fuzz. Second, the called functions, which are
// empty in the standard library, are replaced by functions that pass both compared
// values to package hook.
//
// Both changes depend on internals of the Go toolchain, so both are checked: the
// functions before we replace them, and the calls when the binary starts. If a check
// fails, there is no operand binary. Then the search has no operands, and nothing else
// changes.

// Operands builds the operand binary of a package.
func (o *Overlay) Operands(pkg, out string) error {
	if o.off != "" {
		return errors.New(o.off)
	}
	return o.one(Recording, pkg, out)
}

// recordFlags returns the flags that make the compiler insert calls.
func (o *Overlay) recordFlags() (flags []string) {
	var seen []string
	for _, d := range o.dirs {
		if !slices.Contains(seen, d.Path) { // a package and its variant for a test have the same path
			seen = append(seen, d.Path)
			flags = append(flags, "-gcflags="+d.Path+"=-d=libfuzzer")
		}
	}
	return flags
}

// Plain builds a test binary without probes for a package. The binary contains the facts
// about the package's types, so that the text of an input means the same value as in the
// instrumented binary.
func (o *Overlay) Plain(pkg, out string) error { return o.one(Unprobed, pkg, out) }

// recordComparisons changes the overlay of the operand binary: functions that record
// comparisons replace empty functions of the standard library. If the functions to
// replace are not as expected, recordComparisons sets o.off instead.
func (o *Overlay) recordComparisons() error {
	out, err := o.config.Load.Go("env", "GOROOT", "GOMODCACHE", "GOVERSION")
	if err != nil {
		return err
	}
	lines := strings.Split(string(out), "\n")
	root, cache, version := strings.TrimSpace(lines[0]), strings.TrimSpace(lines[1]), strings.TrimSpace(lines[2])
	file := filepath.Join(root, "src", "internal", "fuzz", "trace.go")
	if inCache, err := filepath.Rel(cache, file); err == nil && filepath.IsLocal(inCache) {
		o.off = fmt.Sprintf("%s is in the module cache, and allele cannot replace its files there; "+
			"install this version of Go and set GOTOOLCHAIN=local", version)
		return nil
	}
	src, err := os.ReadFile(file)
	if err == nil {
		err = knownHooks(src)
	}
	if err != nil {
		o.off = fmt.Sprintf("this version of allele does not support %s: %v", version, err)
		return nil
	}
	recording := filepath.Join(o.config.Work, "operands", "trace.go")
	o.plain[file] = recording
	return o.write(recording, hooksText())
}

// hooks lists the functions for which the compiler inserts calls, with the type of the
// compared values. The last parameter of each function is a number that identifies the
// place of the comparison.
var hooks = []struct{ name, of string }{
	{"libfuzzerTraceCmp1", "uint8"},
	{"libfuzzerTraceCmp2", "uint16"},
	{"libfuzzerTraceCmp4", "uint32"},
	{"libfuzzerTraceCmp8", "uint64"},
	{"libfuzzerTraceConstCmp1", "uint8"},
	{"libfuzzerTraceConstCmp2", "uint16"},
	{"libfuzzerTraceConstCmp4", "uint32"},
	{"libfuzzerTraceConstCmp8", "uint64"},
	{"libfuzzerHookStrCmp", "string"},
	{"libfuzzerHookEqualFold", "string"},
}

func linkname(hook string) string { return "//go:linkname " + hook + " runtime." + hook }

// knownHooks returns an error unless src, a file of the standard library, contains all
// functions in hooks, with empty bodies, and nothing else.
func knownHooks(src []byte) error {
	f, err := parser.ParseFile(token.NewFileSet(), "trace.go", src, parser.ParseComments)
	if err != nil {
		return err
	}
	want := map[string]bool{"package fuzz": true, "//go:build !libfuzzer": true, `import "unsafe"`: true}
	for _, h := range hooks {
		want[linkname(h.name)] = true
		want[fmt.Sprintf("func %s(%s, %s, uint) {}", h.name, h.of, h.of)] = true
	}
	has := map[string]bool{"package " + f.Name.Name: true}
	for _, group := range f.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:") {
				has[c.Text] = true
			}
		}
	}
	for _, d := range f.Decls {
		has[outline(d)] = true
	}
	for _, set := range []struct {
		of, in map[string]bool
		verb   string
	}{{want, has, "has no"}, {has, want, "has"}} {
		for _, text := range slices.Sorted(maps.Keys(set.of)) {
			if !set.in[text] {
				return fmt.Errorf("internal/fuzz/trace.go %s %s", set.verb, text)
			}
		}
	}
	return nil
}

// outline returns a declaration as text, without the details that knownHooks does not
// compare.
func outline(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.GenDecl:
		if len(d.Specs) == 1 {
			if i, ok := d.Specs[0].(*ast.ImportSpec); ok {
				return "import " + i.Path.Value
			}
		}
	case *ast.FuncDecl:
		var params []string
		for _, p := range d.Type.Params.List {
			for range max(1, len(p.Names)) {
				params = append(params, fmt.Sprint(p.Type))
			}
		}
		if d.Recv == nil && d.Type.Results == nil && d.Type.TypeParams == nil && d.Body != nil && len(d.Body.List) == 0 {
			return fmt.Sprintf("func %s(%s) {}", d.Name.Name, strings.Join(params, ", "))
		}
		return "another " + d.Name.Name
	}
	return "other declarations"
}

// hooksText returns the file with the functions that record comparisons. They call
// functions of package hook through variables, because a package without assembly may
// not declare a function without a body.
func hooksText() []byte {
	var b strings.Builder
	b.WriteString(`// Code generated by allele. DO NOT EDIT.

//go:build !libfuzzer

package fuzz

import _ "unsafe"

//go:linkname alleleNumbers_ HOOK.Numbers
var alleleNumbers_ func(a, b uint64, width uint8, site uint)

//go:linkname alleleTexts_ HOOK.Texts
var alleleTexts_ func(x, y string, site uint)
`)
	for _, h := range hooks {
		listener, args := "alleleNumbers_", "uint64(a), uint64(b), "+h.name[len(h.name)-1:]
		if h.of == "string" {
			listener, args = "alleleTexts_", "a, b"
		}
		fmt.Fprintf(&b, "\n%s\nfunc %s(a, b %s, site uint) {\n\tif %s != nil {\n\t\t%[4]s(%s, site)\n\t}\n}\n",
			linkname(h.name), h.name, h.of, listener, args)
	}
	return []byte(strings.ReplaceAll(b.String(), "HOOK", hookPath))
}

// plainText returns the support file of a package for the operand binary. It contains
// the facts about the package's types, so that schemas are the same as in the
// instrumented binary. It also contains a comparison: when the binary starts, it checks
// that this comparison is recorded.
func plainText(name string, known Facts) []byte {
	return supportFile(name, `
//go:linkname alleleTry_ HOOK.Try
func alleleTry_(f func(int) bool)

func alleleTried_(x int) bool { return x == 1234577 }

func init() { alleleTry_(alleleTried_) }
`, known)
}
