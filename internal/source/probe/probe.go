// Package probe decides where a program is watched, and writes the text that
// watches it.
//
// A probe stands at the beginning of everything a branch may lead to: a
// function, an arm of an if, the body of a loop, a clause of a switch. One whose
// block begins with a branch that always leads to another probe says nothing new
// and is left out. Operands of && and || have probes too; see operand.go.
//
//	p := probe.New(fset, pkg.Info, opts)
//	p.File(file.AST, &buffer) // insertions for one file
//
// A probe writes the number of its site at the present position of a buffer.
// Reading that position from memory each time makes every probe wait for the
// one before it, which is most of what it costs. So a function keeps it in a
// local variable and reads it again only after something that may have run
// other probes: calls whose callee is not known to be free of them, channel
// operations, go and defer. What a callee is, go/types knows.
package probe

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/edit"
)

// Options is how to instrument. Site is needed.
type Options struct {
	Site    func(site.Site) (id uint32) // numbers a place
	Leaf    func(*types.Func) bool      // nil, or whether a callee is known to run no probe
	Round   func(*types.Func) bool      // nil, or whether a function without a branch may call itself through others like it
	Cyclic  func(*types.Func) bool      // nil, or whether a function may come to call itself, and so must check the limit
	Set     bool                        // also note each site in a set, for programs with goroutines
	Impure  bool                        // packages that are Pure are rewritten too
	Calls   bool                        // every probe a call: for -race, and as the slow twin
	Debug   bool                        // check that a position kept in a local is the right one
	NoLimit bool                        // no checks of the limit: to measure what they cost
}

// Prober instruments the files of one package.
type Prober struct {
	fset *token.FileSet
	info *types.Info
	opts Options
	out  *edit.Buffer
	fn   string // the function being walked
}

// New returns a prober.
func New(fset *token.FileSet, info *types.Info, opts Options) *Prober {
	return &Prober{fset: fset, info: info, opts: opts}
}

// File adds the probes of one file to out.
func (p *Prober) File(f *ast.File, out *edit.Buffer) {
	p.out = out
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil && !untouchable(d.Doc) {
				p.fn = funcName(d)
				f, _ := p.info.Defs[d.Name].(*types.Func)
				p.function(d.Body, p.fn, f)
			}
		default:
			p.fn = "init"
			p.closures(d)
		}
	}
}

func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	star := ""
	if s, ok := t.(*ast.StarExpr); ok {
		t, star = s.X, "*"
	}
	switch x := t.(type) {
	case *ast.IndexExpr:
		t = x.X
	case *ast.IndexListExpr:
		t = x.X
	}
	if id, ok := t.(*ast.Ident); ok {
		if star != "" {
			return "(*" + id.Name + ")." + d.Name.Name
		}
		return id.Name + "." + d.Name.Name
	}
	return d.Name.Name
}

// untouchable reports whether a function must not be changed: the runtime
// relies on what is not in it.
func untouchable(doc *ast.CommentGroup) bool {
	if doc == nil {
		return false
	}
	for _, c := range doc.List {
		for _, directive := range []string{"//go:nosplit", "//go:norace", "//go:systemstack", "//go:nowritebarrier"} {
			if strings.HasPrefix(c.Text, directive) {
				return true
			}
		}
	}
	return false
}

func (p *Prober) offset(pos token.Pos) int { return p.fset.File(pos).Offset(pos) }

func (p *Prober) insert(pos token.Pos, format string, args ...any) {
	p.out.Insert(p.offset(pos), fmt.Sprintf(format, args...))
}

// place is where a probe goes and what it stands for.
type place struct {
	kind     site.Kind
	at       token.Pos // the text goes before this
	from, to token.Pos // the block
}

func (p *Prober) number(pl place) uint32 {
	from, to := p.fset.PositionFor(pl.from, false), p.fset.PositionFor(pl.to, false)
	return p.opts.Site(site.Site{
		Kind: pl.kind,
		File: from.Filename,
		Line: from.Line, Col: from.Column, EndLine: to.Line, EndCol: to.Column,
		Func: p.fn,
	})
}

// Names of the support file; see package build.
const (
	nameHit     = "alleleHit_"     // a probe as a call
	nameCheck   = "alleleCheck_"   // and with a check of the limit
	nameOperand = "alleleOperand_" // a probe that is true
	nameGo      = "alleleGo_"
	nameAssert  = "alleleAssert_"
)

// call writes a probe that is a call.
func (p *Prober) call(pl place, check bool) {
	name := nameHit
	if check && !p.opts.NoLimit {
		name = nameCheck
	}
	p.insert(pl.at, "%s(%d);", name, symbol(pl.kind, p.number(pl)))
}

// symbol is what a probe writes: the number of its site, and in bits above it
// what a reader of paths must know about the site; see package hook.
func symbol(k site.Kind, id uint32) uint32 {
	if k.Coarse() {
		id |= bitCoarse
	}
	if k == site.Loop {
		id |= bitLoop
	}
	return id
}

// inline writes a probe that keeps the position in a local: clean says that the
// local is up to date.
func (p *Prober) inline(pl place, clean, check bool) {
	var b strings.Builder
	switch {
	case !clean:
		b.WriteString("alleleP_=allelePos_;")
	case p.opts.Debug:
		b.WriteString(nameAssert + "(alleleP_);")
	}
	if check && !p.opts.NoLimit {
		b.WriteString("if alleleP_>=alleleLim_{alleleP_=alleleSlow_()};")
	}
	id := p.number(pl)
	fmt.Fprintf(&b, "alleleBuf_[alleleP_&%d]=%d;", bufMask, symbol(pl.kind, id))
	if p.opts.Set {
		fmt.Fprintf(&b, "alleleSet_[%d]=alleleEpoch_;", id)
	}
	b.WriteString("alleleP_++;allelePos_=alleleP_;")
	p.insert(pl.at, "%s", b.String())
}

// These are constants of package hook; a test of package build compares them.
const (
	bufMask   = 1<<17 - 1
	bitCoarse = 1 << 24
	bitLoop   = 1 << 25
)
