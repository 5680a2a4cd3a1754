package page

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// library is the import path of the package that code uses under the name allele.
const library = "github.com/allele-go/allele"

// importable has the import paths of the packages that code may use without an import, by
// package name.
var importable = func() map[string]string {
	byName := map[string]string{}
	for _, p := range strings.Fields(`bufio bytes cmp context encoding/base64 encoding/binary encoding/hex encoding/json errors fmt io
		iter maps math math/big math/bits math/rand net net/http net/netip net/url os path path/filepath reflect regexp runtime
		slices sort strconv strings sync sync/atomic testing time unicode unicode/utf8 ` + library) {
		byName[path.Base(p)] = p
	}
	return byName
}()

// A Source is Go code in a page: a whole file, or a part of a file.
type Source struct {
	Package string // package name of the file that File returns
	Code    string
	Params  string // parameters of the function that File puts around statements, such as "in []int"
	At      string // position of the code in error messages, such as "page.md:12"
}

var (
	hasPackage = regexp.MustCompile(`(?m)^package \w`)
	declares   = regexp.MustCompile(`(?m)^(func|type|var|const|import)\b`)
	ownT       = regexp.MustCompile(`(^|, *)t `)
	libraryT   = regexp.MustCompile(`(?m)^t\.(Assume|Label)\(`)

	// endOfOption matches the end of an option that has no comma: the closing bracket,
	// blanks, perhaps a comment.
	endOfOption = regexp.MustCompile(`(?m)([)}])([ \t]*(?://[^\n]*)?)\n`)

	// These match "..." where a page leaves out code. In a function body "..." is
	// replaced by a panic, because an empty body would lack its return statement.
	elidedFields = regexp.MustCompile(`((?:\b(?:struct|interface) |\w)\{\s*)\.\.\.(\s*\})`)
	elidedBody   = regexp.MustCompile(`(\{\s*)\.\.\.(\s*\})`)
	elidedLine   = regexp.MustCompile(`(?m)^[ \t]*\.\.\.$`)
)

// File returns the code as a file that compiles. Declarations get a package clause and
// imports. Statements also get a function around them, and options a list.
func (s Source) File() (string, error) {
	if hasPackage.MatchString(s.Code) {
		return s.Code, nil
	}
	code := elidedFields.ReplaceAllString(s.Code, "$1$2")
	code = elidedBody.ReplaceAllString(code, `${1}panic("...")$2`)
	code = elidedLine.ReplaceAllString(code, "")
	line := ""
	if s.At != "" {
		line = "//line " + s.At + "\n"
	}
	text, err := s.complete(line + code)
	if err == nil || declares.MatchString(code) {
		return text, err
	}
	params := s.Params
	if t := "t *testing.T"; !ownT.MatchString(params) {
		if libraryT.MatchString(code) {
			t = "t *allele.T"
		}
		params = strings.TrimSuffix(t+", "+params, ", ")
	}
	if text, err = s.complete("func _(" + params + ") {\n" + line + code + used(code) + "}\n"); err == nil && !literals(code) {
		return text, nil
	}
	list := strings.TrimRight(code, " \t\n,") + ",\n"
	if literals(code) {
		list = endOfOption.ReplaceAllString(list, "$1,$2\n")
	}
	if text, _ := s.complete("var _ = []allele.Option{\n" + line + list + "}\n"); text != "" {
		return text, nil
	}
	return "", err
}

// complete returns declarations with a package clause and imports before them, formatted
// as gofmt does.
func (s Source) complete(code string) (string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+code, 0)
	if err != nil {
		return "", err
	}
	std, ours := map[string]bool{}, ""
	for _, name := range file.Unresolved {
		if p := importable[name.Name]; p == library {
			ours = fmt.Sprintf("\n\t%q\n", library)
		} else if p != "" {
			std[fmt.Sprintf("\t%q\n", p)] = true
		}
	}
	imports := strings.Join(slices.Sorted(maps.Keys(std)), "") + ours
	if imports != "" {
		imports = "import (\n" + strings.TrimPrefix(imports, "\n") + ")\n\n"
	}
	return "package " + s.Package + "\n\n" + imports + code, nil
}

