//go:build go1.25

package codec

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// cutDepth is the nesting depth at which a text is cut into pieces. The standard
// library's parser fails at 25,000 nested composite literals. So the content of a
// bracket at depth cutDepth is removed, parsed by itself, and put back into the
// syntax tree.
const cutDepth = 8000

// source is a parsed case file.
type source struct {
	fset *token.FileSet
	cuts map[*token.File]*piece
}

// piece is a part of the text. Its holes are the brackets whose content was removed:
// holes has the removed content, which is another piece, by the offset of its bracket.
type piece struct {
	text  []byte
	line  int // line of its first byte in the file
	holes map[int]*piece
}

// line returns the line of pos in the case file. It ignores //line comments.
func (s *source) line(pos token.Pos) int {
	f := s.fset.File(pos)
	if f == nil {
		return 1
	}
	return f.PositionFor(pos, false).Line + s.cuts[f].line - 1
}

// parse parses the expression of a case file. It does not see the header, which is a
// comment in Go.
func parse(data []byte) (*source, ast.Expr, error) {
	whole := &piece{text: data, line: 1}
	if bytes.Count(data, []byte("{"))+bytes.Count(data, []byte("("))+bytes.Count(data, []byte("[")) > cutDepth {
		var err error
		if whole, err = cut(data); err != nil {
			return nil, nil, err
		}
	}
	s := &source{fset: token.NewFileSet(), cuts: map[*token.File]*piece{}}
	e, err := s.piece(whole)
	if err == nil {
		writeTypes(e)
	}
	return s, e, err
}

// writeTypes adds the types that literals in lists and maps omit. Without its type, {3: 1} may be
// a map or a list.
func writeTypes(e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ArrayType, *ast.MapType, *ast.StructType, *ast.InterfaceType, *ast.FuncType:
			return false // types contain no values
		case *ast.CompositeLit:
			switch typ := n.Type.(type) {
			case *ast.ArrayType:
				writeElems(n.Elts, nil, typ.Elt)
			case *ast.MapType:
				writeElems(n.Elts, typ.Key, typ.Value)
			}
		}
		return true
	})
}

// writeElems adds the types of keys and elements. The key of a list is an index.
func writeElems(elts []ast.Expr, key, elem ast.Expr) {
	write := func(e, typ ast.Expr) {
		if star, ok := typ.(*ast.StarExpr); ok {
			typ = star.X // the literal omits & too
		}
		if lit, ok := e.(*ast.CompositeLit); ok && lit.Type == nil {
			lit.Type = typ
		}
	}
	for _, e := range elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			write(kv.Key, key)
			e = kv.Value
		}
		write(e, elem)
	}
}

// piece parses p and everything in its holes.
func (s *source) piece(p *piece) (ast.Expr, error) {
	base := s.fset.Base()
	e, err := parser.ParseExprFrom(s.fset, "", p.text, parser.SkipObjectResolution)
	if f := s.fset.File(token.Pos(base)); f != nil {
		s.cuts[f] = p
	}
	if err != nil {
		return nil, syntaxError(p, err)
	}
	if len(p.holes) == 0 {
		return e, nil
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if n == nil || err != nil {
			return false
		}
		if at, ok := opening(n); ok {
			// Inspect also walks the nodes that fill has just added. Their positions
			// are larger than all positions of this piece, so they are not mistaken
			// for holes.
			if hole := p.holes[int(at)-base]; hole != nil {
				err = s.fill(n, hole)
			}
		}
		return true
	})
	return e, err
}

// opening returns the position of the node's bracket whose content may have been
// removed.
func opening(n ast.Node) (token.Pos, bool) {
	switch n := n.(type) {
	case *ast.CompositeLit:
		return n.Lbrace, true
	case *ast.CallExpr:
		return n.Lparen, true
	case *ast.BlockStmt:
		return n.Lbrace, true
	}
	return 0, false
}

// fill parses the content of a hole and puts it back into node n. The content alone
// is not an expression, so what is parsed is an expression of the same kind as n with
// this content, such as T{content}.
func (s *source) fill(n ast.Node, hole *piece) error {
	const inCall, inLiteral, inBody = "f(", "T{", "func(){"
	text := hole.text
	switch n := n.(type) {
	case *ast.CompositeLit:
		e, err := s.wrapped(hole, inLiteral, text, "}")
		if c, ok := e.(*ast.CompositeLit); ok {
			n.Elts = c.Elts
		}
		return err
	case *ast.CallExpr:
		e, err := s.wrapped(hole, inCall, text, ")")
		if c, ok := e.(*ast.CallExpr); ok {
			n.Args, n.Ellipsis = c.Args, c.Ellipsis
		}
		return err
	case *ast.BlockStmt:
		e, err := s.wrapped(hole, inBody, text, "}")
		if f, ok := e.(*ast.FuncLit); ok {
			n.List = f.Body.List
		}
		return err
	}
	return nil
}

