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

// The standard library's parser fails at 25,000 nested composites. So a text that
// nests deeper than cutDepth is cut: the content of a bracket at that depth is
// removed, parsed by itself, and put back.
const cutDepth = 8000

// source is a parsed case file.
type source struct {
	fset *token.FileSet
	cuts map[*token.File]*piece
}

// piece is a part of the text, with holes in place of deeper pieces.
type piece struct {
	text  []byte
	line  int // line of its first byte in the file
	holes map[int]*piece
}

// line returns the line of pos in the file. It ignores //line comments.
func (s *source) line(pos token.Pos) int {
	f := s.fset.File(pos)
	if f == nil {
		return 1
	}
	return f.PositionFor(pos, false).Line + s.cuts[f].line - 1
}

// parse reads the expression of a case file. The header is a comment to Go.
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
	return s, e, err
}

// piece parses a piece and everything in its holes.
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
			// The filled-in nodes are walked as well. Their positions lie after
			// those of this piece, so none is mistaken for a hole.
			if hole := p.holes[int(at)-base]; hole != nil {
				err = s.fill(n, hole)
			}
		}
		return true
	})
	return e, err
}

// opening returns the bracket of a node whose content may have been removed.
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

// fill puts the content of a hole back. The content is parsed with its brackets,
// and with a prefix that makes an expression of the same kind.
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

// cut splits a text into pieces in one pass over its brackets.
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
	pieces []*piece // the last one is being written
	copied int      // how much of the data is in a piece
	depths []int    // depths of the open cuts
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

// cuttable reports whether a bracket opens a literal, a call or a body, and not a
// type.
func cuttable(tok, prev token.Token) bool {
	switch tok {
	case token.LBRACE:
		return prev != token.STRUCT && prev != token.INTERFACE
	case token.LPAREN:
		return prev == token.IDENT || prev == token.RPAREN || prev == token.RBRACK
	}
	return false
}

// close ends a piece. It adds the line breaks of the piece to the text around the
// hole, before the blank identifier that fills the hole, so that line numbers
// stay correct.
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

// syntaxError returns the first error of the parser with its line in the file.
// Comments may have changed positions, but not offsets.
func syntaxError(p *piece, err error) error {
	var all scanner.ErrorList
	if !errors.As(err, &all) || len(all) == 0 {
		return fmt.Errorf("%d: %w", p.line, err)
	}
	at := min(max(all[0].Pos.Offset, 0), len(p.text))
	return fmt.Errorf("%d: %s", p.line+bytes.Count(p.text[:at], []byte("\n")), shorten(all[0].Msg))
}

// shorten makes one line of a text that may quote the file.
func shorten(msg string) string {
	const msgMax = 200
	msg = strings.Join(strings.Fields(msg), " ")
	if len(msg) > msgMax {
		msg = strings.ToValidUTF8(msg[:msgMax], "") + "..."
	}
	return msg
}
