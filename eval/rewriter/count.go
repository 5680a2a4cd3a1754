package rewriter

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// count counts the constructs of a program: the nodes of its functions by kind, and
// operators, branches and assignments by token.
func count(src string, seen map[string]int) error {
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", src, parser.ParseComments)
	if err != nil {
		return err
	}
	shadows := []string{"true", "false", "len", "append", "bool", "uint32", "nil"}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || !slices.Contains([]string{"run", "helper", "method", "generic"}, fn.Name.Name) {
			continue // the rest is the same in all programs
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if n == nil {
				return false
			}
			seen[strings.TrimPrefix(fmt.Sprintf("%T", n), "*ast.")]++
			switch n := n.(type) {
			case *ast.BinaryExpr:
				seen["operator "+n.Op.String()]++
			case *ast.BranchStmt:
				name := n.Tok.String()
				if n.Label != nil && n.Tok != token.GOTO {
					name += " with a label"
				}
				seen[name]++
			case *ast.AssignStmt:
				seen["assignment "+n.Tok.String()]++
				if id, ok := n.Lhs[0].(*ast.Ident); ok && n.Tok == token.DEFINE && slices.Contains(shadows, id.Name) {
					seen["shadowed "+id.Name]++
				}
			case *ast.RangeStmt:
				seen[fmt.Sprintf("range over %T", ast.Unparen(n.X))]++
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "panic" || id.Name == "recover") {
					seen[id.Name]++
				}
				if _, ok := n.Fun.(*ast.FuncLit); ok {
					seen["closure called at once"]++
				}
			}
			return true
		})
	}
	seen["comment"] += len(f.Comments)
	return nil
}

// wanted are constructs that must occur in the programs of each run.
var wanted = strings.Split("IfStmt,ForStmt,RangeStmt,SwitchStmt,TypeSwitchStmt,SelectStmt,GoStmt,DeferStmt,ReturnStmt,LabeledStmt,"+
	"IncDecStmt,SendStmt,DeclStmt,FuncLit,CompositeLit,IndexExpr,SliceExpr,StarExpr,UnaryExpr,IndexListExpr,ParenExpr,EmptyStmt,"+
	"goto,fallthrough,break,continue,break with a label,continue with a label,panic,recover,closure called at once,comment,"+
	"assignment =,assignment :=,assignment +=,assignment -=,assignment *=,assignment /=,assignment <<=,assignment &^=,"+
	"operator &&,operator ||,operator ==,operator !=,operator <,operator <=,operator >,operator >=,operator <<,operator >>,"+
	"shadowed true,shadowed false,shadowed len,shadowed append,shadowed bool,shadowed uint32,shadowed nil,"+
	"range over *ast.BasicLit,range over *ast.CompositeLit,range over *ast.SelectorExpr,range over "+
	"*ast.Ident,range over *ast.UnaryExpr", ",")

func missing(seen map[string]int) (names []string) {
	for _, name := range wanted {
		if seen[name] == 0 {
			names = append(names, name)
		}
	}
	return names
}
