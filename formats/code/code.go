// Package code has programs in Lua, Python, JavaScript and sh.
//
// They are one Program, written in several languages: language.go says how each writes a statement,
// and write.go writes. A name in a program is a number, and scope.go decides which of the names that
// were declared it stands for. So a program stays coherent, however its value is changed. Loops have
// few turns, and no function calls itself, so every program ends.
//
// A test without the command declares what statements and expressions can be:
//
//	allele.Check(t, func(t *allele.T, file []byte) { ... }, allele.Through(code.Lua), code.Statements, code.Expressions)
package code

import (
	"fmt"

	"github.com/allele-go/allele"
)

// Program is a program in a small language that Lua, Python, JavaScript and the shell have in
// common. Names in it are numbers: a name that is used is one of those that were declared before,
// whatever the number is, so that a program is coherent after every change of it.
type Program []Stmt

// Stmt is a statement: one of Assign, Print, If, While, For, Func, Return and CallStmt.
type Stmt interface{ stmt() }

// Statements declares what a Stmt can be.
var Statements = allele.Variants[Stmt](Assign{}, Print{}, If{}, While{}, For{}, Func{}, Return{}, CallStmt{})

// Expr is an expression: one of Number, String, Bool, Var, Binary, Not, Call and List.
type Expr interface{ expr() }

// Expressions declares what an Expr can be.
var Expressions = allele.Variants[Expr](Number(0), String(""), Bool(false), Var(0), Binary{}, Not{}, Call{}, List{})

// Ref is a name that is used: its number among the names that were declared.
type Ref uint8

type (
	// Assign declares a name, or changes its value.
	Assign struct {
		New   bool // declares a name
		Var   Ref
		Value Expr
	}
	// Print prints a value.
	Print struct{ Value Expr }
	// If runs one of two lists.
	If struct {
		Cond       Expr
		Then, Else []Stmt
	}
	// While runs a list a few times.
	While struct {
		Cond Expr
		Body []Stmt
	}
	// For runs a list for each number up to a limit.
	For struct {
		Limit uint8
		Body  []Stmt
	}
	// Func declares a function.
	Func struct {
		Params uint8
		Body   []Stmt
	}
	// Return returns from a function.
	Return struct{ Value Expr }
	// CallStmt calls a function.
	CallStmt struct{ Call Call }
)

type (
	// Number is a number.
	Number float64
	// String is a text.
	String string
	// Bool is true or false.
	Bool bool
	// Var is the value of a name.
	Var Ref
	// Binary is an operation of two values.
	Binary struct {
		Op          Op
		Left, Right Expr
	}
	// Not is the opposite of a value.
	Not struct{ Value Expr }
	// Call is a call of a function that was declared.
	Call struct {
		Func Ref
		Args []Expr
	}
	// List is a list of values.
	List []Expr
)

// Op is an operator.
type Op uint8

const (
	Add Op = iota
	Sub
	Mul
	Less
	Equal
	And
	Or
	Concat
	ops
)

func (Assign) stmt()   {}
func (Print) stmt()    {}
func (If) stmt()       {}
func (While) stmt()    {}
func (For) stmt()      {}
func (Func) stmt()     {}
func (Return) stmt()   {}
func (CallStmt) stmt() {}
func (Number) expr()   {}
func (String) expr()   {}
func (Bool) expr()     {}
func (Var) expr()      {}
func (Binary) expr()   {}
func (Not) expr()      {}
func (Call) expr()     {}
func (List) expr()     {}

// Lua writes a program in Lua.
func Lua(v Program) ([]byte, error) { return Source("lua", v, true) }

// Python writes a program in Python.
func Python(v Program) ([]byte, error) { return Source("python", v, true) }

// JavaScript writes a program in JavaScript.
func JavaScript(v Program) ([]byte, error) { return Source("javascript", v, true) }

// Shell writes a script for sh.
func Shell(v Program) ([]byte, error) { return Source("sh", v, true) }

// Source writes a program in a language: lua, python, javascript or sh. If coherent is false, the names in it are used as their
// numbers say, whether they were declared or not: for experiments.
func Source(name string, v Program, coherent bool) ([]byte, error) {
	l, ok := languages[name]
	if !ok {
		return nil, fmt.Errorf("programs cannot be written in %q", name)
	}
	return l.program(v, newScope(coherent)), nil
}
