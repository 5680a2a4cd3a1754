//go:build go1.25

package build

import (
	"fmt"
	"go/token"
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/source/edit"
	"github.com/allele-go/allele/internal/source/load"
)

// keepNames makes stack traces and runtime.Caller show the user's file name for a
// rewritten file. The go command does so itself, except for files in the copy of a module.
// The file name in a //line comment is shown as it is written, also if it is relative.
func (o *Overlay) keepNames(fset *token.FileSet, f *load.File, out *edit.Buffer) {
	if o.placed(f.Path) == f.Path {
		return
	}
	for _, group := range f.AST.Comments {
		for _, c := range group.List {
			first := strings.HasPrefix(c.Text, "/*") || fset.PositionFor(c.Pos(), false).Column == 1
			if c.Pos() < f.AST.Package && first && isLine(c.Text) {
				return // the file's own name is never used
			}
		}
	}
	at := fset.PositionFor(f.AST.Package, false)
	out.Insert(at.Offset, fmt.Sprintf("/*line %s:%d:%d*/", f.Path, at.Line, at.Column))
}

// isLine reports whether a comment is a line comment: //line f.y:10 or /*line f.y:10:2*/.
func isLine(comment string) bool {
	text, ok := strings.CutPrefix(comment, "//line ")
	if !ok {
		if text, ok = strings.CutPrefix(comment, "/*line "); !ok {
			return false
		}
		text = strings.TrimSuffix(text, "*/")
	}
	text = strings.TrimSpace(text)
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return false
	}
	_, err := strconv.ParseUint(text[i+1:], 10, 32)
	return err == nil
}
