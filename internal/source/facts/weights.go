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

// Weights are how often to choose each constructor of a type.
type Weights struct {
	Type     string            // as the package of the property writes it
	Imports  map[string]string // that it needs there, from paths to names
	External bool              // that is a package of external tests
	From     string            // where they are from, in words
	Ways     []Way
}

// Way is a constructor, by the name that allele.Weight takes.
type Way struct {
	Name string
	Odds float64
}

// Weight is how the odds are written: three digits are as much as anybody can see.
func (w Way) Weight() string { return strconv.FormatFloat(w.Odds, 'g', 3, 64) }

// Chosen is weights with what to say about all of them, each a line.
type Chosen struct {
	About []string
	All   []Weights
}

// weights writes declarations, and lists the types that cannot be named in the file.
func (d *declarer) weights(n *Names, chosen Chosen, lib string) (text string, left []string) {
	var b strings.Builder
	seen := map[string]bool{} // external tests call a type otherwise
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

// typeExpr is the type as the file has it, which may import packages under other
// names than the test binary knows them by, or be part of one of them.
func (d *declarer) typeExpr(n *Names, w Weights) string {
	tree, err := parser.ParseExpr(w.Type)
	if err != nil {
		n.bad = true
		return w.Type
	}
	text := w.Type
	replace := func(at ast.Node, with string) { // from the end on, so that positions hold
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
			n.bad = true // nobody writes such a type twice
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

// qualified is a name of another package.
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

// bare checks a name of the language, or of the package that the property is in.
func (d *declarer) bare(n *Names, w Weights, name string) {
	switch obj := d.home.Types.Scope().Lookup(name); {
	case obj != nil && w.External == d.home.External:
		d.known(n, obj, name)
	case obj != nil || types.Universe.Lookup(name) == nil:
		n.bad = true
	}
}

// known writes the name of a type, if it is declared wherever the file is built.
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
