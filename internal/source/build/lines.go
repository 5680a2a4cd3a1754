//go:build go1.25

package build

import (
	"fmt"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/source/edit"
	"github.com/allele-go/allele/internal/source/load"
)

// keepNames makes stack traces and runtime.Caller show the user's file name for a
// rewritten file. The go command does so itself, with two exceptions: files in the copy
// of a module, and //line comments whose file name is relative.
func (o *Overlay) keepNames(fset *token.FileSet, f *load.File, out *edit.Buffer) {
	named := false // true if a //line comment precedes the package clause: then the file's own name is never used
	for _, group := range f.AST.Comments {
		for _, c := range group.List {
			at := fset.PositionFor(c.Pos(), false)
			name, ok := lineName(c.Text)
			if !ok || at.Column != 1 && strings.HasPrefix(c.Text, "//") {
				continue
			}
			named = named || c.Pos() < f.AST.Package
			if name != "" && !filepath.IsAbs(name) {
				out.Insert(at.Offset+len("//line "), filepath.Dir(f.Path)+string(filepath.Separator))
			}
		}
	}
	if !named && o.placed(f.Path) != f.Path {
		at := fset.PositionFor(f.AST.Package, false)
		out.Insert(at.Offset, fmt.Sprintf("/*line %s:%d:%d*/", f.Path, at.Line, at.Column))
	}
}

// lineName returns the file name in a line comment. It is f.y for //line f.y:10 and for
// /*line f.y:10:2*/.
func lineName(comment string) (name string, ok bool) {
	text, ok := strings.CutPrefix(comment, "//line ")
	if !ok {
		if text, ok = strings.CutPrefix(comment, "/*line "); !ok {
			return "", false
		}
		text = strings.TrimSuffix(text, "*/")
	}
	name, ok = cutNumber(strings.TrimSpace(text))
	if shorter, column := cutNumber(name); column {
		name = shorter
	}
	return name, ok
}

// cutNumber removes a colon and a number from the end of a text. ok is false if there
// are none.
func cutNumber(text string) (rest string, ok bool) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return text, false
	}
	if _, err := strconv.ParseUint(text[i+1:], 10, 32); err != nil {
		return text, false
	}
	return text[:i], true
}
