//go:build go1.25

package fault

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/load"
)

// TestAccepted makes the faults of packages of the standard library in their source. The compiler and go vet, as go test runs
// it, must accept each changed package: nobody could write the others. In the folder ALLELE_MODULE it does so with the packages
// that match ALLELE_PATTERN. ALLELE_VET is how many changed versions of each package go vet looks at; 0 means all.
func TestAccepted(t *testing.T) {
	dir, patterns, scope, vets := ".", []string{"net/url", "go/scanner", "text/template/parse"}, []string(nil), 1
	scope = patterns
	if m := os.Getenv("ALLELE_MODULE"); m != "" {
		dir, patterns, scope = m, strings.Fields(cmp.Or(os.Getenv("ALLELE_PATTERN"), "./...")), nil
	}
	if n, err := strconv.Atoi(os.Getenv("ALLELE_VET")); err == nil {
		vets = n
	}
	prog, err := load.Packages(load.Config{Dir: dir, Patterns: patterns, Scope: scope, All: true})
	if err != nil {
		t.Fatal(err)
	}
	all, declined, unlikely, rejected := 0, map[string]int{}, map[string]int{}, map[string]int{}
	for _, pkg := range prog.Scope {
		if pkg.External || pkg.Declined != nil {
			continue
		}
		r := Rewrite(prog.Fset, pkg, Options{})
		all += len(r.Faults)
		for why, n := range r.Declined {
			declined[why] += n
		}
		c := &rounds{t: t, prog: prog, pkg: pkg, dir: dir, faults: r.Faults, rejected: map[int]string{}}
		c.compile()
		c.vet(vets)
		for i, why := range c.rejected {
			rejected[class(why)]++
			f := r.Faults[i]
			t.Errorf("%s:%d:%d: %s %s → %s: %s", f.File, f.Line, f.Col, f.Operator, f.From, f.To, why)
		}
		for _, f := range r.Faults {
			if why := f.Edit.Unlikely; why != "" {
				unlikely[why]++
				if testing.Verbose() {
					t.Logf("unlikely: %s\t%s:%d:%d\t%s → %s", why, f.File, f.Line, f.Col, f.From, f.To)
				}
			}
		}
	}
	t.Logf("%d faults; rejected %d %v; declined %d %v; unlikely %d %v", all, sum(rejected), rejected, sum(declined), declined,
		sum(unlikely), unlikely)
}

// class returns the kind of a message of the compiler or of go vet.
func class(message string) string {
	for _, kind := range []string{"declared and not used", "imported and not used", "overflows", "out of range", "out of bounds", "division by zero",
		"must not be negative", "negative shift count", "length and capacity swapped", "invalid slice indices", "redundant", "suspect",
		"no formatting directives", "duplicate", "truncated", "cannot use", "mismatched types", "missing return"} {
		if strings.Contains(message, kind) {
			return kind
		}
	}
	return message
}

// rounds makes the faults of a package in its source, many at a time: in each round, one in each declaration.
type rounds struct {
	t        *testing.T
	prog     *load.Program
	pkg      *load.Package
	dir      string
	faults   []site.Fault
	rejected map[int]string // fault -> message
}

// each calls visit with the faults of each round, by file and number of the declaration.
func (c *rounds) each(visit func(round int, faults map[string]map[int]int)) {
	by := map[[2]int][]int{}
	for i, f := range c.faults {
		if c.rejected[i] != "" {
			continue
		}
		at := slices.IndexFunc(c.pkg.Files, func(x *load.File) bool { return x.Path == f.File })
		file := c.pkg.Files[at]
		decl := c.decl(file.AST, f.Edit.Offset)
		by[[2]int{at, decl}] = append(by[[2]int{at, decl}], i)
	}
	for round := 0; len(by) > 0; round++ {
		faults := map[string]map[int]int{}
		for key, list := range by {
			file := c.pkg.Files[key[0]].Path
			if faults[file] == nil {
				faults[file] = map[int]int{}
			}
			faults[file][key[1]] = list[0]
			if by[key] = list[1:]; len(list) == 1 {
				delete(by, key)
			}
		}
		visit(round, faults)
	}
}

func (c *rounds) decl(file *ast.File, offset int) int {
	pos := c.prog.Fset.File(file.FileStart).Pos(offset)
	return slices.IndexFunc(file.Decls, func(d ast.Decl) bool { return d.Pos() <= pos && pos <= d.End() })
}

// changed returns the source of a file with some faults.
func (c *rounds) changed(file string, faults map[int]int) string {
	at := slices.IndexFunc(c.pkg.Files, func(x *load.File) bool { return x.Path == file })
	src := string(c.pkg.Files[at].Src)
	numbers := slices.SortedFunc(maps.Values(faults), func(a, b int) int { return c.faults[b].Edit.Offset - c.faults[a].Edit.Offset })
	for _, n := range numbers {
		var ok bool
		if src, ok = c.faults[n].Edit.Apply(src); !ok {
			c.t.Fatalf("%+v does not fit the source", c.faults[n])
		}
	}
	return src
}

