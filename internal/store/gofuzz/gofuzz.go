//go:build go1.25

// Package gofuzz reads and writes the corpus files of Go's native fuzzing.
//
// Each file has the arguments of one call of a fuzz target, a line for each:
//
//	go test fuzz v1
//	string("a=1")
//	int(3)
//
// The go command keeps these files in testdata/fuzz/FuzzX. They come from anywhere, so
// everything in them is checked, and errors have a line number:
//
//	values, err := gofuzz.Parse(data) // []any{"a=1", 3}
//	data := gofuzz.Encode(values)
package gofuzz

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	header = "go test fuzz v1"
	// fileMax is the size of the largest file that is read, as for a case file.
	fileMax = 16 << 20
	// valuesMax is the largest number of arguments in a file. No function has that many.
	valuesMax = 1000
)

// Folder returns the folder of the corpus of a fuzz test, relative to the folder of its
// package.
func Folder(fuzz string) string { return filepath.Join("testdata", "fuzz", fuzz) }

// Files returns the names of the files in a folder, sorted, at most limit of them, and how
// many more there are. A folder that does not exist has none.
func Files(dir string, limit int) (names []string, more int, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	for _, e := range entries {
		switch {
		case e.IsDir():
		case len(names) < limit:
			names = append(names, e.Name())
		default:
			more++
		}
	}
	return names, more, err
}

// Read reads a file. Its errors begin with name, which stands for the file in messages, and
// the line.
func Read(file, name string) ([]any, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, fmt.Errorf("%s:1: %w", name, plain(err))
	}
	if !info.Mode().IsRegular() { // opening a pipe could block
		return nil, fmt.Errorf("%s:1: not a regular file", name)
	}
	in, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("%s:1: %w", name, plain(err))
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, fileMax+1)) // one more byte, so that Parse can reject a longer file
	if err != nil {
		return nil, fmt.Errorf("%s:1: %w", name, plain(err))
	}
	values, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	return values, nil
}

// plain removes the operation and the path from an error of package os.
func plain(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return err
}

// Parse returns the values in a file: strings, byte slices, bools, integers and floats of the
// types that the file names. Its errors begin with a line number.
func Parse(data []byte) (values []any, err error) {
	if len(data) > fileMax {
		return nil, fmt.Errorf("1: the file is larger than %d MiB", fileMax>>20)
	}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		line = bytes.TrimSpace(line)
		switch {
		case number == 1:
			if string(line) != header {
				return nil, fmt.Errorf("1: the first line is not %q", header)
			}
		case len(line) == 0:
		case len(values) == valuesMax:
			return nil, fmt.Errorf("%d: more than %d values", number, valuesMax)
		default:
			v, err := parseValue(line)
			if err != nil {
				return nil, fmt.Errorf("%d: %w", number, err)
			}
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("%d: no values", number+1)
	}
	return values, nil
}

// parseValue reads a line such as int(3).
func parseValue(line []byte) (any, error) {
	e, err := parser.ParseExprFrom(token.NewFileSet(), "", line, 0)
	if err != nil {
		if list := (scanner.ErrorList)(nil); errors.As(err, &list) && len(list) > 0 {
			err = errors.New(list[0].Msg)
		}
		return nil, fmt.Errorf("not a Go expression: %w", err)
	}
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil, errors.New("not a value such as string(\"a\") or int(3)")
	}
	typ := typeName(call.Fun)
	text, kind := literal(call.Args[0])
	v, err := value(typ, text, kind)
	if num := (*strconv.NumError)(nil); errors.As(err, &num) {
		err = fmt.Errorf("%s does not fit %s", clip(text), typ)
	}
	return v, err
}

// typeName returns the type of a value as it is written in a file, or the name of a function
// that makes it from its bits.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.ArrayType:
		if elem, ok := e.Elt.(*ast.Ident); ok && e.Len == nil && elem.Name == "byte" {
			return "[]byte"
		}
	case *ast.SelectorExpr:
		if pkg, ok := e.X.(*ast.Ident); ok {
			return pkg.Name + "." + e.Sel.Name
		}
	}
	return "this type"
}

// literal returns an argument as text, with its sign, and its kind: that of a literal, IDENT
// for a name, or ILLEGAL for anything else.
func literal(e ast.Expr) (text string, kind token.Token) {
	if sign, ok := e.(*ast.UnaryExpr); ok && (sign.Op == token.SUB || sign.Op == token.ADD) {
		if _, again := sign.X.(*ast.UnaryExpr); again {
			return "", token.ILLEGAL
		}
		text, kind = literal(sign.X)
		if kind == token.INT || kind == token.FLOAT || kind == token.IDENT && text == "Inf" {
			return sign.Op.String() + text, kind
		}
		return "", token.ILLEGAL
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Value, e.Kind
	case *ast.Ident:
		return e.Name, token.IDENT
	}
	return "", token.ILLEGAL
}

