package change

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// unit is a declaration at the top of a file, which is what changes are told of.
type unit struct {
	key     string // no other in the program has it: "example.com/tree (*Tree).Insert"
	name    string // by which source mentions it: Insert
	of      string // the type it is a method of
	kind    kind
	sum     string // of its tokens: comments and layout do not count
	file    string
	from    spot
	body    spot // where the probe of a function would be
	to      spot
	mention map[string]bool // identifiers in it
	test    bool            // in a test file
	short   bool            // a function that may be run without reaching any site
}

// kind says who may notice a change.
type kind uint8

const (
	function    kind = iota // those who reach it
	declaration             // everybody whose program it is in
)

// spot is a place in a file.
type spot struct{ line, col int }

func (s spot) before(t spot) bool { return s.line < t.line || s.line == t.line && s.col < t.col }

// title is what people call it.
func (u *unit) title() string {
	_, title, _ := strings.Cut(u.key, " ")
	return title
}

// file is a source file as its units.
type file struct {
	name     string
	test     bool
	external bool // of a package p_test
	embeds   bool // other files are part of it
	units    []*unit
}

// parse takes a file of the package with this path apart.
func parse(pkg, name string, src []byte) (*file, error) {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := &file{name: name, test: strings.HasSuffix(name, "_test.go")}
	f.external = f.test && strings.HasSuffix(syntax.Name.Name, "_test")
	if f.external {
		pkg += "!external" // a folder may be called p_test
	}
	p := &unitParser{fset: fset, file: f, syntax: syntax, src: src, pkg: pkg, linked: map[string]bool{}, stands: map[string]string{}}
	p.directives()
	for _, d := range syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			p.function(d)
		case *ast.GenDecl:
			p.declarations(d)
		}
	}
	return f, nil
}

type unitParser struct {
	fset   *token.FileSet
	file   *file
	syntax *ast.File
	src    []byte
	pkg    string
	text   []byte            // of the unit under way
	linked map[string]bool   // functions that others call by a directive
	stands map[string]string // names of imports -> what they stand for
}

func (p *unitParser) spot(at token.Pos) spot {
	where := p.fset.PositionFor(at, false) // as sites are told
	return spot{where.Line, where.Column}
}

// add makes a unit of a node.
func (p *unitParser) add(k kind, title string, n ast.Node) *unit {
	u := &unit{key: p.pkg + " " + title, kind: k, file: p.file.name, from: p.spot(n.Pos()), to: p.spot(n.End()),
		test: p.file.test, mention: map[string]bool{}}
	p.text = tokens(p.text[:0], p.src[p.offset(n.Pos()):p.offset(n.End())], u.mention)
	for _, name := range slices.Sorted(maps.Keys(p.stands)) {
		if u.mention[name] { // an import matters to who uses it
			p.text = fmt.Appendf(p.text, "%s=%q", name, p.stands[name])
		}
	}
	u.sum = digest(p.text)
	p.file.units = append(p.file.units, u)
	return u
}

// digest is short, as nobody is out to deceive.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

func (p *unitParser) offset(at token.Pos) int { return p.fset.PositionFor(at, false).Offset }

// meant are comments that mean something to the compiler or to a program. Where
// they stand in a file matters little, so the file as a whole changes with them.
// Constraints are not among them: they say whether there is a file.
var meant = regexp.MustCompile(`^//(go:(embed|linkname|debug|wasmimport|wasmexport|cgo_[a-z_]+)|export) +(\S+)`)

// directives adds the comments of a file that mean something, if there are any.
func (p *unitParser) directives() {
	var text []byte
	for _, group := range p.syntax.Comments {
		for _, c := range group.List {
			m := meant.FindStringSubmatch(c.Text)
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

// function adds a function. Some are run without being called by anything that
// names them.
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
		k = declaration // somebody else has the other half
	}
	u := p.add(k, title, d)
	u.name, u.of = d.Name.Name, strings.TrimPrefix(of, "*")
	if d.Body != nil {
		u.body = p.spot(d.Body.Lbrace)
	}
}

// receiver is the type that a method is of, with a star if it takes a pointer.
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

// declarations adds constants, variables, types and imports: each by itself, but
// constants in parentheses together, as a line there may repeat the one before.
func (p *unitParser) declarations(d *ast.GenDecl) {
	if d.Tok == token.CONST {
		p.add(declaration, p.numbered("const "+specName(d.Specs)), d)
		return
	}
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.ImportSpec:
			p.imports(d, s)
		default:
			u := p.add(declaration, p.numbered(d.Tok.String()+" "+specName([]ast.Spec{s})), s)
			if d.Tok == token.TYPE {
				u.mention = nil // it calls nothing: an interface only names methods
			}
		}
	}
}

// specName is the first name that is one.
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

// numbered tells apart what may be there several times.
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

// imports notes what the name of an import stands for, which matters to who uses it.
// What is imported for its effect, or without a name, matters to all; and the comment
// above import "C" is code.
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
		p.add(declaration, "import "+target+" in "+filepath.Base(p.file.name), s)
	case target == "C":
		u := p.add(declaration, "import C in "+filepath.Base(p.file.name), s)
		u.sum = digest([]byte(d.Doc.Text() + s.Doc.Text()))
	default:
		p.stands[name] = target
	}
}

// tokens appends what the compiler reads of a piece of source, and notes its names.
// A comma or semicolon that only the layout asks for is left out.
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
