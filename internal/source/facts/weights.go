//go:build go1.25

package facts

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// Weights are the odds of each constructor of a type.
type Weights struct {
	Type     string            // the type as Go source in the property's package
	Imports  map[string]string // imports that Type needs: path -> name
	External bool              // the property's package contains external tests
	From     string            // where the weights come from, for a comment
	Ways     []Way
}

// Way is a constructor, with the name that allele.Weight takes.
type Way struct {
	Name string
	Odds float64
}

// Weight returns the odds as text with three digits, which is enough for readers.
func (w Way) Weight() string { return strconv.FormatFloat(w.Odds, 'g', 3, 64) }

// Chosen contains the weights of several types. About contains comment lines about all
// weights.
type Chosen struct {
	About []string
	All   []Weights
}

// weights returns the weights as declarations. left lists the weights of types that the
// file cannot name.
func (d *declarer) weights(n *Names, chosen Chosen, lib string) (text string, left []Weights) {
	var b strings.Builder
	seen := map[string]bool{} // types already written: the same type may be chosen twice, because external tests write it differently
	for _, w := range chosen.All {
		expr, ok := n.Try(func() string { return d.typeExpr(n, w) })
		if !ok {
			left = append(left, w)
			continue
		}
		if seen[expr] {
			continue
		}
		seen[expr] = true
		fmt.Fprintf(&b, "\t\t// %s: %s\n", expr, w.From)
		for _, way := range w.Ways {
			fmt.Fprintf(&b, "\t\t%s.Weight[%s](%q, %s),\n", lib, expr, way.Name, way.Weight())
		}
	}
	if b.Len() == 0 {
		return "", left
	}
	about := ""
	for _, line := range chosen.About {
		about += "\t// " + line + "\n"
	}
	return fmt.Sprintf("%s\t%s.Declare(\n%s\t)\n", about, lib, b.String()), left
}

// typeExpr returns the type as Go source in the file. It may differ from w.Type: the
// file may import a package under another name, or belong to that package itself.
func (d *declarer) typeExpr(n *Names, w Weights) string {
	tree, err := parser.ParseExpr(w.Type)
	if err != nil {
		n.bad = true
		return w.Type
	}
	text := w.Type
	replace := func(at ast.Node, with string) { // in reverse order, so that positions stay valid
		text = text[:at.Pos()-1] + with + text[at.End()-1:]
	}
	var names []ast.Expr
	ast.Inspect(tree, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.SelectorExpr:
			names = append(names, x)
			return false
		case *ast.Ident:
			names = append(names, x)
		case *ast.StructType, *ast.InterfaceType, *ast.FuncType:
			n.bad = true // type literals are not supported
		}
		return true
	})
	for _, x := range slices.Backward(names) {
		switch x := x.(type) {
		case *ast.SelectorExpr:
			replace(x, d.qualified(n, w, x))
		case *ast.Ident:
			d.bare(n, w, x.Name)
		}
	}
	return text
}

// qualified returns a name with a qualifier, x.Sel, as the file must write it.
func (d *declarer) qualified(n *Names, w Weights, x *ast.SelectorExpr) string {
	short, ok := x.X.(*ast.Ident)
	if !ok {
		n.bad = true
		return x.Sel.Name
	}
	for path, name := range w.Imports {
		switch pkg := d.reach[path]; {
		case name != short.Name:
		case path == d.home.Types.Path():
			return d.known(n, d.home.Types.Scope().Lookup(x.Sel.Name), x.Sel.Name)
		case pkg != nil:
			return d.known(n, pkg.Scope().Lookup(x.Sel.Name), x.Sel.Name)
		}
	}
	n.bad = true
	return x.Sel.Name
}

// bare checks that the file can use a name without a qualifier: a predeclared name, or
// a name of the property's package.
func (d *declarer) bare(n *Names, w Weights, name string) {
	switch obj := d.home.Types.Scope().Lookup(name); {
	case obj != nil && w.External == d.home.External:
		d.known(n, obj, name)
	case obj != nil || types.Universe.Lookup(name) == nil:
		n.bad = true
	}
}

// known returns the name of a type as the file must write it. n.Try fails if the type
// is declared in a file with build constraints, because it may be missing where this
// file is built.
func (d *declarer) known(n *Names, obj types.Object, name string) string {
	typ, ok := obj.(*types.TypeName)
	if !ok {
		n.bad = true
		return name
	}
	for _, pkg := range d.x.prog.Scope {
		if pkg.Types == typ.Pkg() && d.partial(d.x.at(typ.Pos()).Filename) {
			n.bad = true
		}
	}
	return n.object(typ)
}
