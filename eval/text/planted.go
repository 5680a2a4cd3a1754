package text

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// bug is a small change of a parser. The changed parser is a copy; its path begins with
// changedPath. The function Compare in testdata/NAME.go.txt compares it with the original, on
// texts that the original accepts.
type bug struct {
	file  string      // path of the package, and name of the file
	edits [][2]string // a text that occurs once in the file, and what replaces it
	shows string      // a text that shows the bug
	hides string      // a similar text on which both parsers agree
}

// planted are the targets of the experiment planted: five parsers of the experiment text, each
// with a bug of another kind. The parsers get any string; nothing is declared.
var planted = []target{
	// The operator % has the precedence of + and -. An expression shows it in which % follows one of
	// these, or a stronger operator follows %: of a-b%c the changed parser returns the tree of (a-b)%c.
	{name: "precedence", std: []string{"go/parser", "go/scanner"}, bug: &bug{
		file: "go/parser/parser.go",
		edits: [][2]string{{"	return tok, tok.Precedence()\n", `	if tok == token.REM {
		return tok, token.ADD.Precedence()
	}
	return tok, tok.Precedence()
`}},
		shows: "a-b%c", hides: "a*b%c"}},
	// The escape \f is forgotten. A string with it shows the bug: "\f" is decoded as "f".
	{name: "escape", std: []string{"encoding/json"}, bug: &bug{
		file:  "encoding/json/decode.go",
		edits: [][2]string{{`b[w] = '\f'`, `b[w] = 'f'`}},
		shows: `"\f"`, hides: `"f\n"`}},
	// The limit of the digits in a group of an IPv6 address is off by one. A complete address and
	// port with a group of four digits shows it: the changed parser rejects [::1234]:5.
	{name: "limit", std: []string{"net/netip"}, quick: true, bug: &bug{
		file:  "net/netip/netip.go",
		edits: [][2]string{{"if off > 3 {", "if off > 2 {"}},
		shows: "[::1234]:5", hides: "[::123]:45"}},
	// The comment of a key is kept for the next key or section. Three lines show it, a comment and
	// two keys: in ";a\nb=\nc=" both keys get the comment.
	{name: "comments", module: foreign.At("gopkg.in/ini.v1", "v1.67.0"), bug: &bug{
		file:  "gopkg.in/ini.v1/parser.go",
		edits: [][2]string{{"		p.comment.Reset()\n		lastRegularKey = key\n", "		lastRegularKey = key\n"}},
		shows: ";a\nb=\nc=", hides: "b=\n;a\nc="}},
	// Values below five levels of lists or maps are dropped. A document with such a value shows it,
	// in brackets or in another notation: [[[[[1]]]]].
	{name: "nesting", module: foreign.At("gopkg.in/yaml.v3", "v3.0.1"), bug: &bug{
		file: "gopkg.in/yaml.v3/decode.go",
		edits: [][2]string{{"	aliasDepth  int\n", "	aliasDepth  int\n	depth       int\n"}, {
			"	d.decodeCount++\n", `	d.decodeCount++
	d.depth++ // the first level is the document
	defer func() { d.depth-- }()
	if d.depth > 6 {
		return false
	}
`}},
		shows: "[[[[[1]]]]]", hides: "[[[[1]]]]"}},
}

// plant copies the parser of a target, and changes the copy.
func (l *library) plant(t target) error {
	err := l.copy(t.std...)
	if t.module.Path != "" {
		err = l.copyModule(t.module)
	}
	if err != nil {
		return err
	}
	i := strings.LastIndexByte(t.bug.file, '/')
	file := filepath.Join(l.folder(t.bug.file[:i]), t.bug.file[i+1:])
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for _, e := range t.bug.edits {
		if n := bytes.Count(text, []byte(e[0])); n != 1 {
			return fmt.Errorf("%s has %d times the text %q; adapt the bug to this version of the parser", file, n, e[0])
		}
		text = bytes.Replace(text, []byte(e[0]), []byte(e[1]), 1)
	}
	return lab.WriteFile(file, text)
}

// copyModule copies the package at the root of a module, which imports no other package of it.
func (l *library) copyModule(m foreign.Module) error {
	from, err := m.Download()
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := l.write(m.Path, filepath.Base(file), text); err != nil {
			return err
		}
	}
	return nil
}
