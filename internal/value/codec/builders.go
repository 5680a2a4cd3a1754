//go:build go1.25

package codec

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// SourceBuilder is a function of a package that makes values of a type, or a method that changes
// them, as the source shows it.
type SourceBuilder struct {
	Name    string
	Method  bool  // it has a pointer receiver, which it changes
	Pointer bool  // it returns a pointer to the type
	Generic bool  // it has type parameters of its own
	Adds    bool  // its name says that it adds something
	Panics  bool  // it calls panic
	Args    int   // parameters, without the receiver
	Small   []int // arguments that seem to be lengths; the receiver is argument 0
}

// builderDecl is a SourceBuilder with what decides whether allele can call it.
type builderDecl struct {
	SourceBuilder
	params []ast.Expr
	free   map[string]bool // type parameters
	test   bool            // it is declared in a test file
	of     string          // the type
	parses bool            // it may fail and takes a text, so it may refuse nearly all texts
}

// Builders returns the functions of the package that return a value of a type, or a pointer to
// one, and the methods that change it. It leaves out those with parameters for which nothing can
// be generated, such as functions and interfaces, as far as the source shows it. Functions whose
// names begin with New come first, then other functions, methods that seem to add something, and
// other methods. A function of a test file counts only for a type of a test file.
func (p *PackageConsts) Builders(typeName string) (all []SourceBuilder) {
	p.load()
	inTest := false
	decls := p.makers[typeName]
	for _, d := range decls {
		inTest = inTest || d.test && d.Method // methods are in the package of their type
	}
	decls = slices.DeleteFunc(slices.Clone(decls), func(d *builderDecl) bool {
		return d.parses || d.test && !inTest || slices.ContainsFunc(d.params, func(e ast.Expr) bool { return !p.derivable(d, e) })
	})
	slices.SortStableFunc(decls, func(a, b *builderDecl) int { return a.rank() - b.rank() })
	for _, d := range decls {
		all = append(all, d.SourceBuilder)
	}
	return all
}

// adding are the first words of methods that make a container larger.
var adding = []string{"Push", "Add", "Insert", "Append", "Put", "Set", "Enqueue", "Store", "Offer", "Prepend", "Upsert", "Replace", "Union"}

func (d *builderDecl) rank() int {
	switch {
	case !d.Method && strings.HasPrefix(d.Name, "New"):
		return 0
	case !d.Method:
		return 1
	case d.Adds:
		return 2
	}
	return 3
}

// builder records a function that makes values of a type, and a method that changes them.
func (p *PackageConsts) builder(f *ast.FuncDecl, test bool) {
	d := &builderDecl{SourceBuilder: SourceBuilder{Name: f.Name.Name}, free: map[string]bool{}, test: test}
	var results []ast.Expr
	if f.Type.Results != nil {
		results = flatTypes(f.Type.Results)
	}
	d.params = flatTypes(f.Type.Params)
	d.Args = len(d.params)
	d.Small = small(f)
	d.Panics = f.Body != nil && panics(f.Body)
	d.parses = len(results) > 0 && succeeds(results[len(results)-1]) && slices.ContainsFunc(d.params, isText)
	if f.Recv != nil && d.changes(f, results) || f.Recv == nil && d.makes(f, results) {
		p.makers[d.of] = append(p.makers[d.of], d)
	}
}

// succeeds reports whether a result says that a function has succeeded.
func succeeds(e ast.Expr) bool { return typeKey(e) == "error" || typeKey(e) == "bool" }

// makes reports whether a function returns a value, or a value and an error or bool.
func (d *builderDecl) makes(f *ast.FuncDecl, results []ast.Expr) bool {
	if len(results) == 0 || len(results) > 2 || len(results) == 2 && !succeeds(results[1]) {
		return false
	}
	result := results[0]
	if star, ok := result.(*ast.StarExpr); ok {
		d.Pointer, result = true, star.X
	}
	d.typeParams(f.Type.TypeParams)
	d.of = d.named(result)
	return true
}

// changes reports whether a method with arguments seems to change its receiver: it returns nothing
// or an error or, if its name says that it adds something, a bool. Other methods with a bool are
// questions.
func (d *builderDecl) changes(f *ast.FuncDecl, results []ast.Expr) bool {
	star, ok := f.Recv.List[0].Type.(*ast.StarExpr)
	if !ok || !token.IsExported(d.Name) || d.Args == 0 || len(results) > 1 {
		return false
	}
	d.Method, d.Adds = true, slices.ContainsFunc(adding, func(word string) bool { return strings.HasPrefix(d.Name, word) })
	if len(results) == 1 && (!succeeds(results[0]) || typeKey(results[0]) == "bool" && !d.Adds) {
		return false
	}
	d.of = d.named(star.X)
	return true
}

func isText(e ast.Expr) bool { return typeKey(e) == "string" || typeKey(e) == "[]byte" }

func (d *builderDecl) typeParams(fs *ast.FieldList) {
	if fs == nil {
		return
	}
	d.Generic = true
	for _, f := range fs.List {
		for _, name := range f.Names {
			d.free[name.Name] = true
		}
	}
}

// named returns the name of a type without its type arguments. The arguments of a receiver are
// the type parameters of the method.
func (d *builderDecl) named(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.IndexExpr:
		return d.index(x.X, x.Index)
	case *ast.IndexListExpr:
		return d.index(x.X, x.Indices...)
	}
	return typeKey(e)
}

