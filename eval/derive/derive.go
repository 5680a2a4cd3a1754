// Package derive tests the generators that allele derives for some of the largest types
// in common use.
package derive

import (
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Experiment derives generators for a Kubernetes Pod and for the syntax trees of Go. It
// generates a thousand terms of each type, and builds, prints, encodes and decodes them.
var Experiment = lab.Experiment{
	Name: "derive",
	Doc:  "a Kubernetes Pod and Go syntax trees: derived, generated, built, printed, stored and read back",
	Run:  run,
}

func run(cfg lab.Config) (*lab.Result, error) {
	terms := 1000
	if cfg.Quick {
		terms = 200
	}
	res := &lab.Result{Seeds: []uint64{1}, Summary: map[string]any{}}
	quantity, err := schema.NewFunc(resource.NewQuantity)
	if err != nil {
		return nil, err
	}
	decls := []schema.Decl{
		variants[ast.Expr](exprs()...), variants[ast.Stmt](stmts()...),
		variants[ast.Decl](&ast.GenDecl{}), variants[ast.Spec](&ast.ValueSpec{}, &ast.TypeSpec{}),
		{Type: quantity.Result, What: quantity},
	}
	failures := 0
	for _, s := range []struct {
		name string
		typ  reflect.Type
	}{
		{"k8s.io/api/core/v1.Pod", reflect.TypeFor[corev1.Pod]()},
		{"go/ast.Expr", reflect.TypeFor[ast.Expr]()},
		{"go/ast.Stmt", reflect.TypeFor[ast.Stmt]()},
	} {
		cfg.Logf("%s", s.name)
		t, err := try(s.typ, decls, terms)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		res.Rows = append(res.Rows, t.row(s.name))
		failures += t.failures
	}
	res.Summary["failures"] = failures
	if failures > 0 {
		return res, fmt.Errorf("%d failures", failures)
	}
	return res, nil
}

func variants[I any](vs ...I) schema.Decl {
	return schema.Decl{Type: reflect.TypeFor[I](), What: schema.VariantsOf(vs...)}
}

func exprs() []ast.Expr {
	return []ast.Expr{
		&ast.BadExpr{}, &ast.Ident{}, &ast.Ellipsis{}, &ast.BasicLit{}, &ast.FuncLit{}, &ast.CompositeLit{},
		&ast.ParenExpr{}, &ast.SelectorExpr{}, &ast.IndexExpr{}, &ast.IndexListExpr{}, &ast.SliceExpr{},
		&ast.TypeAssertExpr{}, &ast.CallExpr{}, &ast.StarExpr{}, &ast.UnaryExpr{}, &ast.BinaryExpr{}, &ast.KeyValueExpr{},
		&ast.ArrayType{}, &ast.StructType{}, &ast.FuncType{}, &ast.InterfaceType{}, &ast.MapType{}, &ast.ChanType{},
	}
}

func stmts() []ast.Stmt {
	return []ast.Stmt{
		&ast.BadStmt{}, &ast.DeclStmt{}, &ast.EmptyStmt{}, &ast.LabeledStmt{}, &ast.ExprStmt{}, &ast.SendStmt{},
		&ast.IncDecStmt{}, &ast.AssignStmt{}, &ast.GoStmt{}, &ast.DeferStmt{}, &ast.ReturnStmt{}, &ast.BranchStmt{},
		&ast.BlockStmt{}, &ast.IfStmt{}, &ast.CaseClause{}, &ast.SwitchStmt{}, &ast.TypeSwitchStmt{},
		&ast.CommClause{}, &ast.SelectStmt{}, &ast.ForStmt{}, &ast.RangeStmt{},
	}
}

type tally struct {
	schemas, terms, failures int
	cells, bytes             []float64
	derive                   float64 // ms
	first                    string
}

func (t tally) row(name string) lab.Row {
	return lab.Row{lab.Col("type", name), lab.Col("types reached", t.schemas), lab.Col("derived in cpu ms", t.derive),
		lab.Col("terms", t.terms), lab.Col("failures", t.failures), lab.Col("median nodes", lab.Median(t.cells)),
		lab.Col("median bytes of text", lab.Median(t.bytes)), lab.Col("first failure", t.first)}
}

func try(typ reflect.Type, decls []schema.Decl, terms int) (tally, error) {
	start := lab.CPU()
	w, err := schema.Derive(typ, decls)
	if err != nil {
		return tally{}, err
	}
	n := tally{schemas: len(w.Schemas), terms: terms, derive: float64((lab.CPU() - start).Microseconds()) / 1000}
	g, b := gen.New(w), schema.NewBuilder(w)
	for run := range uint64(terms) {
		x := g.Term(rng.At(1, run), 1+int(run%40)).Clone()
		text, err := roundTrip(w, b, x)
		if err != nil {
			n.failures++
			if n.first == "" {
				n.first = fmt.Sprintf("run %d: %v", run, err)
			}
		}
		n.cells, n.bytes = append(n.cells, float64(w.Cells(x))), append(n.bytes, float64(len(text)))
	}
	return n, nil
}

// roundTrip builds, prints, encodes and decodes a term. It returns the printed text.
func roundTrip(w *schema.World, b *schema.Builder, x term.Term) (string, error) {
	v := reflect.New(w.Root.Type)
	if !b.Build(x, v.UnsafePointer()) {
		return "", fmt.Errorf("not built")
	}
	expr := codec.Print(w, x, codec.Style{Case: true}).Expr
	source := "package p\n\nvar x = " + expr + "\n"
	if got, err := format.Source([]byte(source)); err != nil {
		return expr, fmt.Errorf("the text is not Go: %w", err)
	} else if string(got) != source {
		return expr, errors.New("the text is not gofmt-formatted")
	}
	c, err := codec.Decode(w, "x.case", codec.Encode(codec.Header{Test: "TestX"}, expr), nil)
	if err != nil {
		return expr, err
	}
	if len(c.Losses) > 0 {
		return expr, fmt.Errorf("lost %+v", c.Losses[0])
	}
	if !term.Equal(c.Term, x) {
		return expr, fmt.Errorf("read back as another term")
	}
	return expr, nil
}
