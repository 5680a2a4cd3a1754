//go:build go1.25

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

// Kind is the kind of a Builder.
type Kind uint8

// The kinds of builders.
const (
	Function Kind = iota // makes a value from its arguments
	Method               // makes a value from its receiver and arguments
	Mutator              // changes its receiver
)

func (k Kind) String() string { return [...]string{"function", "method", "mutator"}[k] }

// Builder is a function that makes or changes values of a type that its package
// declares.
type Builder struct {
	Kind Kind
	Type types.Type // type of the first result; for a Mutator, the type that the receiver points to
	Pos  token.Position
	// Small lists the arguments that determine how much memory or time the function
	// takes. The receiver, if any, is argument 0.
	Small []int

	// Test means that the function is in a test file, or needs a type that test files declare.
	Test bool

	fun  *types.Func
	args []types.Type // type arguments of a generic function, or of its receiver
}

// Rejected is a function that looks like a Builder, and the reason why it is not
// used as one.
type Rejected struct {
	Name, Why string
	Pos       token.Position
}

const (
	// buildersMax is how many builders a package may have. In the largest library in
	// Mista's thesis (see package value/weight), an interface has 163 builders (section
	// 6.2).
	buildersMax = 512
	// instancesMax is how many instances of a generic function are used.
	instancesMax = 16
)

// Builders finds the exported functions and methods of a package that make values of
// its types, and the methods that change such values. A builder must be safe to call
// with any arguments, and it must be possible to make values of each argument's type.
// Functions that fail these conditions are returned as rejected. A function in a test file
// counts only if a test file declares the type too: such functions may make values of other
// types that the package itself never makes.
func (x *Index) Builders(pkg *load.Package) (found []Builder, rejected []Rejected) {
	returned := x.returned(pkg)
	for f := range x.prog.Funcs() {
		if f.Pkg != pkg || !f.Obj.Exported() || !reachable(f.Obj, returned) || !x.candidate(pkg, f, f.Obj.Signature()) || x.forTests(f) {
			continue
		}
		instances, why := x.instances(f.Obj, pkg)
		if ast.IsGenerated(f.File.AST) {
			instances, why = nil, "its file is generated"
		}
		for _, i := range instances {
			b := x.builder(f, i)
			if b.Test, why = x.refuse(f, i, pkg); why != "" {
				break
			}
			if len(found) == buildersMax {
				why = fmt.Sprintf("the package has more than %d builders", buildersMax)
				break
			}
			found = append(found, b)
		}
		if why != "" {
			rejected = append(rejected, Rejected{plainName(f.Obj), why, x.at(f.Decl.Name.Pos())})
		}
	}
	return append(found, x.foreign(pkg)...), rejected
}

// foreign returns builders from other packages: instances of generic functions whose
// type arguments include a type of this package. They are listed with this package,
// because the function's own package cannot name the type argument.
func (x *Index) foreign(pkg *load.Package) (found []Builder) {
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
			if !ours || len(found) == buildersMax {
				continue
			}
			if test, why := x.refuse(f, i, pkg); why == "" {
				b := x.builder(f, i)
				b.Test = test
				found = append(found, b)
			}
		}
	}
	return found
}

// has reports whether a type is declared in the package, or contains such a type as a
// type argument.
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

// returned lists the types that exported functions of a package return. They may be
// unexported: another package can have a value of a type that it cannot name.
func (x *Index) returned(pkg *load.Package) map[string]bool {
	all := map[string]bool{}
	for f := range x.prog.Funcs() {
		if f.Pkg != pkg || !f.Obj.Exported() || f.Decl.Recv != nil || x.forTests(f) {
			continue
		}
		for r := range f.Obj.Signature().Results().Variables() {
			all[strings.TrimPrefix(variantName(r.Type()), "*")] = true
		}
	}
	return all
}

// reachable reports whether code outside the package can call a function. A method of
// an unexported type is reachable only if an exported function returns this type.
func reachable(f *types.Func, returned map[string]bool) bool {
	r := f.Signature().Recv()
	if r == nil {
		return true
	}
	name := receiver(f)
	return ast.IsExported(name[strings.LastIndexByte(name, '.')+1:]) || returned[name]
}

// receiver returns the name of a method's type, without a star. See known.
func receiver(f *types.Func) string {
	return strings.TrimPrefix(variantName(f.Signature().Recv().Type()), "*")
}