// compile type-checks each changed package.
func (c *rounds) compile() {
	c.each(func(_ int, faults map[string]map[int]int) {
		for file, decl := range c.check(faults) {
			for d, i := range faults[file] {
				if _, whole := decl[-1]; !whole && decl[d] == "" {
					continue
				}
				alone := c.check(map[string]map[int]int{file: {d: i}})[file]
				for _, why := range alone {
					c.rejected[i] = why
				}
			}
		}
	})
}

// check returns the errors of a changed package, by file and declaration. Those of no function have the number -1.
func (c *rounds) check(faults map[string]map[int]int) map[string]map[int]string {
	errs := map[string]map[int]string{}
	var files []*ast.File
	add := func(err error) {
		e, ok := err.(types.Error)
		if !ok {
			c.t.Fatal(err)
		}
		p := c.prog.Fset.PositionFor(e.Pos, false)
		decl := -1
		for _, f := range files {
			if f.FileStart <= e.Pos && e.Pos <= f.FileEnd {
				decl = slices.IndexFunc(f.Decls, func(d ast.Decl) bool { return d.Pos() <= e.Pos && e.Pos <= d.End() })
				if decl >= 0 {
					if g, ok := f.Decls[decl].(*ast.GenDecl); ok && g.Tok == token.IMPORT {
						decl = -1
					}
				}
			}
		}
		if errs[p.Filename] == nil {
			errs[p.Filename] = map[int]string{}
		}
		errs[p.Filename][decl] = e.Msg
	}
	for _, f := range c.pkg.Files {
		if faults[f.Path] == nil {
			files = append(files, f.AST)
			continue
		}
		src := c.changed(f.Path, faults[f.Path])
		file, err := parser.ParseFile(c.prog.Fset, f.Path, src, parser.SkipObjectResolution)
		if err != nil {
			c.t.Errorf("%v\n%v", err, faults[f.Path])
			file = f.AST
		}
		files = append(files, file)
	}
	conf := types.Config{Importer: imported(c.pkg.Types.Imports()), Error: add, FakeImportC: true}
	conf.Check(c.pkg.Path, c.prog.Fset, files, nil)
	return errs
}

type imported []*types.Package

func (all imported) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	for _, p := range all {
		if p.Path() == path || p.Path() == "vendor/"+path {
			return p, nil
		}
	}
	return nil, fmt.Errorf("no package %s", path)
}

// defaultChecks are those of go vet that go test runs.
var defaultChecks = []string{"atomic", "bool", "buildtags", "directive", "errorsas", "ifaceassert", "nilfunc", "printf", "stringintconv", "tests"}

var vetMessage = regexp.MustCompile(`(?m)^(?:vet: )?(\S+?\.go):(\d+):(\d+): (.*)$`)

// vet runs go vet with some of the changed versions of the package, or all if most is 0.
func (c *rounds) vet(most int) {
	c.each(func(round int, faults map[string]map[int]int) {
		if most > 0 && round >= most {
			return
		}
		for file := range c.check(faults) { // two changes together may leave an import unused
			delete(faults, file)
		}
		c.vetRound(faults)
	})
}

func (c *rounds) vetRound(faults map[string]map[int]int) {
	replace, dir := map[string]string{}, c.t.TempDir()
	for file, some := range faults {
		to := filepath.Join(dir, filepath.Base(file))
		if err := os.WriteFile(to, []byte(c.changed(file, some)), 0o666); err != nil {
			c.t.Fatal(err)
		}
		replace[file] = to
	}
	overlay := filepath.Join(dir, "overlay.json")
	text, _ := json.Marshal(map[string]any{"Replace": replace})
	if err := os.WriteFile(overlay, text, 0o666); err != nil {
		c.t.Fatal(err)
	}
	args := []string{"vet", "-overlay", overlay}
	for _, check := range defaultChecks {
		args = append(args, "-"+check)
	}
	cmd := exec.Command("go", append(args, c.pkg.Path)...)
	cmd.Dir = c.dir
	out, err := cmd.CombinedOutput()
	if err == nil {
		return
	}
	found := 0
	for _, m := range vetMessage.FindAllStringSubmatch(string(out), -1) {
		line, _ := strconv.Atoi(m[2])
		for file, some := range faults {
			if filepath.Base(file) != filepath.Base(m[1]) {
				continue
			}
			src := c.changed(file, some)
			fset := token.NewFileSet()
			parsed, err := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
			if err != nil {
				c.t.Fatal(err)
			}
			for d, i := range some {
				decl := parsed.Decls[d]
				if fset.Position(decl.Pos()).Line <= line && line <= fset.Position(decl.End()).Line {
					c.rejected[i] = "vet: " + m[4]
					found++
				}
			}
		}
	}
	if found == 0 {
		c.t.Errorf("go vet: %v\n%.1000s", err, out)
	}
}
