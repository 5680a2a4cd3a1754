//go:build go1.25

package worth

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Reasons why a change is not made unless somebody asks for it.
const (
	ErrorText = "text of an error"
	LogLine   = "log line"
)

// Quiet returns what a change changes that hardly anybody tests, or "": a constant that is an argument of a function which makes an
// error, such as fmt.Errorf, a call of a logger, or a constant that is an argument of such a call. What a function
// computes for a text is something else: the call may have other effects, and the value may be wrong.
func (p *Package) Quiet(c Change) string {
	switch {
	case c.Operator == "delete":
		s, ok := c.Node.(*ast.ExprStmt)
		if !ok {
			return ""
		}
		if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok && p.logs(call) && !ends(call) && p.onlyTexts(call.Args) {
			return LogLine
		}
	case c.constant():
		call, _ := p.argument(c.Node)
		switch {
		case call == nil:
		case p.makesError(call):
			return ErrorText
		case p.logs(call):
			return LogLine
		}
	}
	return ""
}

// errorMakers are the functions that make an error of a text, by the path of their package.
var errorMakers = map[string][]string{
	"errors":                        {"New"},
	"fmt":                           {"Errorf"},
	"golang.org/x/xerrors":          {"New", "Errorf"},
	"github.com/pkg/errors":         {"New", "Errorf", "Wrap", "Wrapf", "WithMessage", "WithMessagef"},
	"github.com/cockroachdb/errors": {"New", "Newf", "Errorf", "Wrap", "Wrapf", "WithMessage", "WithMessagef"},
}

func (p *Package) makesError(call *ast.CallExpr) bool {
	f := p.callee(call)
	return f != nil && f.Pkg() != nil && f.Signature().Recv() == nil && slices.Contains(errorMakers[f.Pkg().Path()], f.Name())
}

// logPackages are packages whose functions write log lines.
var logPackages = []string{"log", "log/slog", "github.com/sirupsen/logrus", "github.com/golang/glog", "k8s.io/klog", "k8s.io/klog/v2",
	"github.com/charmbracelet/log", "github.com/apex/log"}

// logTypes are types whose methods write or collect log lines, besides those that are called Logger.
var logTypes = []string{
	"github.com/sirupsen/logrus.Entry", "github.com/rs/zerolog.Event", "go.uber.org/zap.SugaredLogger",
	"github.com/sirupsen/logrus.FieldLogger", "github.com/sirupsen/logrus.StdLogger", "github.com/sirupsen/logrus.Ext1FieldLogger",
}

// logNames are the names of functions and methods that write a log line, without an f, ln, w or Context at the end.
var logNames = []string{"print", "log", "trace", "debug", "info", "notice", "warn", "warning", "error", "fatal", "panic",
	"msg", "send", "verbose"}

// logs reports whether a call writes a log line. It returns nothing that the program could use.
func (p *Package) logs(call *ast.CallExpr) bool {
	f := p.callee(call)
	if f == nil || f.Pkg() == nil || f.Signature().Results().Len() > 0 || !isLogName(f.Name()) {
		return false
	}
	recv := f.Signature().Recv()
	if recv == nil {
		return slices.Contains(logPackages, f.Pkg().Path()) && f.Pkg() != p.types
	}
	if f.Pkg().Path() == "testing" {
		return f.Name() == "Log" || f.Name() == "Logf"
	}
	named := p.receiver(call, recv.Type())
	if named == nil || named.Obj().Pkg() == nil {
		return false
	}
	// A package that implements a logger tests what it writes. An interface that it declares is what it needs of a logger.
	if _, iface := named.Underlying().(*types.Interface); named.Obj().Pkg() == p.types && !iface {
		return false
	}
	name := named.Obj().Name()
	return strings.EqualFold(name, "Logger") || slices.Contains(logTypes, named.Obj().Pkg().Path()+"."+name)
}

// receiver returns the type that a method is called on, or the one that declares the method.
func (p *Package) receiver(call *ast.CallExpr, declared types.Type) *types.Named {
	t := declared
	if s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && p.info.TypeOf(s.X) != nil {
		if _, value := p.info.Selections[s]; value {
			t = p.info.TypeOf(s.X)
		}
	}
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// ends reports whether a call may end the process or the goroutine after it has written a log line, as log.Fatal does. Some
// loggers say so in an earlier call: log.Fatal().Msg("no file").
func ends(call *ast.CallExpr) (found bool) {
	ast.Inspect(call.Fun, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			name := strings.ToLower(id.Name)
			found = found || strings.HasPrefix(name, "fatal") || strings.HasPrefix(name, "panic")
		}
		return !found
	})
	return found
}

// onlyTexts reports whether the arguments of a call have no effects, as far as that is known.
func (p *Package) onlyTexts(args []ast.Expr) bool {
	only := true
	for _, a := range args {
		ast.Inspect(a, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.UnaryExpr:
				only = only && n.Op != token.ARROW
			case *ast.CallExpr:
				only = only && p.makesText(n)
			}
			return only
		})
	}
	return only
}

func isLogName(name string) bool {
	name = strings.ToLower(name)
	for _, end := range []string{"", "context", "ln", "f", "w"} {
		if base, ok := strings.CutSuffix(name, end); ok && slices.Contains(logNames, base) {
			return true
		}
	}
	return false
}
