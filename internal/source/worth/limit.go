//go:build go1.25

package worth

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// unlimited are functions with the number of an argument that means no limit if it is negative: -2 is the same as -1.
var unlimited = map[string]int{
	"strings.Replace": 3, "bytes.Replace": 3, "strings.SplitN": 2, "bytes.SplitN": 2, "strings.SplitAfterN": 2, "bytes.SplitAfterN": 2,
	"os.File.Readdir": 0, "os.File.ReadDir": 0, "os.File.Readdirnames": 0,
	"regexp.Regexp.FindAll": 1, "regexp.Regexp.FindAllIndex": 1, "regexp.Regexp.FindAllString": 1, "regexp.Regexp.FindAllStringIndex": 1,
	"regexp.Regexp.FindAllSubmatch": 1, "regexp.Regexp.FindAllSubmatchIndex": 1, "regexp.Regexp.FindAllStringSubmatch": 1,
	"regexp.Regexp.FindAllStringSubmatchIndex": 1, "regexp.Regexp.Split": 1,
	"strconv.FormatFloat": 2, "strconv.AppendFloat": 3,
}

// limited returns what for a constant argument is whose neighbours mean the same, or the same for all but extreme values.
func limited(p *Package, c Change) string {
	before, after, ok := number(p, c)
	if !ok {
		return ""
	}
	if why := read(p, c.Node, before, after); why != "" {
		return why
	}
	call, i := p.argument(c.Node)
	if call == nil {
		return ""
	}
	f := p.callee(call)
	if f == nil {
		return ""
	}
	name := funcName(f)
	if at, ok := unlimited[name]; ok && at == i && before < 0 && after < 0 {
		return "a negative number that means no limit"
	}
	last := i == len(call.Args)-1
	switch name {
	case "strconv.ParseFloat":
		if i == 1 && before != 32 && after != 32 {
			return "the bit size of a number"
		}
	case "strconv.ParseInt", "strconv.ParseUint":
		if i == 2 && before >= 16 && after >= 16 && after <= 64 {
			return "the bit size of a number"
		}
	case "os.Mkdir", "os.MkdirAll", "os.WriteFile", "os.OpenFile", "io/ioutil.WriteFile":
		if last {
			return "the permissions of a file"
		}
	}
	return ""
}

// fixedWidth are methods of byte orders that use the first bytes of their argument, whatever follows.
var fixedWidth = []string{"Uint16", "Uint32", "Uint64", "PutUint16", "PutUint32", "PutUint64"}

// read returns the reason for the upper bound of a slice that is read only up to a fixed width.
func read(p *Package, n ast.Node, before, after int64) string {
	s, ok := p.parents[n].(*ast.SliceExpr)
	if !ok || s.High != n || after <= before {
		return ""
	}
	call, i := p.argument(s)
	if call == nil || i != 0 {
		return ""
	}
	f := p.callee(call)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "encoding/binary" || !slices.Contains(fixedWidth, f.Name()) {
		return ""
	}
	return "the end of a slice of which the first bytes are used"
}

// waits are functions with the number of the argument that is how long they wait.
var waits = map[string]int{"time.Sleep": 0, "time.After": 0, "time.AfterFunc": 0, "time.NewTimer": 0, "time.NewTicker": 0, "time.Tick": 0,
	"context.WithTimeout": 1, "context.WithTimeoutCause": 1}

// timed returns the reason for a wait that becomes a little shorter or longer. One that is removed may change the order of events.
func timed(p *Package, c Change) string {
	if !c.constant() {
		return ""
	}
	return inside(p, c.Node, func(call *ast.CallExpr, i int) string {
		f := p.callee(call)
		if f == nil {
			return ""
		}
		if at, ok := waits[funcName(f)]; ok && at == i {
			return "how long something waits"
		}
		return ""
	})
}

// hashed returns the reason for a number by which a hash function multiplies or which it mixes in: another one is as good, unless the
// hash is one that others compute too.
func hashed(p *Package, c Change) string {
	before, _, ok := number(p, c)
	if !ok || before < 31 {
		return ""
	}
	switch n := p.parents[c.Node].(type) {
	case *ast.BinaryExpr:
		if n.Op != token.MUL && n.Op != token.XOR {
			return ""
		}
	case *ast.AssignStmt:
		if n.Tok != token.MUL_ASSIGN && n.Tok != token.XOR_ASSIGN {
			return ""
		}
	default:
		return ""
	}
	d := enclosing(p, c.Node)
	if d == nil || !strings.Contains(strings.ToLower(d.Name.Name), "hash") || d.Type.Results.NumFields() != 1 {
		return ""
	}
	b, ok := p.info.TypeOf(d.Type.Results.List[0].Type).Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsUnsigned == 0 {
		return ""
	}
	return "a number of a hash function"
}

// enclosing returns the declared function that contains a node.
func enclosing(p *Package, n ast.Node) *ast.FuncDecl {
	for n != nil {
		if d, ok := n.(*ast.FuncDecl); ok {
			return d
		}
		n = p.parents[n]
	}
	return nil
}
