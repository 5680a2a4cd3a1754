//go:build go1.25

// Package apply makes a fault in the source of a program, in a form that compiles.
//
//	text, err := apply.Edit(file, source, fault.Edit, build)   // command: allele score apply
//
// In the program that judges faults, the original code stays beside the changed one. In the source it
// does not, so a variable or an import may become unused, which the compiler rejects. Edit adds
// a use where the compiler reports one.
package apply

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/site"
)

// unusedMax is how many variables and imports of a changed program may be unused.
const unusedMax = 8

// ErrOther is returned if the edit was made for another source.
var ErrOther = errors.New("the source has changed since its faults were judged")

// Edit returns the source of a file with an edit. build compiles the package with a text as the
// content of the file, and returns what the compiler prints, which is empty if it is satisfied.
func Edit(file, src string, e site.Edit, build func(text string) (string, error)) (string, error) {
	text, ok := e.Apply(src)
	if !ok {
		return "", ErrOther
	}
	text = withoutBlanks(text, e.Offset)
	for range unusedMax {
		out, err := build(text)
		if err != nil || out == "" {
			return text, err
		}
		next, ok := used(filepath.Base(file), text, out)
		if !ok {
			return "", fmt.Errorf("the changed source does not compile:\n%s", strings.TrimSpace(out))
		}
		text = next
	}
	return "", fmt.Errorf("the change leaves more than %d variables unused", unusedMax)
}

// withoutBlanks removes the indentation of a line that is empty otherwise. The line stays, so that the
// others keep their numbers.
func withoutBlanks(text string, at int) string {
	from := strings.LastIndex(text[:at], "\n") + 1
	to := len(text)
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		to = at + i
	}
	if strings.Trim(text[from:to], " \t") == "" {
		return text[:from] + text[to:]
	}
	return text
}

var unused = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):(\d+): ` +
	`(?:declared and not used: (\w+)|(\w+) declared and not used|"\S+" imported (?:as \w+ )?and not used)`)

// used returns the source of a file in which the first variable or import is used that the compiler
// calls unused.
func used(name, text, out string) (string, bool) {
	for _, m := range unused.FindAllStringSubmatch(out, -1) {
		if filepath.Base(m[1]) != name {
			continue
		}
		line, _ := strconv.Atoi(m[2])
		column, _ := strconv.Atoi(m[3])
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, text, parser.ParseComments)
		if err != nil || line > fset.File(file.Pos()).LineCount() {
			return "", false
		}
		pos := fset.File(file.Pos()).LineStart(line) + token.Pos(column-1)
		offset := func(p token.Pos) int { return fset.File(p).Offset(p) }
		variable := m[4] + m[5] // the compiler has other words for a variable of a type switch
		if variable == "" {
			for _, spec := range file.Imports {
				if spec.Pos() == pos {
					return text[:offset(spec.Pos())] + "_ " + text[offset(spec.Path.Pos()):], true
				}
			}
			return "", false
		}
		at, inside := afterwards(file, pos)
		if !at.IsValid() {
			return "", false
		}
		use := "\n" + indentation(text, offset(at))
		if inside {
			use += "\t"
		}
		return text[:offset(at)] + use + "_ = " + variable + separator(text[offset(at):]) + text[offset(at):], true
	}
	return "", false
}

// separator returns what must follow a statement that is inserted before some source: nothing if that
// ends the statement.
func separator(rest string) string {
	if rest = strings.TrimLeft(rest, " \t"); rest == "" || strings.HasPrefix(rest, "\n") || strings.HasPrefix(rest, "\r") ||
		strings.HasPrefix(rest, ";") || strings.HasPrefix(rest, "}") || strings.HasPrefix(rest, "//") {
		return ""
	}
	return ";"
}

// indentation returns what the line that contains an offset begins with.
func indentation(text string, at int) string {
	line := text[strings.LastIndex(text[:at], "\n")+1 : at]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// afterwards returns where the first statement can be that uses a variable which is declared at a position: after the
// statement, or at the beginning of the block that the declaration is for.
func afterwards(file *ast.File, pos token.Pos) (at token.Pos, inside bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || pos < n.Pos() || pos >= n.End() {
			return false
		}
		after := func(list []ast.Stmt) {
			for _, s := range list {
				if s.Pos() <= pos && pos < s.End() {
					at, inside = s.End(), false
				}
			}
		}
		head := func(body *ast.BlockStmt) {
			if pos < body.Lbrace {
				at, inside = body.Lbrace+1, true
			}
		}
		switch n := n.(type) {
		case *ast.BlockStmt:
			after(n.List)
		case *ast.CaseClause:
			after(n.Body)
		case *ast.CommClause:
			if after(n.Body); n.Comm != nil && pos < n.Comm.End() {
				at, inside = n.Colon+1, true
			}
		case *ast.IfStmt:
			head(n.Body)
		case *ast.ForStmt:
			head(n.Body)
		case *ast.RangeStmt:
			head(n.Body)
		case *ast.SwitchStmt:
			if len(n.Body.List) > 0 && pos < n.Body.Lbrace {
				at, inside = n.Body.List[0].(*ast.CaseClause).Colon+1, true
			}
		case *ast.TypeSwitchStmt:
			if len(n.Body.List) > 0 && pos < n.Body.Lbrace {
				at, inside = n.Body.List[0].(*ast.CaseClause).Colon+1, true
			}
		}
		return true
	})
	return at, inside
}
