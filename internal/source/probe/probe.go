//go:build go1.25

// Package probe decides where probes are inserted into a program, and writes their
// text. A probe is a piece of code that records that it was reached, or hit. The number
// of hits in a run is limited, and some probes check this limit.
//
// There is a probe at the beginning of everything that control flow may lead to: a
// function, an arm of an if, the body of a loop, a clause of a switch. If a block
// begins with a branch that always leads to another probe, the block gets no probe of
// its own, because it would add nothing. Operands of && and || have probes too; see
// operand.go.
//
//	p := probe.New(fset, pkg.Info, opts)
//	p.File(file.AST, &buffer) // insertions for one file
//
// A probe writes the number of its site (its place in the source) at the current
// position of a buffer. If each probe read the position from memory, it would have to
// wait for the probe before it, and this wait would be most of its cost. So a function
// keeps the position in a local variable. It reads the position from memory only after
// code that may have run other probes: calls of functions that may contain probes,
// channel operations, go and defer. Callees are resolved with go/types.
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

// Options describes how to instrument. Site is required.
type Options struct {
	Site   func(site.Site) (id uint32) // assigns a number to a site
	Leaf   func(*types.Func) bool      // reports whether a callee is known to run no probe; may be nil
	Round  func(*types.Func) bool      // reports whether a function is on a cycle of calls between functions without branches; may be nil
	Cyclic func(*types.Func) bool      // reports whether a function may call itself and so must check the limit on hits; may be nil
	Set    bool                        // probes also record each site in a set, for programs with goroutines
	Impure bool                        // some packages for which Pure is true are rewritten too
	Calls  bool                        // every probe is a call: for -race, and as a reference in tests
	Debug  bool                        // add checks that the position in a local variable is up to date
	Steps  bool                        // only count steps, where the limit is checked: no probe records its site
}

// Prober instruments the files of one package.
type Prober struct {
	fset *token.FileSet
	info *types.Info
	opts Options
	out  *edit.Buffer
	fn   string // the function being walked

	level   *level                     // what is known about the function being walked
	decl    ast.Decl                   // the declaration being walked
	changed *changes                   // what the declaration changes; nil until needed
	members map[*ast.BinaryExpr]member // results of the method member
	visits  int                        // nodes looked at, for tests: their number must be linear in the source
}

// New returns a prober.
func New(fset *token.FileSet, info *types.Info, opts Options) *Prober {
	return &Prober{fset: fset, info: info, opts: opts}
}

// File adds the probes of one file to out.
func (p *Prober) File(f *ast.File, out *edit.Buffer) {
	p.out = out
	for _, d := range f.Decls {
		p.decl, p.changed, p.members = d, nil, map[*ast.BinaryExpr]member{}
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil && !untouchable(d.Doc) {
				p.fn = funcName(d)
				f, _ := p.info.Defs[d.Name].(*types.Func)
				p.function(d.Body, p.fn, f, p.info.TypeOf(d.Name))
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

// untouchable reports whether a function must not get probes. Its directives promise
// the Go runtime that it does not contain certain code, and a probe would break the
// promise.
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

// place is the position where a probe is inserted, and the block of code that it
// records.
type place struct {
	kind     site.Kind
	at       token.Pos // the text is inserted before this
	from, to token.Pos // beginning and end of the block
	early    bool      // the block ends a property early: see returnsEarly
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

// Names that the support file declares; see package build.
const (
	nameHit     = "alleleHit_"     // a probe as a call
	nameCheck   = "alleleCheck_"   // a probe as a call, with a check of the limit
	nameStep    = "alleleStep_"    // counts a step and checks the limit
	nameSteps   = "alleleSteps_"   // counts the steps of stepsMask+1 rounds of loops, and checks the limit
	nameOperand = "alleleOperand_" // a probe that returns true
	nameGo      = "alleleGo_"      // records that a goroutine starts
	nameAssert  = "alleleAssert_"  // checks the position in a local variable
)

// call inserts a probe that is a function call.
func (p *Prober) call(pl place, check bool) {
	if p.opts.Steps {
		if check {
			p.insert(pl.at, nameStep+"();")
		}
		return
	}
	name := nameHit
	if check {
		name = nameCheck
	}
	p.insert(pl.at, "%s(%d);", name, pl.symbol(p.number(pl)))
}

// round counts one round of a loop as a step, without a probe. A function counts the rounds
// of its loops in a local variable, which is much faster than a variable in memory. The last
// rounds, up to stepsMask, are not counted.
func (p *Prober) round(pl place) {
	p.level.rounds = true
	p.insert(pl.at, "if alleleN_++;alleleN_&%d==0{%s()};", stepsMask, nameSteps)
}

// symbol returns what a probe writes to the buffer: the number of its site, and, in the
// bits above it, properties of the site that readers of the buffer need; see package hook.
func (pl *place) symbol(id uint32) uint32 {
	if pl.kind.Coarse() {
		id |= bitCoarse
	}
	if pl.kind == site.Loop {
		id |= bitLoop
	}
	if pl.early {
		id |= bitEarly
	}
	return id
}

// inline inserts a probe that uses the position in the local variable. clean is true if
// that variable is up to date.
func (p *Prober) inline(pl place, clean, check bool) {
	var b strings.Builder
	switch {
	case !clean:
		b.WriteString("alleleP_=allelePos_;")
	case p.opts.Debug:
		b.WriteString(nameAssert + "(alleleP_);")
	}
	if check {
		b.WriteString("if alleleP_>=alleleLim_{alleleP_=alleleSlow_()};")
	}
	id := p.number(pl)
	fmt.Fprintf(&b, "alleleBuf_[alleleP_&%d]=%d;", bufMask, pl.symbol(id))
	if p.opts.Set {
		fmt.Fprintf(&b, "alleleSet_[%d]=alleleEpoch_;", id)
	}
	b.WriteString("alleleP_++;allelePos_=alleleP_;")
	p.insert(pl.at, "%s", b.String())
}

// These must equal constants of package hook. A test of package build compares them.
const (
	bufMask   = 1<<17 - 1
	bitCoarse = 1 << 24
	bitLoop   = 1 << 25
	bitEarly  = 1 << 26
)

// The function alleleSteps_ in the support file adds stepsMask+1.
const stepsMask = 1<<6 - 1