func (d *builderDecl) index(of ast.Expr, args ...ast.Expr) string {
	for _, a := range args {
		if id, ok := a.(*ast.Ident); ok && d.Method {
			d.free[id.Name] = true
		}
	}
	return typeKey(of)
}

// flatTypes returns the type of each parameter or result.
func flatTypes(fs *ast.FieldList) (all []ast.Expr) {
	for _, f := range fs.List {
		for range max(1, len(f.Names)) {
			all = append(all, f.Type)
		}
	}
	return all
}

// lengths are names of parameters that are mostly lengths or capacities.
var lengths = []string{"size", "cap", "capacity", "len", "length", "degree", "buckets", "shards", "initial"}

// small returns the arguments of a function that seem to be lengths: numbers that a make or a loop
// depends on, and those with the name of a length.
func small(f *ast.FuncDecl) (all []int) {
	i := 0
	if f.Recv != nil {
		i = 1
	}
	for _, p := range f.Type.Params.List {
		id, ok := p.Type.(*ast.Ident)
		number := ok && (strings.HasPrefix(id.Name, "int") || strings.HasPrefix(id.Name, "uint"))
		for _, name := range p.Names {
			if number && f.Body != nil && sizes(f.Body, name.Name) {
				all = append(all, i)
			}
			i++
		}
		if len(p.Names) == 0 {
			i++
		}
	}
	return all
}

// sizes reports whether the memory or time that a body needs seems to depend on a parameter.
func sizes(body *ast.BlockStmt, param string) (is bool) {
	word := strings.ToLower(param)
	if slices.ContainsFunc(lengths, func(s string) bool { return strings.HasPrefix(word, s) || strings.HasSuffix(word, s) }) {
		return true
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			fun, _ := n.Fun.(*ast.Ident)
			is = is || fun != nil && fun.Name == "make" && slices.ContainsFunc(n.Args, func(e ast.Expr) bool { return mentions(e, param) })
		case *ast.ForStmt:
			is = is || n.Cond != nil && mentions(n.Cond, param)
		case *ast.RangeStmt:
			is = is || mentions(n.X, param)
		}
		return !is
	})
	return is
}

// panics reports whether a body calls panic.
func panics(body *ast.BlockStmt) (does bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok {
			fun, _ := call.Fun.(*ast.Ident)
			does = does || fun != nil && fun.Name == "panic"
		}
		return !does
	})
	return does
}

// mentions reports whether an expression contains a name.
func mentions(e ast.Expr, name string) (is bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		is = is || ok && id.Name == name
		return !is
	})
	return is
}

// derivable reports whether values of a parameter's type can be generated, as far as the source
// of the package shows it.
func (p *PackageConsts) derivable(d *builderDecl, e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name != "any" && x.Name != "error" && !p.odd[x.Name] || d.free[x.Name]
	case *ast.StarExpr:
		return p.derivable(d, x.X)
	case *ast.Ellipsis:
		return p.derivable(d, x.Elt)
	case *ast.ArrayType:
		return p.derivable(d, x.Elt)
	case *ast.MapType:
		return p.derivable(d, x.Key) && p.derivable(d, x.Value)
	case *ast.IndexExpr:
		return p.derivable(d, x.X) && p.derivable(d, x.Index)
	case *ast.SelectorExpr:
		return slices.Contains([]string{"time.Time", "time.Duration", "netip.Addr", "big.Int"}, qualifierOf(x)+"."+x.Sel.Name)
	}
	return false
}

// OptionBuilder returns an exported function that makes values of a type from options: values of a
// function type or an interface that exported functions of the package make. It returns "" if there is
// none. Only the command uses such functions.
func (p *PackageConsts) OptionBuilder(typeName string) string {
	p.load()
	for _, d := range p.makers[typeName] {
		options := false
		fits := func(e ast.Expr) bool {
			is := p.isOption(e)
			options = options || is
			return is || p.derivable(d, e)
		}
		all := !slices.ContainsFunc(d.params, func(e ast.Expr) bool { return !fits(e) })
		if d.callable() && !d.Method && all && options {
			return d.Name
		}
	}
	return ""
}

// TextBuilder returns an exported function that makes values of a type and may refuse a text or, if there
// is none, a method that reads a text. It returns "" if there is neither.
func (p *PackageConsts) TextBuilder(typeName string) (name string, method bool) {
	p.load()
	for _, d := range p.makers[typeName] {
		switch {
		case !d.callable():
		case d.parses && !d.Method && !slices.ContainsFunc(d.params, func(e ast.Expr) bool { return !p.derivable(d, e) }):
			return d.Name, false
		case d.Method && slices.Contains([]string{"Scan", "UnmarshalText", "UnmarshalJSON"}, d.Name):
			name, method = d.Name, true
		}
	}
	return name, method
}

func (d *builderDecl) callable() bool { return token.IsExported(d.Name) && !d.test }

// isOption reports whether a parameter has options: an exported function makes them.
func (p *PackageConsts) isOption(e ast.Expr) bool {
	if list, ok := e.(*ast.Ellipsis); ok {
		e = list.Elt
	}
	name, ok := e.(*ast.Ident)
	return ok && p.odd[name.Name] && slices.ContainsFunc(p.makers[name.Name], func(d *builderDecl) bool {
		return d.callable() && !d.parses && !slices.ContainsFunc(d.params, func(e ast.Expr) bool { return !p.derivable(d, e) })
	})
}
