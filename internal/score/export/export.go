//go:build go1.25

// Package export writes a report in formats of other tools: for a browser, and for services that
// show results beside the code.
//
//	data, err := export.Stryker(report, files)   // command: allele score -export stryker=FILE
//	data, err := export.SARIF(report, files)     // command: allele score -export sarif=FILE
//
// Both formats count columns in UTF-16 units, and a fault counts them in bytes. So both need the source.
package export

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"unicode/utf16"

	"github.com/allele-go/allele/internal/site"
)

// Files finds the files of a report.
type Files struct {
	Relative func(file string) string // how a file is named
	Source   func(file string) ([]byte, error)

	read map[string]string
}

func (f *Files) name(file string) string { return filepath.ToSlash(f.Relative(file)) }

// source returns the source of a file, or "" if it cannot be read.
func (f *Files) source(file string) string {
	if f.read == nil {
		f.read = map[string]string{}
	}
	text, ok := f.read[file]
	if !ok {
		data, _ := f.Source(file)
		text = strings.ToValidUTF8(string(data), "\uFFFD")
		f.read[file] = text
	}
	return text
}

// span is where a fault begins and ends. Both formats count from 1, and the end is behind it.
type span struct{ line, column, endLine, endColumn int }

func (f *Files) span(x site.Fault) span {
	lines := strings.Split(f.source(x.File), "\n")
	column := func(line, col int) int {
		if line < 1 || line > len(lines) || col < 1 {
			return max(1, col)
		}
		before := lines[line-1]
		return 1 + len(utf16.Encode([]rune(before[:min(col-1, len(before))])))
	}
	return span{max(1, x.Line), column(x.Line, x.Col), max(1, x.EndLine), column(x.EndLine, x.EndCol)}
}

// replacement returns what the source of a fault is replaced by.
func replacement(x site.Fault) string {
	if x.Edit.New == "" && x.To == "(deleted)" {
		return ""
	}
	return x.To
}

// encode writes indented JSON, with < and & as they are.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}
