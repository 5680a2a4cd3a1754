//go:build go1.25

package change

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// unit is a top-level declaration of a file. Changes are reported per unit.
type unit struct {
	key     string // unique in the program: "example.com/tree (*Tree).Insert"
	name    string // the name without package and receiver: Insert
	of      string // the receiver's type, if the unit is a method
	kind    kind
	sum     string // checksum of the unit's tokens: comments and layout do not count
	file    string
	from    spot
	rest    rest
	mention map[string]bool // identifiers in the unit
	test    bool            // the unit is in a test file
	short   bool            // the unit is a function that may run without reaching any site
	more    detail
}

// rest is where a unit goes on.
type rest struct{ body, to spot } // body is where a function's probe would be

// detail is what Influence knows of a unit beyond that.
type detail struct {
	names []string        // what a const, var or type declares
	parts map[string]bool // identifiers in the declaration of a type
	plain bool            // constants, or a variable whose initialiser calls nothing
	head  string          // checksum of the signature of a function
	raw   string          // checksum of the text, with comments
	runs  bool            // it mentions os/exec

	vars    []string // what a var declares
	solid   bool     // and only an assignment changes
	handles handling
}

// kind determines which properties a change affects.
type kind uint8

const (
	function    kind = iota // a change affects properties that reach the function
	declaration             // a change affects every property whose program contains the declaration
)

// spot is a position in a file.
type spot struct{ line, col int }

func (s spot) before(t spot) bool { return s.line < t.line || s.line == t.line && s.col < t.col }

// title returns the name of a unit for messages.
func (u *unit) title() string {
	_, title, _ := strings.Cut(u.key, " ")
	return title
}

// file is a source file, split into units.
type file struct {
	name     string
	test     bool
	external bool   // the file belongs to external tests, package p_test
	embeds   bool   // the file embeds other files
	limits   string // build constraints
	dots     bool   // a dot import
	imports  []string
	units    []*unit
}

// parse splits a file of the package with path pkg into units.
func parse(pkg, name string, src []byte) (*file, error) {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := &file{name: name, test: strings.HasSuffix(name, "_test.go")}
	f.external = f.test && strings.HasSuffix(syntax.Name.Name, "_test")
	if f.external {
		pkg += "!external" // not "_test", because another package's folder may be called p_test
	}
	p := &unitParser{fset: fset, file: f, syntax: syntax, src: src, pkg: pkg, linked: map[string]bool{}, paths: map[string]string{}}
	p.directives()
	for _, d := range syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			p.function(d)
		case *ast.GenDecl:
			p.declarations(d)
		}
	}
	p.unnamed()
	return f, nil
}

type unitParser struct {
	fset   *token.FileSet
	file   *file
	syntax *ast.File
	src    []byte
	pkg    string
	text   []byte            // tokens of the current unit
	linked map[string]bool   // functions in directives such as go:linkname
	paths  map[string]string // name of an import -> its path
}

func (p *unitParser) spot(at token.Pos) spot {
	where := p.fset.PositionFor(at, false) // false ignores line directives, as in the positions of sites
	return spot{where.Line, where.Column}
}

// add adds a unit for the syntax node n to the file.
func (p *unitParser) add(k kind, title string, n ast.Node) *unit {
	u := &unit{key: p.pkg + " " + title, kind: k, file: p.file.name, from: p.spot(n.Pos()), rest: rest{to: p.spot(n.End())},
		test: p.file.test, mention: map[string]bool{}}
	p.text = tokens(p.text[:0], p.src[p.offset(n.Pos()):p.offset(n.End())], u.mention)
	for _, name := range slices.Sorted(maps.Keys(p.paths)) {
		if u.mention[name] { // an import affects only units that use it
			p.text = fmt.Appendf(p.text, "%s=%q", name, p.paths[name])
			u.more.runs = u.more.runs || p.paths[name] == "os/exec"
		}
	}
	u.sum = digest(p.text)
	u.more.raw, u.more.handles = digest(p.src[p.offset(n.Pos()):p.offset(n.End())]), handles(n)
	p.file.units = append(p.file.units, u)
	return u
}

// digest returns a short checksum. It need not resist attacks.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

func (p *unitParser) offset(at token.Pos) int { return p.fset.PositionFor(at, false).Offset }

// directive matches comments that have a meaning to the compiler or to a program.
// Their position in a file matters little, so they form one unit per file. Build
// constraints are not included: they decide whether the file is built at all.
var directive = regexp.MustCompile(`^//(go:(embed|linkname|debug|wasmimport|wasmexport|cgo_[a-z_]+)|export) +(\S+)`)

// directives adds a unit for the directives of a file, if there are any.
func (p *unitParser) directives() {
	var text []byte
	for _, group := range p.syntax.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:build ") && c.Pos() < p.syntax.Package {
				p.file.limits += c.Text + "\n"
			}
			m := directive.FindStringSubmatch(c.Text)
			if m == nil {
				continue
			}
			text = fmt.Appendln(text, strings.TrimSpace(c.Text))
			p.file.embeds = p.file.embeds || m[2] == "embed"
			p.linked[m[3]] = m[2] != "embed"
		}
	}
	if len(p.linked) > 0 {
		u := p.add(declaration, "directives of "+filepath.Base(p.file.name), p.syntax.Name)
		u.sum = digest(text)
	}
}

