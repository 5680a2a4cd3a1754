//go:build go1.25

package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/ops/gofuzz"
	"github.com/allele-go/allele/internal/source/load"
)

// native is what import -go and export -go work on: a fuzz test, a test with a property, and
// their package.
type native struct {
	fuzz, test string
	pkg, dir   string
	source     *syntax
	input      []arg
}

// native finds the package, and the input of the property in its source.
func (c *cases) native(from loadFlags, fuzz string, args []string) (*native, error) {
	if len(args) == 0 || len(args) > 2 {
		return nil, errUsage
	}
	if !strings.HasPrefix(fuzz, "Fuzz") || filepath.Base(fuzz) != fuzz {
		return nil, fmt.Errorf("-go wants the name of a fuzz test such as FuzzX, got %s", fuzz)
	}
	n := &native{fuzz: fuzz, test: args[0]}
	var err error
	if n.pkg, n.dir, err = onePackage(from, append(args[1:], ".")[0]); err != nil {
		return nil, err
	}
	if n.source, err = parseDir(n.dir); err != nil {
		return nil, err
	}
	n.input, err = n.source.input(n.test)
	return n, err
}

// onePackage returns the import path and the folder of the package that a pattern matches.
func onePackage(from loadFlags, pattern string) (path, dir string, err error) {
	paths, err := listed(from, []string{pattern})
	if err != nil {
		return "", "", err
	}
	if len(paths) != 1 {
		return "", "", fmt.Errorf("%s matches %d packages, want one", pattern, len(paths))
	}
	conf, _, err := load.Config{Dir: from.dir}.Settle()
	if err != nil {
		return "", "", err
	}
	out, err := conf.Command(slices.Concat([]string{"list", "-f", "{{.Dir}}"}, from.goFlags(), []string{"--", paths[0]})...).Output()
	return paths[0], strings.TrimSpace(string(out)), err
}

// importGo saves the corpus of a fuzz test as inputs of a property: the files in testdata, and
// those that go test -fuzz has put into its cache.
func (c *cases) importGo(from loadFlags, fuzz string, args []string) error {
	n, err := c.native(from, fuzz, args)
	if err != nil {
		return err
	}
	i := &importer{cases: c, of: map[corpus.Place]*corpus.Corpus{}}
	k := i.corpus(n.pkg, n.test)
	for _, dir := range n.folders(from) {
		if err := i.readNative(n, dir, k); err != nil {
			return err
		}
	}
	if len(k.Entries) == 0 {
		if i.skipped > skippedMax {
			i.warn("skipped %s more", group(i.skipped-skippedMax))
		}
		folder := filepath.Join(n.dir, gofuzz.Folder(n.fuzz))
		if i.skipped > 0 {
			return fmt.Errorf("no input was imported; no file of %s, in %s or in the cache of the go command, fits %s",
				n.fuzz, folder, n.test)
		}
		return fmt.Errorf("no input was imported; want files of %s in %s", n.fuzz, folder)
	}
	return i.save()
}

// folders returns the folders that may contain the corpus of the fuzz test.
func (n *native) folders(from loadFlags) []string {
	dirs := []string{filepath.Join(n.dir, gofuzz.Folder(n.fuzz))}
	conf, _, err := load.Config{Dir: from.dir}.Settle()
	if err != nil {
		return dirs
	}
	if out, err := conf.Command("env", "GOCACHE").Output(); err == nil {
		dirs = append(dirs, filepath.Join(strings.TrimSpace(string(out)), "fuzz", filepath.FromSlash(n.pkg), n.fuzz))
	}
	return dirs
}

func (b *importer) readNative(n *native, dir string, k *corpus.Corpus) error {
	names, more, err := gofuzz.Files(dir, filesMax)
	if err != nil {
		return err
	}
	if more > 0 {
		return errTooLarge
	}
	for _, name := range names {
		file := filepath.Join(dir, name)
		values, err := gofuzz.Read(file, file)
		if err != nil {
			b.skip("%v", err)
			continue
		}
		text, err := n.expression(values)
		if err != nil {
			b.skip("%s:%v", file, err)
			continue
		}
		k.Entries = append(k.Entries, corpus.Entry{Input: text, Verdict: "unknown", How: "from " + n.fuzz})
		if b.bytes += len(text); b.bytes > bytesMax {
			return errTooLarge
		}
	}
	return nil
}

// expression returns the arguments of a fuzz target as an input of the property: the first
// argument is the first field, and so on. Fields without an argument are zero. Errors begin
// with a line number.
func (n *native) expression(values []any) (string, error) {
	if len(values) > len(n.input) {
		return "", fmt.Errorf("%d: %s has %s, but this is value %d", len(n.input)+2, n.test, count(len(n.input), "field"), len(n.input)+1)
	}
	var fields []string
	for i, v := range values {
		a := n.input[i]
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
func literalOf(v any, to arg) (string, error) {
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

// exportGo writes saved inputs of a property as corpus files of a fuzz test.
func (c *cases) exportGo(from loadFlags, fuzz, to string, args []string) error {
	n, err := c.native(from, fuzz, args)
	if err != nil {
		return err
	}
	targets, err := n.source.fuzzArgs(n.fuzz)
	switch {
	case err != nil:
		return err
	case len(targets) > len(n.input):
		return fmt.Errorf("%s has %s, but the input of %s has only %s",
			n.fuzz, count(len(targets), "argument"), n.test, count(len(n.input), "field"))
	case to == "":
		to = filepath.Join(n.dir, gofuzz.Folder(n.fuzz))
	}
	k, err := corpus.Read(corpus.Folder(c.root, n.pkg, n.test))
	if err != nil {
		return err
	}
	if len(k.Entries) == 0 {
		return fmt.Errorf("no saved inputs of %s.%s; to save some, run: %s test -run '^%s$' %s", n.pkg, n.test, self, n.test, n.pkg)
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	written, skipped := 0, 0
	for _, e := range k.Entries {
		values, err := n.values(e.Input, targets)
		if err != nil {
			if skipped++; skipped <= skippedMax {
				c.warn("skipped the input %s: %v", e.ID(), err)
			}
			continue
		}
		data := gofuzz.Encode(values)
		file := filepath.Join(to, gofuzz.Name(data))
		if _, err := os.Stat(file); err == nil {
			continue
		}
		if err := os.WriteFile(file, data, 0o666); err != nil {
			return err
		}
		written++
	}
	if skipped > skippedMax {
		c.warn("skipped %s more", group(skipped-skippedMax))
	}
	fmt.Fprintf(c.stdout, "%-40s %9s of %s written to %s\n",
		printable(n.pkg+"."+n.test), group(written), count(len(k.Entries), "input"), to)
	return nil
}

// values returns the arguments of a fuzz target for an input of the property. A field that
// the input omits is zero.
func (n *native) values(input string, targets []arg) ([]any, error) {
	e, err := parser.ParseExpr(input)
	if err != nil {
		return nil, errors.New("not a Go expression")
	}
	values := make([]any, len(targets))
	for i, a := range targets {
		field := n.input[i]
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
		b, err := converted(v, arg{typ: "byte", text: "byte"})
		if err != nil {
			return nil, err
		}
		out = append(out, b.(byte))
	}
	return out, nil
}