func (s *source) wrapped(hole *piece, before string, text []byte, after string) (ast.Expr, error) {
	whole := &piece{line: hole.line, holes: map[int]*piece{}}
	whole.text = append(append([]byte(before), text...), after...)
	for at, deeper := range hole.holes {
		whole.holes[at+len(before)] = deeper
	}
	return s.piece(whole)
}

// cut splits a text into pieces. It makes one pass over the brackets of the text.
func cut(data []byte) (*piece, error) {
	c := cutter{data: data, top: &piece{line: 1, holes: map[int]*piece{}}}
	c.pieces = []*piece{c.top}
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(data))
	var sc scanner.Scanner
	sc.Init(file, data, nil, 0)
	for prev := token.ILLEGAL; ; {
		pos, tok, _ := sc.Scan()
		at := file.Offset(pos)
		switch tok {
		case token.EOF:
			c.copy(len(data))
			return c.top, nil
		case token.LBRACE, token.LPAREN, token.LBRACK:
			if err := c.open(tok, prev, at, file.Line(pos)); err != nil {
				return nil, err
			}
		case token.RBRACE, token.RPAREN, token.RBRACK:
			c.close(at)
		}
		prev = tok
	}
}

type cutter struct {
	data   []byte
	top    *piece
	pieces []*piece // the open pieces; text is added to the last one
	copied int      // how many bytes of data have been added to pieces
	depths []int    // nesting depth of the bracket at which each open piece was cut
	depth  int
}

func (c *cutter) here() *piece { return c.pieces[len(c.pieces)-1] }

func (c *cutter) copy(end int) {
	p := c.here()
	p.text = append(p.text, c.data[c.copied:end]...)
	c.copied = end
}

func (c *cutter) open(tok, prev token.Token, at, line int) error {
	c.depth++
	if c.depth > nestingMax {
		return fmt.Errorf("%d: nested deeper than %d", line, nestingMax)
	}
	last := 0
	if n := len(c.depths); n > 0 {
		last = c.depths[n-1]
	}
	if c.depth-last < cutDepth || !cuttable(tok, prev) {
		return nil
	}
	c.copy(at + 1)
	hole := &piece{line: line, holes: map[int]*piece{}}
	c.here().holes[len(c.here().text)-1] = hole
	c.pieces = append(c.pieces, hole)
	c.depths = append(c.depths, c.depth)
	return nil
}

// cuttable reports whether a bracket opens a literal, the arguments of a call or a
// function body, and does not belong to a type.
func cuttable(tok, prev token.Token) bool {
	switch tok {
	case token.LBRACE:
		return prev != token.STRUCT && prev != token.INTERFACE
	case token.LPAREN:
		return prev == token.IDENT || prev == token.RPAREN || prev == token.RBRACK
	}
	return false
}

// close handles a closing bracket. If the bracket ends a piece, close continues the
// text around the hole: it adds as many line breaks as the piece has, so that line
// numbers stay correct, and then a blank identifier in place of the content.
func (c *cutter) close(at int) {
	if n := len(c.depths); n > 0 && c.depths[n-1] == c.depth {
		c.copy(at)
		hole := c.here()
		c.depths, c.pieces = c.depths[:n-1], c.pieces[:n]
		p := c.here()
		p.text = append(p.text, strings.Repeat("\n", bytes.Count(hole.text, []byte("\n")))...)
		p.text = append(p.text, '_')
	}
	c.depth--
}

// syntaxError returns the first error of the parser, with its line in the case file.
// It computes the line from the offset, because //line comments may change the line
// of a position.
func syntaxError(p *piece, err error) error {
	var all scanner.ErrorList
	if !errors.As(err, &all) || len(all) == 0 {
		return fmt.Errorf("%d: %w", p.line, err)
	}
	at := min(max(all[0].Pos.Offset, 0), len(p.text))
	return fmt.Errorf("%d: %s", p.line+bytes.Count(p.text[:at], []byte("\n")), shorten(all[0].Msg))
}

// shorten returns a message as one line of limited length, since it may quote the
// file.
func shorten(msg string) string {
	const msgMax = 200
	msg = strings.Join(strings.Fields(msg), " ")
	if len(msg) > msgMax {
		msg = strings.ToValidUTF8(msg[:msgMax], "") + "..."
	}
	return msg
}