// function adds a unit for a function. A function that may run without being called by
// name, such as init, counts as a declaration.
func (p *unitParser) function(d *ast.FuncDecl) {
	of := receiver(d)
	k, title := function, d.Name.Name
	switch {
	case of != "":
		title = "(" + of + ")." + title
	case title == "init", title == "_":
		k, title = declaration, p.numbered("func "+title)
	case title == "TestMain" && p.file.test:
		k = declaration
	}
	if d.Body == nil || p.linked[title] {
		k = declaration // its callers or its body may be outside this source
	}
	u := p.add(k, title, d)
	u.name, u.of = d.Name.Name, strings.TrimPrefix(of, "*")
	if d.Body != nil {
		u.rest.body = p.spot(d.Body.Lbrace)
		u.more.head = p.signature(d)
	}
}

// signature returns a checksum of what is before the body of a function.
func (p *unitParser) signature(d *ast.FuncDecl) string {
	names := map[string]bool{}
	text := tokens(nil, p.src[p.offset(d.Pos()):p.offset(d.Body.Lbrace)], names)
	for _, name := range slices.Sorted(maps.Keys(p.paths)) {
		if names[name] {
			text = fmt.Appendf(text, "%s=%q", name, p.paths[name])
		}
	}
	return digest(text)
}

// receiver returns the type of a method's receiver, with a star for a pointer.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	star := ""
	for t := d.Recv.List[0].Type; ; {
		switch x := t.(type) {
		case *ast.StarExpr:
			t, star = x.X, "*"
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return star + x.Name
		default:
			return "?"
		}
	}
}

// declarations adds constants, variables, types and imports, each as one unit.
// Constants in the same parentheses are one unit, because a constant without an
// expression repeats the expression above it.
func (p *unitParser) declarations(d *ast.GenDecl) {
	if d.Tok == token.CONST {
		u := p.add(declaration, p.numbered("const "+specName(d.Specs)), d)
		u.more.names, u.more.plain = declared(d.Specs), true
		return
	}
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.ImportSpec:
			p.imports(d, s)
		default:
			u := p.add(declaration, p.numbered(d.Tok.String()+" "+specName([]ast.Spec{s})), s)
			u.more.names, u.more.plain = declared([]ast.Spec{s}), plainVariable(s)
			if d.Tok == token.VAR {
				u.more.vars, u.more.solid = u.more.names, solid(s)
			}
			if d.Tok == token.TYPE {
				u.more.parts, u.mention = u.mention, nil // a type calls nothing: an interface only names methods
			}
		}
	}
}

// specName returns the first declared name that is not blank.
func specName(specs []ast.Spec) string {
	for _, spec := range specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			return s.Name.Name
		case *ast.ValueSpec:
			for _, n := range s.Names {
				if n.Name != "_" {
					return n.Name
				}
			}
		}
	}
	return "_"
}

// numbered adds the file's name and a number to a title that may occur several times.
func (p *unitParser) numbered(title string) string {
	if !strings.HasSuffix(title, " _") && title != "func init" {
		return title
	}
	title += " in " + filepath.Base(p.file.name)
	n := 1
	for _, u := range p.file.units {
		if strings.HasPrefix(u.title(), title) {
			n++
		}
	}
	return fmt.Sprintf("%s %d", title, n)
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// imports records the path of an import. If the path changes, only units that use the
// import's name are affected. A blank or dot import affects everything, so it is a
// unit. So is import "C", because the comment above it is C code.
func (p *unitParser) imports(d *ast.GenDecl, s *ast.ImportSpec) {
	target := strings.Trim(s.Path.Value, "`\"")
	name := path.Base(target)
	if majorVersion.MatchString(name) {
		name = path.Base(path.Dir(target))
	}
	if s.Name != nil {
		name = s.Name.Name
	}
	switch {
	case name == "_" || name == ".":
		p.file.dots = p.file.dots || name == "."
		p.add(declaration, "import "+target+" in "+filepath.Base(p.file.name), s)
	case target == "C":
		u := p.add(declaration, "import C in "+filepath.Base(p.file.name), s)
		u.sum = digest([]byte(d.Doc.Text() + s.Doc.Text()))
	default:
		p.paths[name] = target
	}
	p.file.imports = append(p.file.imports, target)
}

// unnamed makes an import affect all units of the file if none mentions its name: then the package is not called like its folder,
// as no package of the standard library is.
func (p *unitParser) unnamed() {
	for _, name := range slices.Sorted(maps.Keys(p.paths)) {
		named := func(u *unit) bool { return u.mention[name] || u.more.parts[name] }
		if isStandard(p.paths[name]) || slices.ContainsFunc(p.file.units, named) {
			continue
		}
		for _, u := range p.file.units {
			u.sum = digest(fmt.Appendf(nil, "%s %q", u.sum, p.paths[name]))
		}
	}
}

// isStandard reports whether an import path is one of the standard library.
func isStandard(target string) bool {
	info, err := os.Stat(filepath.Join(build.Default.GOROOT, "src", filepath.FromSlash(target)))
	return err == nil && info.IsDir()
}

// tokens returns the slice to with the tokens of src appended, and adds the identifiers
// in src to names. It skips a comma or semicolon before a closing bracket, which
// depends on the layout only.
func tokens(to, src []byte, names map[string]bool) []byte {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", fset.Base(), len(src)), src, nil, 0)
	var pending []byte
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return to
		}
		if tok == token.SEMICOLON || tok == token.COMMA {
			pending = append(pending, byte(tok))
			continue
		}
		if tok != token.RBRACE && tok != token.RPAREN && tok != token.RBRACK {
			to = append(to, pending...)
		}
		pending = pending[:0]
		to = append(to, byte(tok))
		if tok.IsLiteral() {
			to = binary.AppendUvarint(to, uint64(len(lit)))
			to = append(to, lit...)
		}
		if tok == token.IDENT {
			names[lit] = true
		}
	}
}
