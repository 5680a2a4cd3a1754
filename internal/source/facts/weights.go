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
	Type     string            // as the package of the property writes the type
	Imports  map[string]string // imports that Type needs there: path -> name
	External bool              // the package of the property is one of external tests
	From     string            // where the weights come from, as text
	Ways     []Way
}

// Way is a constructor, under the name that allele.Weight takes.
type Way struct {
	Name string
	Odds float64
}

// Weight writes the odds with three digits, which is enough for readers.
func (w Way) Weight() string { return strconv.FormatFloat(w.Odds, 'g', 3, 64) }

// Chosen contains weights, and comment lines about all of them.
type Chosen struct {
	About []string
	All   []Weights
}

// weights writes the weights as declarations. It also returns the types that the
// file cannot name.
func (d *declarer) weights(n *Names, chosen Chosen, lib string) (text string, left []string) {
	var b strings.Builder
	seen := map[string]bool{} // external tests may write the same type differently
	for _, w := range chosen.All {
		expr, ok := n.Try(func() string { return d.typeExpr(n, w) })
		if !ok {
			left = append(left, w.Type)
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

// typeExpr writes the type as the file must. The file may import packages under
// other names than the test binary, or belong to one of them.
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
			n.bad = true // a type literal is not repeated
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

// qualified writes a name of another package.
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

// bare checks a predeclared name, or a name of the package that the property is
// in.
func (d *declarer) bare(n *Names, w Weights, name string) {
	switch obj := d.home.Types.Scope().Lookup(name); {
	case obj != nil && w.External == d.home.External:
		d.known(n, obj, name)
	case obj != nil || types.Universe.Lookup(name) == nil:
		n.bad = true
	}
}

// known writes the name of a type, if the type is declared wherever the file is
// built.
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
