//go:build go1.25

package worth

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// body is a function body in which a part of the source is marked, as in return «x» + 1.
type body string

// packages has the packages that bodies may import.
const packages = `import ("bufio"; "bytes"; "context"; "encoding/binary"; "errors"; "fmt"; "io"; "log"; "log/slog"; "os"; "regexp"; "runtime"; "slices"
	"sort"; "strconv"; "strings"; "testing"; "time")
var _ = []any{bufio.NewReader, bytes.NewBuffer, context.TODO, binary.BigEndian, errors.New, fmt.Sprint, io.EOF, log.Print, slog.Info, os.Exit,
	regexp.MustCompile, runtime.GC, slices.Max[[]int], sort.Slice, strconv.Itoa, strings.Index, testing.Init, time.Sleep}
`

const declarations = `
type text string
type Logger struct{}
func (Logger) Infof(string, ...any) {}
type Printer interface { Printf(string, ...any) }
type Failure struct { Msg string; Code int; Err error }
func (f *Failure) Error() string { return f.Msg }
func errorf(format string, args ...any) error { return fmt.Errorf(format, args...) }
func query(text string, args ...any) {}
func label(text string) string { return text }
func label2(x int) int { return x }
var errNone = errors.New("none")
`

var std = importer.Default()

// change returns the change of the marked part, which is an expression or a statement. The body may be a whole declaration.
func (b body) change(t *testing.T, operator, to string) (*Package, Change) {
	t.Helper()
	from, rest, _ := strings.Cut(string(b), "«")
	mid, rest, ok := strings.Cut(rest, "»")
	if !ok {
		t.Fatalf("%s: nothing is marked", b)
	}
	head := "package p\n" + packages + declarations
	if !strings.HasPrefix(from, "func ") && !strings.HasPrefix(from, "type ") {
		head += "func f(x, y int, u uint8, a, b bool, s, s2 string, n text, list []int, array [3]int, raw []byte, err error, fl float64, log1 Logger, pr Printer) any {\n"
		rest += "\n\treturn nil\n}\n"
	}
	src := head + from + mid + rest
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{}, Scopes: map[ast.Node]*types.Scope{}}
	conf := types.Config{Importer: std, Error: func(err error) { t.Errorf("%s: %v", b, err) }}
	pkg, _ := conf.Check("p", fset, []*ast.File{file}, info)
	whole := fset.File(file.Pos())
	at, end := whole.Pos(len(head+from)), whole.Pos(len(head+from+mid))
	var node ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n != nil && n.Pos() == at && n.End() == end {
			if _, statement := n.(*ast.ExprStmt); !statement || operator == "delete" {
				node = n
			}
			return node == nil || operator != "delete"
		}
		return true
	})
	if node == nil {
		t.Fatalf("%s: no node is marked", b)
	}
	source := func(from, to token.Pos) string { return src[whole.Offset(from):whole.Offset(to)] }
	return Of(fset, pkg, info, []*ast.File{file}), Change{Operator: operator, Node: node, To: to, Source: source}
}

