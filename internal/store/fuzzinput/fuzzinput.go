//go:build go1.25

// Package fuzzinput turns the arguments of a fuzz test into an input of a property, and back. It
// reads the types of both in the source of their package.
//
//	in, err := fuzzinput.Read(dir, "TestParse")
//	text, err := in.Expression(values)       // arguments of a fuzz test -> an input, as Go
//	args, err := in.Target("FuzzParse")
//	values, err := in.Values(text, args)     // an input, as Go -> arguments of the fuzz test
//
// The first argument is the first field of the input, and so on. A value may have another type in
// its new place if nothing is lost (convert.go). Syntax is enough: a fuzz test has arguments of
// basic types only, so the command needs neither type information nor a test binary (shape.go).
package fuzzinput

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/words"
)

// Input is the shape of the input of a property.
type Input struct {
	source *syntax
	test   string
	fields []Arg
}

// Read finds the input of a test's first Check in the source of its package.
func Read(dir, test string) (*Input, error) {
	source, err := parseDir(dir)
	if err != nil {
		return nil, err
	}
	in := &Input{source: source, test: test}
	in.fields, err = source.input(test)
	return in, err
}

// Target returns the arguments of a fuzz target of the same package. There is a field for each.
func (in *Input) Target(fuzz string) ([]Arg, error) {
	args, err := in.source.fuzzArgs(fuzz)
	if err == nil && len(args) > len(in.fields) {
		err = fmt.Errorf("%s has %s, but the input of %s has only %s",
			fuzz, words.Count(len(args), "argument"), in.test, words.Count(len(in.fields), "field"))
	}
	return args, err
}

// Expression returns the arguments of a fuzz target as an input of the property: the first
// argument is the first field, and so on. Fields without an argument are zero. Errors begin
// with a line number.
func (in *Input) Expression(values []any) (string, error) {
	if len(values) > len(in.fields) {
		return "", fmt.Errorf("%d: %s has %s, but this is value %d",
			len(in.fields)+2, in.test, words.Count(len(in.fields), "field"), len(in.fields)+1)
	}
	var fields []string
	for i, v := range values {
		a := in.fields[i]
		text, err := literalOf(v, a)
		if err != nil {
			return "", fmt.Errorf("%d: %w", i+2, err)
		}
		if a.name == "" {
			return text, nil
		}
		fields = append(fields, a.name+": "+text)
	}
	return "in{" + strings.Join(fields, ", ") + "}", nil
}

// literalOf returns a value as Go, converted to the type of a field.
func literalOf(v any, to Arg) (string, error) {
	v, err := converted(v, to)
	if err != nil {
		return "", err
	}
	switch v := v.(type) {
	case string:
		return strconv.Quote(v), nil
	case []byte:
		return "[]byte(" + strconv.Quote(string(v)) + ")", nil
	case float32:
		return floatLiteral(float64(v), 32), nil
	case float64:
		return floatLiteral(v, 64), nil
	}
	return fmt.Sprint(v), nil
}

func floatLiteral(v float64, bits int) string {
	switch {
	case math.IsNaN(v):
		return "math.NaN()"
	case math.IsInf(v, 0):
		return fmt.Sprintf("math.Inf(%d)", int(math.Copysign(1, v)))
	case v == 0 && math.Signbit(v):
		return "math.Copysign(0, -1)"
	}
	return strconv.FormatFloat(v, 'g', -1, bits)
}

// Values returns the arguments of a fuzz target for an input of the property. A field that
// the input omits is zero.
func (in *Input) Values(input string, targets []Arg) ([]any, error) {
	e, err := parser.ParseExpr(input)
	if err != nil {
		return nil, errors.New("not a Go expression")
	}
	values := make([]any, len(targets))
	for i, a := range targets {
		field := in.fields[i]
		at := e
		if field.name != "" {
			if at, err = fieldOf(e, field.name, i); err != nil {
				return nil, err
			}
		}
		v, err := evaluated(at)
		if err == nil {
			values[i], err = converted(v, a)
		}
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i+1, err)
		}
	}
	return values, nil
}

// fieldOf returns the value of a field in a composite literal, or nil if it is omitted.
func fieldOf(e ast.Expr, name string, index int) (ast.Expr, error) {
	if ref, ok := e.(*ast.UnaryExpr); ok && ref.Op == token.AND {
		e = ref.X
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil, errors.New("it has no fields")
	}
	for i, elt := range lit.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); !ok {
			if i == index {
				return elt, nil
			}
		} else if key, ok := kv.Key.(*ast.Ident); ok && key.Name == name {
			return kv.Value, nil
		}
	}
	return nil, nil
}

// evaluated returns the value of an expression: a constant, a byte slice, a float that is not a
// constant, or nil for an omitted field.
func evaluated(e ast.Expr) (any, error) {
	if e == nil {
		return nil, nil
	}
	text := types.ExprString(e)
	switch {
	case text == "nil":
		return []byte(nil), nil
	case text == "math.NaN()":
		return math.NaN(), nil
	case text == "math.Inf(1)", text == "math.Inf(-1)":
		return math.Inf(strings.Count(text, "-")*-2 + 1), nil
	case text == "math.Copysign(0, -1)":
		return math.Copysign(0, -1), nil
	}
	if lit, ok := e.(*ast.CompositeLit); ok {
		return byteList(lit)
	}
	call, ok := e.(*ast.CallExpr)
	if ok && len(call.Args) == 1 { // a conversion such as []byte("a") or Name("a"): the value is what counts
		return evaluated(call.Args[0])
	}
	tv, err := types.Eval(token.NewFileSet(), nil, token.NoPos, text)
	if err != nil || tv.Value == nil {
		return nil, fmt.Errorf("%.60s is not a constant", text)
	}
	switch v := constant.Val(tv.Value).(type) {
	case bool, string, int64:
		return v, nil
	}
	if x, exact := constant.Uint64Val(constant.ToInt(tv.Value)); exact {
		return x, nil
	}
	f, _ := constant.Float64Val(constant.ToFloat(tv.Value))
	return f, nil
}

func byteList(lit *ast.CompositeLit) (any, error) {
	var out []byte
	for _, elt := range lit.Elts {
		v, err := evaluated(elt)
		if err != nil {
			return nil, err
		}
		b, err := converted(v, Arg{typ: "byte", text: "byte"})
		if err != nil {
			return nil, err
		}
		out = append(out, b.(byte))
	}
	return out, nil
}
