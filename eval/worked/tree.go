package worked

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
)

// tree is a search tree that is parsed from the Go syntax in the log.
type tree struct {
	l, r *tree
	key  string
}

// String returns the tree on one line: the key, followed by the left and the right
// subtree, in parentheses. If only the left subtree is empty, a dot stands for it.
func (t *tree) String() string {
	switch {
	case t == nil:
		return "·"
	case t.l == nil && t.r == nil:
		return "(" + t.key + ")"
	case t.r == nil:
		return fmt.Sprintf("(%s %s)", t.key, t.l)
	}
	return fmt.Sprintf("(%s %s %s)", t.key, t.l, t.r)
}

func (t *tree) size() int {
	if t == nil {
		return 0
	}
	return 1 + t.l.size() + t.r.size()
}

// read parses an input: a composite literal with the fields Tree and Key.
func read(input string) (t *tree, key string, err error) {
	fields, err := parse(input)
	if err != nil {
		return nil, "", err
	}
	t, err = treeOf(fields["Tree"])
	return t, number(fields["Key"]), err
}

// parse returns the fields of a composite literal. The literal may come from a stored
// case, which also has comments, and in which the name of the literal's type is "in".
func parse(input string) (map[string]ast.Expr, error) {
	e, err := parser.ParseExprFrom(token.NewFileSet(), "", input, 0)
	if err != nil {
		return nil, err
	}
	return fieldsOf(e)
}

func fieldsOf(e ast.Expr) (map[string]ast.Expr, error) {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil, fmt.Errorf("%s is not a composite literal", types.ExprString(e))
	}
	fields := map[string]ast.Expr{}
	for _, x := range lit.Elts {
		kv, ok := x.(*ast.KeyValueExpr)
		if !ok {
			return nil, errors.New("a field has no name")
		}
		fields[types.ExprString(kv.Key)] = kv.Value
	}
	return fields, nil
}

func treeOf(e ast.Expr) (*tree, error) {
	if e == nil || types.ExprString(e) == "nil" {
		return nil, nil
	}
	fields, err := fieldsOf(e)
	if err != nil {
		return nil, err
	}
	t := &tree{key: number(fields["K"])}
	if t.l, err = treeOf(fields["L"]); err != nil {
		return nil, err
	}
	t.r, err = treeOf(fields["R"])
	return t, err
}

// number returns the text of a key. A missing field is 0.
func number(e ast.Expr) string {
	if e == nil {
		return "0"
	}
	return types.ExprString(e)
}
