package facts

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
)

// Kind is what a Builder is.
type Kind uint8

// The kinds of builders.
const (
	Function Kind = iota // makes a value of its arguments
	Method               // makes a value of its receiver and arguments
	Mutator              // changes its receiver
)

func (k Kind) String() string { return [...]string{"function", "method", "mutator"}[k] }

// Builder is a function with which the package makes, or changes, values of a type of
// its own.
type Builder struct {
	Kind Kind
	Type types.Type // of the first result, or what the receiver points to
	Pos  token.Position
	// Small are the arguments, the receiver first, that say how much memory it
	// takes or how long it goes on.
	Small []int

	fun  *types.Func
	args []types.Type // of a generic function, or of its receiver
}

// Turned is a function that would be a Builder, and the reason why it is none.
type Turned struct {
	Name, Why string
	Pos       token.Position
}

const (
	// buildersMax is how many builders a package may have: an interface has 163 in
	// the largest library that the thesis has tried them on (section 6.2).
	buildersMax = 512
	// instancesMax is how many instances of a generic type are looked at.
	instancesMax = 16
)

// Builders finds the exported functions and methods of a package that make values of
// its types, and the methods that change them. They must be safe to call with any
// arguments, and each argument must be of a type of which values can be made up;
// those that fall short are given too.
func (x *Index) Builders(pkg *load.Package) (found []Builder, turned []Turned) {
	given := x.given(pkg)
	for f := range x.prog.Funcs() {
		if f.Pkg != pkg || f.File.Test || !f.Obj.Exported() || !reachable(f.Obj, given) || !x.candidate(pkg, f, f.Obj.Signature()) {
			continue
		}
		instances, why := x.instances(f.Obj, pkg)
		if ast.IsGenerated(f.File.AST) {
			instances, why = nil, "its file is generated"
		}
		for _, i := range instances {
			if why = cmp.Or(x.refuse(i), shares(f)); why != "" {
				break
			}
			if len(found) == buildersMax {
				why = fmt.Sprintf("the package has more than %d others", buildersMax)
				break
			}
			found = append(found, x.builder(f, i))
		}
		if why != "" {
			turned = append(turned, Turned{plainName(f.Obj), why, x.at(f.Decl.Name.Pos())})
		}
	}
	return append(found, x.abroad(pkg)...), turned
}

// abroad are the builders of generic types of other packages for arguments that are
// types of this one, which only this one can name.
func (x *Index) abroad(pkg *load.Package) (found []Builder) {
	if !slices.ContainsFunc(x.used, func(t types.Type) bool { return has(t, pkg) }) {
		return nil
	}
	for f := range x.prog.Funcs() {
		sig := f.Obj.Signature()
		if f.Pkg == pkg || f.File.Test || !f.Obj.Exported() ||
			sig.TypeParams().Len()+sig.RecvTypeParams().Len() == 0 || !x.candidate(f.Pkg, f, sig) {
			continue
		}
		instances, _ := x.instances(f.Obj, pkg)
		for _, i := range instances {
			ours := slices.ContainsFunc(i.args, func(t types.Type) bool { return has(t, pkg) })
			if ours && x.refuse(i) == "" && shares(f) == "" && len(found) < buildersMax {
				found = append(found, x.builder(f, i))
			}
		}
	}
	return found
}

// has reports whether a type is one of the package, or an instance with one.
func has(t types.Type, pkg *load.Package) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		return has(t.Elem(), pkg)
	case *types.Slice:
		return has(t.Elem(), pkg)
	case *types.Named:
		if t.TypeArgs().Len() == 0 && belongs(pkg, t.Obj()) {
			return true
		}
		return slices.ContainsFunc(slices.Collect(t.TypeArgs().Types()), func(a types.Type) bool { return has(a, pkg) })
	}
	return false
}

// given are the types of a package that its exported functions give out, by which
// others come to have values of types that they cannot name.
func (x *Index) given(pkg *load.Package) map[string]bool {
	all := map[string]bool{}
	for f := range x.prog.Funcs() {
		if f.Pkg != pkg || f.File.Test || !f.Obj.Exported() || f.Decl.Recv != nil {
			continue
		}
		for r := range f.Obj.Signature().Results().Variables() {
			all[strings.TrimPrefix(variantName(r.Type()), "*")] = true
		}
	}
	return all
}

// reachable reports whether code outside can call a function: a method of a type that
// is not exported may be there for the package itself.
func reachable(f *types.Func, given map[string]bool) bool {
	r := f.Signature().Recv()
	if r == nil {
		return true
	}
	name := strings.TrimPrefix(variantName(r.Type()), "*")
	return ast.IsExported(name[strings.LastIndexByte(name, '.')+1:]) || given[name]
}

func (x *Index) builder(f load.Func, i instance) Builder {
	b := Builder{Kind: kindOf(f), Pos: x.at(f.Decl.Name.Pos()), Small: x.sized(f), fun: f.Obj, args: i.args}
	if b.Kind == Mutator {
		b.Type = i.sig.Recv().Type().(*types.Pointer).Elem()
	} else {
		b.Type = i.sig.Results().At(0).Type()
	}
	return b
}

