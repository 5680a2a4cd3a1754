//go:build go1.25

package codec

import (
	"go/ast"
	"go/format"
	"go/scanner"
	"go/token"
	"strings"
)

// tokens returns a function literal without its layout: in one line, or in several.
func tokens(f *ast.FuncLit) string {
	var src strings.Builder
	if err := format.Node(&src, token.NewFileSet(), f); err != nil {
		return ""
	}
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", files.Base(), src.Len()), []byte(src.String()), nil, 0)
	var out strings.Builder
	for {
		switch _, tok, text := s.Scan(); tok {
		case token.EOF:
			return out.String()
		case token.SEMICOLON, token.COMMENT:
		default:
			out.WriteString(tok.String() + " " + text + " ")
		}
	}
}