// forTests reports whether a function is in a test file, and no test file declares the type
// that it makes or changes.
func (x *Index) forTests(f load.Func) bool {
	s := f.Obj.Signature()
	made := s.Recv()
	if kindOf(f) != Mutator && s.Results().Len() > 0 {
		made = s.Results().At(0)
	}
	if !f.File.Test || made == nil {
		return f.File.Test
	}
	n, ok := types.Unalias(pointed(made.Type())).(*types.Named)
	return !ok || !x.inTest(n.Obj())
}

// pointed returns the type that a pointer points to, and any other type itself.
func pointed(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
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

// candidate reports whether a function has the result types of a builder.
func (x *Index) candidate(pkg *load.Package, f load.Func, sig *types.Signature) bool {
	if x.isMutator(f, sig) {
		return true
	}
	r := sig.Results()
	if r.Len() == 0 || r.Len() > 2 || r.Len() == 2 && !isStatus(r.At(1).Type()) {
		return false
	}
	return x.isOwn(pkg, r.At(0).Type(), pathOfTests(f))
}

// isStatus reports whether a result type is error or bool, which can report whether the
// arguments were valid.
func isStatus(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type()) || types.Identical(t, types.Typ[types.Bool])
}

// isOwn reports whether a type is declared in the package, or is a pointer to a struct
// type that is declared in the package. An interface counts only if its variants are
// known, or if no other package can implement it: it is made by functions then.
func (x *Index) isOwn(pkg *load.Package, t types.Type, tests string) bool {
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
	u, ok := t.Underlying().(*types.Interface)
	return !ok || x.isSum(t, tests) || sealed(u)
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

// refuse returns the reason why a function with the result types of a builder must not
// be used as a builder by pkg, or "" if it may be used. test is true if only the tests of
// pkg may use it.
func (x *Index) refuse(f load.Func, i instance, pkg *load.Package) (test bool, why string) {
	if why = cmp.Or(x.refuseFor(i, pathOfTests(f)), shares(f)); why == "" || f.File.Test {
		return f.File.Test, why
	}
	return true, cmp.Or(x.refuseFor(i, pkg.Path), shares(f))
}

// refuseFor is refuse for code outside tests, if tests is empty, or for the tests of a package.
func (x *Index) refuseFor(i instance, tests string) string {
	if i.copies() {
		return "it copies its receiver"
	}
	if r := i.sig.Recv(); r != nil {
		if why := x.cannotMake(r.Type(), tests); why != "" {
			return "its receiver is " + why
		}
	}
	for p := range i.sig.Params().Variables() {
		if why := x.cannotMake(p.Type(), tests); why != "" {
			return fmt.Sprintf("its parameter %s %s is %s", p.Name(), typeText(p.Type()), why)
		}
	}
	if r := i.sig.Results(); r.Len() > 0 && large(r.At(0).Type()) {
		return "its result is too large to generate"
	}
	return x.unsafe(i.fun)
}

// shares returns a reason if a function may return the same value to all callers,
// because it returns a package variable or a part of one. Such a function is no
// builder: if a run changed that value, it would change the inputs of later runs.
// Otherwise shares returns "".
func shares(f load.Func) (why string) {
	ast.Inspect(f.Decl.Body, func(n ast.Node) bool {
		r, ok := n.(*ast.ReturnStmt)
		if !ok {
			return why == ""
		}
		for _, e := range r.Results {
			if v := held(f.Pkg.Info, e); v != nil {
				why = "it returns the variable " + v.Name() + ", or a part of it, which all callers share"
			}
		}
		return false
	})
	return why
}

// held returns a package variable if an expression refers to the variable or to a part
// of it, and the variable's value can be changed through the expression. Otherwise it
// returns nil.
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

// typeText returns a type as text for messages.
func typeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// copyNames are names of methods that only copy their receiver. Their results add
// nothing new, and generated types have thousands of them.
var copyNames = []string{"Clone", "Copy", "DeepCopy"}

// copies reports whether a method only returns a copy of its receiver.
func (i instance) copies() bool {
	return i.sig.Recv() != nil && i.sig.Params().Len() == 0 && slices.Contains(copyNames, i.fun.Name())
}

// Expr returns the function as a Go expression: New, (*Tree).Insert, NewSet[int].
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

// Name returns the name of an instance of a generic function, as in set.New[int]. For
// other functions it returns "", because their names are known at run time. The names
// of instances are not: the linker drops the type arguments.
func (b Builder) Name() string {
	if len(b.args) == 0 {
		return ""
	}
	return b.Expr(plainly())
}

// plainName returns the name of a function for messages, as code in its package writes
// it: New, (*Tree).Insert.
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