// literals reports whether a statement of the code is a composite literal that nothing
// uses. If so, the code is a list of options, one on each line.
func literals(code string) bool {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p; func _() {\n"+code+"}", 0)
	return err == nil && slices.ContainsFunc(file.Decls[0].(*ast.FuncDecl).Body.List, func(s ast.Stmt) bool {
		x, ok := s.(*ast.ExprStmt)
		if !ok {
			return false
		}
		_, ok = x.X.(*ast.CompositeLit)
		return ok
	})
}

// used returns the statement "_ = v" for every variable v that the code declares. Without
// it, the code would not compile if the page does not use the variable.
func used(code string) string {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p; func _() {\n"+code+"}", 0)
	if err != nil {
		return ""
	}
	var text strings.Builder
	for _, statement := range file.Decls[0].(*ast.FuncDecl).Body.List {
		if s, ok := statement.(*ast.AssignStmt); ok && s.Tok == token.DEFINE {
			for _, left := range s.Lhs {
				fmt.Fprintf(&text, "_ = %s\n", left.(*ast.Ident).Name)
			}
		}
	}
	return strings.ReplaceAll(text.String(), "_ = _\n", "")
}

// Around returns a copy of a file that compiles together with a fragment. In the copy, a
// name that the fragment also declares is replaced by _. It returns "" if the file or the
// fragment does not parse, or if they belong to different packages.
func Around(file, fragment string) string {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, "", file, 0)
	other, err2 := parser.ParseFile(token.NewFileSet(), "", fragment, 0)
	if err != nil || err2 != nil || parsed.Name.Name != other.Name.Name {
		return ""
	}
	text, shown := file, declared(other)
	at := map[int]string{}
	for name, id := range declared(parsed) {
		if shown[name] != nil {
			at[fset.Position(id.Pos()).Offset] = id.Name
		}
	}
	for _, offset := range slices.Backward(slices.Sorted(maps.Keys(at))) {
		text = text[:offset] + "_" + text[offset+len(at[offset]):]
	}
	return text
}

// Replace returns a file in which the declarations of a fragment replace those with the
// same names. Other declarations of the fragment are added at the end.
func Replace(file, fragment string) (string, error) {
	const clause = "package p\n"
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, "", file, parser.ParseComments)
	if err != nil {
		return "", err
	}
	other, err := parser.ParseFile(fset, "", clause+fragment, parser.ParseComments)
	if err != nil {
		return "", err
	}
	type change struct {
		from, to int
		text     string
	}
	span := func(d ast.Decl) (from, to int) {
		pos := d.Pos()
		if f, ok := d.(*ast.FuncDecl); ok && f.Doc != nil {
			pos = f.Doc.Pos()
		} else if g, ok := d.(*ast.GenDecl); ok && g.Doc != nil {
			pos = g.Doc.Pos()
		}
		return fset.Position(pos).Offset, fset.Position(d.End()).Offset
	}
	var changes []change
	for _, d := range other.Decls {
		from, to := span(d)
		c := change{len(file), len(file), "\n" + (clause + fragment)[from:to] + "\n"}
		for _, old := range parsed.Decls {
			if name := declName(d); name != "" && name == declName(old) {
				c.from, c.to = span(old)
				c.text = (clause + fragment)[from:to]
			}
		}
		changes = append(changes, c)
	}
	slices.SortStableFunc(changes, func(a, b change) int { return b.from - a.from })
	for _, c := range changes {
		file = file[:c.from] + c.text + file[c.to:]
	}
	return file, nil
}

// declName returns the name that d declares. If d declares no name or several names, it
// returns "".
func declName(d ast.Decl) string {
	names := slices.Collect(maps.Keys(declared(&ast.File{Decls: []ast.Decl{d}})))
	if len(names) != 1 {
		return ""
	}
	return names[0]
}

// declared returns the names that a file declares. The name of a method is Type.Method.
func declared(file *ast.File) map[string]*ast.Ident {
	names := map[string]*ast.Ident{}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			names[receiver(d)+d.Name.Name] = d.Name
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					names[s.Name.Name] = s.Name
				case *ast.ValueSpec:
					for _, id := range s.Names {
						names[id.Name] = id
					}
				}
			}
		}
	}
	delete(names, "init") // a package may declare init several times
	delete(names, "_")
	return names
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	var name string
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return true
	})
	return name + "."
}