// candidate reports whether a function has the results of a builder.
func (x *Index) candidate(pkg *load.Package, f load.Func, sig *types.Signature) bool {
	if x.isMutator(f, sig) {
		return true
	}
	r := sig.Results()
	if r.Len() == 0 || r.Len() > 2 || r.Len() == 2 && !isStatus(r.At(1).Type()) {
		return false
	}
	return x.isOwn(pkg, r.At(0).Type())
}

// isStatus reports whether a result says if the arguments were any good.
func isStatus(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type()) || types.Identical(t, types.Typ[types.Bool])
}

// isOwn reports whether a type is declared in the package, or points to a struct that
// is. Of interfaces those count whose variants are known.
func (x *Index) isOwn(pkg *load.Package, t types.Type) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		if _, ok := p.Elem().Underlying().(*types.Struct); !ok {
			return false
		}
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok || known(t) == "" || n.Obj().Pkg() != pkg.Types {
		return false
	}
	return !types.IsInterface(t) || x.isSum(t)
}

func kindOf(f load.Func) Kind {
	switch r := f.Obj.Signature().Results(); {
	case f.Decl.Recv == nil:
		return Function
	case r.Len() == 0, r.Len() == 1 && isStatus(r.At(0).Type()):
		return Mutator
	}
	return Method
}

// refuse says why a function is no builder although it has the results of one.
func (x *Index) refuse(i instance) string {
	if i.copies() {
		return "it copies its receiver"
	}
	if r := i.sig.Recv(); r != nil {
		if why := x.madeUp(r.Type()); why != "" {
			return "its receiver is " + why
		}
	}
	for p := range i.sig.Params().Variables() {
		if why := x.madeUp(p.Type()); why != "" {
			return fmt.Sprintf("its parameter %s %s is %s", p.Name(), typeText(p.Type()), why)
		}
	}
	return x.unsafe(i.fun)
}

// shares says why a function may give the same value to all who ask: it returns what
// a variable of a package holds, or a part of it. A run that changed it would change
// the inputs of later ones.
func shares(f load.Func) (why string) {
	ast.Inspect(f.Decl.Body, func(n ast.Node) bool {
		r, ok := n.(*ast.ReturnStmt)
		if !ok {
			return why == ""
		}
		for _, e := range r.Results {
			if v := held(f.Pkg.Info, e); v != nil {
				why = "it gives what the variable " + v.Name() + " holds"
			}
		}
		return false
	})
	return why
}

// held is the variable of a package that an expression is, or a part of, if what it
// holds can be changed.
func held(info *types.Info, e ast.Expr) *types.Var {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := info.Uses[x].(*types.Var)
		if !ok || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() {
			return nil
		}
		switch v.Type().Underlying().(type) {
		case *types.Pointer, *types.Map, *types.Slice:
			return v
		}
	case *ast.SelectorExpr:
		if v := held(info, x.Sel); v != nil {
			return v
		}
		return held(info, x.X)
	case *ast.IndexExpr:
		return held(info, x.X)
	case *ast.SliceExpr:
		return held(info, x.X)
	case *ast.UnaryExpr:
		if id, ok := ast.Unparen(x.X).(*ast.Ident); ok && x.Op == token.AND {
			if v, ok := info.Uses[id].(*types.Var); ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
				return v
			}
		}
		return held(info, x.X)
	}
	return nil
}

// typeText writes a type for people.
func typeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// copyNames are what methods are called that only copy: what they give was there
// before, and generated types have thousands of them.
var copyNames = []string{"Clone", "Copy", "DeepCopy"}

// copies reports whether a method gives nothing but its receiver once more.
func (i instance) copies() bool {
	return i.sig.Recv() != nil && i.sig.Params().Len() == 0 && slices.Contains(copyNames, i.fun.Name())
}

// Expr writes the function as an expression: New, (*Tree).Insert, NewSet[int].
func (b Builder) Expr(n *Names) string {
	r := b.fun.Signature().Recv()
	if r == nil {
		return n.object(b.fun) + n.arguments(b.args)
	}
	t := r.Type()
	p, pointer := types.Unalias(t).(*types.Pointer)
	if pointer {
		t = p.Elem()
	}
	text := n.object(types.Unalias(t).(*types.Named).Obj()) + n.arguments(b.args)
	if pointer {
		text = "(*" + text + ")"
	}
	return text + "." + b.fun.Name()
}

// Name is the function as code outside of its package writes it, if it is generic:
// the linker forgets its type arguments. It is empty for others.
func (b Builder) Name() string {
	if len(b.args) == 0 {
		return ""
	}
	return b.Expr(plainly())
}

// plainName is a function as code of its package writes it, for people to read.
func plainName(f *types.Func) string {
	r := f.Signature().Recv()
	if r == nil {
		return f.Name()
	}
	text := types.TypeString(r.Type(), func(*types.Package) string { return "" })
	if strings.HasPrefix(text, "*") {
		text = "(" + text + ")"
	}
	return text + "." + f.Name()
}