// value converts a literal to a type. It is one switch, kept whole.
func value(typ, text string, kind token.Token) (any, error) {
	isInt := kind == token.INT
	isFloat := isInt || kind == token.FLOAT || kind == token.IDENT && (text == "NaN" || strings.HasSuffix(text, "Inf"))
	switch {
	case typ == "string" && kind == token.STRING:
		return strconv.Unquote(text)
	case typ == "[]byte" && kind == token.STRING:
		s, err := strconv.Unquote(text)
		return []byte(s), err
	case typ == "bool" && (text == "true" || text == "false"):
		return text == "true", nil
	case (typ == "byte" || typ == "rune") && kind == token.CHAR:
		return char(typ, text)
	case typ == "float32" && isFloat:
		f, err := strconv.ParseFloat(text, 32)
		return float32(f), err
	case typ == "float64" && isFloat:
		return strconv.ParseFloat(text, 64)
	case typ == "math.Float32frombits" && isInt:
		bits, err := strconv.ParseUint(text, 0, 32)
		return math.Float32frombits(uint32(bits)), err
	case typ == "math.Float64frombits" && isInt:
		bits, err := strconv.ParseUint(text, 0, 64)
		return math.Float64frombits(bits), err
	case isInt:
		return integer(typ, text)
	}
	return nil, cannot(typ, text)
}

func cannot(typ, text string) error {
	switch typ {
	case "string", "[]byte", "bool", "byte", "rune", "float32", "float64", "int", "int8", "int16", "int32", "int64",
		"uint", "uint8", "uint16", "uint32", "uint64", "math.Float32frombits", "math.Float64frombits":
		return fmt.Errorf("cannot use %s as %s", clip(text), typ)
	}
	return fmt.Errorf("%s is not a type of a fuzz argument", clip(typ))
}

// clip shortens a text for a message.
func clip(s string) string {
	const most = 60
	if s == "" {
		return "the expression"
	}
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}

func char(typ, text string) (any, error) {
	r, _, _, err := strconv.UnquoteChar(text[1:len(text)-1], '\'')
	switch {
	case err != nil:
		return nil, cannot(typ, text)
	case typ == "rune":
		return r, nil
	case r > 255:
		return nil, fmt.Errorf("%s does not fit byte", text)
	}
	return byte(r), nil
}

func integer(typ, text string) (any, error) {
	signed := func(bits int) (int64, error) { return strconv.ParseInt(text, 0, bits) }
	unsigned := func(bits int) (uint64, error) { return strconv.ParseUint(text, 0, bits) }
	switch typ {
	case "int":
		x, err := signed(strconv.IntSize)
		return int(x), err
	case "int8":
		x, err := signed(8)
		return int8(x), err
	case "int16":
		x, err := signed(16)
		return int16(x), err
	case "int32", "rune":
		x, err := signed(32)
		return int32(x), err
	case "int64":
		return signed(64)
	case "uint":
		x, err := unsigned(strconv.IntSize)
		return uint(x), err
	case "uint8", "byte":
		x, err := unsigned(8)
		return uint8(x), err
	case "uint16":
		x, err := unsigned(16)
		return uint16(x), err
	case "uint32":
		x, err := unsigned(32)
		return uint32(x), err
	case "uint64":
		return unsigned(64)
	}
	return nil, cannot(typ, text)
}

// Encode returns the content of a file with the given values, as the go command writes it.
// The values must have types of fuzz arguments.
func Encode(values []any) []byte {
	out := []byte(header + "\n")
	for _, v := range values {
		switch v := v.(type) {
		case string:
			out = fmt.Appendf(out, "string(%q)\n", v)
		case []byte:
			out = fmt.Appendf(out, "[]byte(%q)\n", v)
		case byte:
			out = fmt.Appendf(out, "byte(%q)\n", v)
		case rune:
			if utf8.ValidRune(v) {
				out = fmt.Appendf(out, "rune(%q)\n", v)
			} else {
				out = fmt.Appendf(out, "int32(%d)\n", v)
			}
		case float32:
			if v != v && math.Float32bits(v) != math.Float32bits(float32(math.NaN())) {
				out = fmt.Appendf(out, "math.Float32frombits(0x%x)\n", math.Float32bits(v))
			} else {
				out = fmt.Appendf(out, "float32(%v)\n", v)
			}
		case float64:
			if v != v && math.Float64bits(v) != math.Float64bits(math.NaN()) {
				out = fmt.Appendf(out, "math.Float64frombits(0x%x)\n", math.Float64bits(v))
			} else {
				out = fmt.Appendf(out, "float64(%v)\n", v)
			}
		default:
			out = fmt.Appendf(out, "%T(%v)\n", v, v)
		}
	}
	return out
}

// Name returns the name that the go command gives to a file with this content.
func Name(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data))[:16] }