func TestRejected(t *testing.T) {
	tests := []struct {
		body         body
		operator, to string
		want         string
	}{
		{"_ = x + «1»", "constant", "2", ""},
		{"_ = u == «255»", "constant", "256", Uncompiled},
		{"_ = u == «0»", "constant", "-1", Uncompiled},
		{"_ = text(s) + «\"a\"»", "constant", `""`, ""},
		{"_ = list[«0»]", "constant", "-1", Uncompiled},
		{"_ = list[«0»]", "constant", "1", ""},
		{"_ = array[«2»]", "constant", "3", Uncompiled},
		{"_ = list[x:][«1»:]", "constant", "0", ""},
		{"_ = list[«1»:1]", "constant", "2", Uncompiled},
		{"_ = x / «1»", "constant", "0", Uncompiled},
		{"_ = x % «1»", "constant", "2", ""},
		{"_ = «x * 0»", "math", "x / 0", Uncompiled},
		{"«x *= 0»", "math", "x /= 0", Uncompiled},
		{"_ = «x * 2»", "math", "x / 2", ""},
		{"_ = make([]int, «0»)", "constant", "-1", Uncompiled},
		{"_ = make([]int, «5», 5)", "constant", "6", Uncompiled},
		{"_ = map[int]int{}[«0»]", "constant", "-1", ""},
		{"_ = label(s[«0»:])", "constant", "-1", Uncompiled},
		{"_ = string(rune(x) + «0»)", "constant", "1", ""},

		// go vet: bool
		{"_ = «x != 1 && x != 2»", "logic", "x != 1 || x != 2", Unvetted},
		{"_ = «x == 1 || x == 2»", "logic", "x == 1 && x == 2", Unvetted},
		{"_ = «x == 1 || y == 2»", "logic", "x == 1 && y == 2", ""},
		{"_ = «x == y || x == 2»", "logic", "x == y && x == 2", ""},
		{"_ = x == 1 || «x == 2»", "negate", "x != 2", ""},
		{"_ = «x == 1» || x != 2", "negate", "x != 1", Unvetted},
		{"_ = x == «1» || x == 2", "constant", "2", Unvetted},
		{"_ = x == «1» || x == 3", "constant", "2", ""},
		{"_ = «!a» || a", "invert", "a", Unvetted},
		{"_ = «x < 1» && x <= 1", "boundary", "x <= 1", Unvetted},
		{"_ = «label(s) != `a` && label(s) != `b`»", "logic", "label(s) != `a` || label(s) != `b`", ""},
		{"_ = «len(s) != 1 && (len(s) != 2)»", "logic", "len(s) != 1 || (len(s) != 2)", Unvetted},
		{"_ = «len(s) != 1 && len(s) != 2»", "logic", "len(s) != 1 || len(s) != 2", Unvetted},
		{"_ = array[«0»] == 1 || array[1] == 1", "constant", "1", Unvetted},

		// go vet: printf
		{`fmt.Printf(«"%d"», x)`, "constant", `""`, Unvetted},
		{`fmt.Printf(«"done"»)`, "constant", `""`, ""},
		{`fmt.Println(«"%d"», x)`, "constant", `""`, ""},
		{`_ = errorf(«"%d"», x)`, "constant", `""`, Unvetted},
		{`query(«"select"», x)`, "constant", `""`, ""},
		{`_ = label(«"%d"»)`, "constant", `""`, ""},
		{`log1.Infof(«"%d"», x)`, "constant", `""`, Unvetted},
	}
	for _, tt := range tests {
		p, c := tt.body.change(t, tt.operator, tt.to)
		if got := p.Rejected(c); got != tt.want {
			t.Errorf("%s → %s: %q, want %q", tt.body, tt.to, got, tt.want)
		}
	}
}

func TestKeeps(t *testing.T) {
	tests := []struct{ body, want string }{
		{"func f1() int { v := 1; return «v» }", "_ = v"},
		{"func f1() int { v := 1; println(v); return «v» }", ""},
		{"func f1() int { v, w := 1, 2; return «v + w» }", "_, _ = v, w"},
		{"func f1() int { v, w := 1, 2; return «v + v + w» + w }", "_ = v"},
		{"func f1(v int) int { return «v» }", ""},
		{"func f1() int { v := 1; w := &v; *w = 2; return «v» }", ""},
		{"func f1() int { var v int; v = 1; return «v» }", "_ = v"},
		{"func f1() int { v := 1; v++; return «v» }", ""},
		{"func f1(x any) int { switch v := x.(type) { case int: return «v»; case string: return len(v) }; return 0 }", "_ = v"},
		{"func f1() func() int { return «func() int { v := 1; return v }» }", ""},
		{"func f1() { for v := range 3 { «println(v)» } }", "_ = v"},
		{"func f1() { v := 1; «v = 2»; println(v) }", ""},
		{"func f1() string { return «html.EscapeString(`a`)» }", "if false { whole }"},
	}
	for _, tt := range tests {
		head := ""
		if strings.Contains(tt.body, "html.") {
			head = `import "html";`
		}
		p, c := keeping(t, head, tt.body)
		if got := p.Keeps(c, "whole"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.body, got, tt.want)
		}
	}
}

// keeping returns the marked node of a declaration.
func keeping(t *testing.T, head, decl string) (*Package, ast.Node) {
	t.Helper()
	from, rest, _ := strings.Cut(decl, "«")
	mid, rest, _ := strings.Cut(rest, "»")
	head = "package p; " + head
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", head+from+mid+rest, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: std}
	pkg, err := conf.Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatalf("%s: %v", decl, err)
	}
	var node ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n != nil && node == nil && fset.Position(n.Pos()).Offset == len(head+from) && fset.Position(n.End()).Offset == len(head+from+mid) {
			node = n
		}
		return true
	})
	return Of(fset, pkg, info, []*ast.File{file}), node
}
