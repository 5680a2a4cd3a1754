//go:build go1.25

package build

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/source/facts"
	"github.com/allele-go/allele/internal/source/load"
)

// The names in the texts below must be those that package probe inserts, and the array
// sizes must be those of package hook. A test builds and runs code that uses them all.
const hookPath = "github.com/allele-go/allele/internal/hook"

const supportVars = `
//go:linkname alleleBuf_ HOOK.Buf
var alleleBuf_ [131072]uint32

//go:linkname allelePos_ HOOK.Pos
var allelePos_ uint32

//go:linkname alleleLim_ HOOK.Lim
var alleleLim_ uint32

//go:linkname alleleSet_ HOOK.Set
var alleleSet_ [4194304]uint32

//go:linkname alleleEpoch_ HOOK.Epoch
var alleleEpoch_ uint32

//go:linkname alleleSlow_ HOOK.Slow
func alleleSlow_() uint32

//go:linkname alleleGo_ HOOK.Go
func alleleGo_()
`

// supportInline declares probe functions that are small enough for the compiler to
// inline. The line with SET is replaced if probes also record a set.
const supportInline = `
func alleleHit_(i uint32) {
	p := allelePos_
	alleleBuf_[p&131071] = i
	// SET
	allelePos_ = p + 1
}

func alleleCheck_(i uint32) {
	if allelePos_ >= alleleLim_ {
		alleleSlow_()
	}
	alleleHit_(i)
}

func alleleOperand_(i uint32) bool { alleleHit_(i); return 0 == 0 }

`

// supportSteps declares what counts steps in code that records no path.
const supportSteps = `
func alleleStep_() {
	if allelePos_ >= alleleLim_ {
		alleleSlow_()
	}
	allelePos_++
}

//go:noinline
func alleleSteps_() {
	if allelePos_ >= alleleLim_ {
		alleleSlow_()
	}
	allelePos_ += 64
}

//go:linkname alleleNoPath_ HOOK.NoPath
var alleleNoPath_ bool

func init() { alleleNoPath_ = 0 == 0 }
`

const supportCalls = `
//go:linkname alleleHit_ HOOK.Hit
func alleleHit_(i uint32)

//go:linkname alleleCheck_ HOOK.Hit
func alleleCheck_(i uint32)

func alleleOperand_(i uint32) bool { alleleHit_(i); return 0 == 0 }

func alleleStep_() { alleleHit_(0) }
`

// supportDebug checks positions unless the run has started a goroutine: then the path is not
// used, and a position may be outdated, because a goroutine can be interrupted anywhere.
const supportDebug = `
//go:linkname alleleSpawned_ HOOK.Spawned
var alleleSpawned_ uint32

func alleleAssert_(p uint32) {
	if p != allelePos_ && alleleSpawned_ == 0 {
		panic("allele: a position kept in a local is stale")
	}
}
`

// supportFacts are the functions that register facts with package hook. Each is
// declared only in support files that call it.
var supportFacts = []struct{ name, declaration string }{
	{"alleleSum_", "//go:linkname alleleSum_ HOOK.Sum\nfunc alleleSum_(iface interface{}, variants ...interface{})\n"},
	{"alleleEnum_", "//go:linkname alleleEnum_ HOOK.Enum\nfunc alleleEnum_(of interface{}, consts ...interface{})\n"},
	{"alleleMake_", "//go:linkname alleleMake_ HOOK.Make\nfunc alleleMake_(name string, f interface{}, small ...int)\n"},
	{"alleleCompare_", "//go:linkname alleleCompare_ HOOK.Compare\n" +
		"func alleleCompare_(of interface{}, name string, consts ...interface{})\n"},
	{"alleleErrors_", "//go:linkname alleleErrors_ HOOK.Errors\nfunc alleleErrors_(pkg string, pairs ...interface{})\n"},
	{"allelePattern_", "//go:linkname allelePattern_ HOOK.Pattern\n" +
		"func allelePattern_(of interface{}, name string, value interface{}, fixed ...string)\n"},
}

const supportLiterals = `
//go:linkname alleleLiteral_ HOOK.Literal
func alleleLiteral_(values ...interface{})
`

// Facts are statements of a support file. When the program starts, they register what
// is known about the types of a package. Imports lists the imports that they need.
type Facts struct {
	Text    string
	Imports []facts.Import
	Left    int // number of facts that no file of the package can express
	// Tests are the facts for a test file of the package: facts from its test files, and
	// facts about types of packages that only its tests import.
	Tests *Facts
}

// FactsOf returns statements that register the facts about a package. A fact that only its
// tests may use goes to Tests. A fact is skipped if it cannot be written in a file of the
// package, for example because the package has redeclared a predeclared name that the fact
// needs.
func FactsOf(x *facts.Index, pkg *load.Package) Facts {
	w, known := &factWriter{names: facts.Inside(pkg)}, x.Package(pkg)
	if !pkg.External && !pkg.OnlyTests() {
		w.tests = &factWriter{names: facts.InsideTests(pkg)}
	}
	for _, s := range known.Sums {
		w.try(s.Test, func(n *facts.Names) string {
			return fmt.Sprintf("alleleSum_((*%s)(%s), %s)", s.Interface(n), n.Word("nil"), s.Zeros(n))
		})
	}
	for _, e := range known.Enums {
		w.try(e.Test, func(n *facts.Names) string {
			return fmt.Sprintf("alleleEnum_(func() (x %s) { return }(), %s)", e.Type(n), e.Consts(n))
		})
	}
	// The functions that are called below have a parameter of type string.
	for _, b := range known.Builders {
		w.try(b.Test, func(n *facts.Names) string {
			n.Word("string")
			return fmt.Sprintf("alleleMake_(%q, %s%s)", b.Name(), b.Expr(n), arguments(b.Small))
		})
	}
	if known.Errors != nil {
		w.try(false, func(n *facts.Names) string {
			n.Word("string")
			return fmt.Sprintf("alleleErrors_(%q, %s)", pkg.Types.Path(), known.Errors.Pairs(n))
		})
	}
	for _, f := range known.Fields {
		w.try(f.Test, func(n *facts.Names) string {
			n.Word("string")
			return fmt.Sprintf("alleleCompare_((*%s)(%s), %q, %s)", f.Struct(n), n.Word("nil"), f.FieldName(n), f.Consts(n))
		})
	}
	for _, p := range known.Patterns {
		w.try(p.Test, func(n *facts.Names) string {
			n.Word("string")
			fixed := ""
			for _, path := range p.Fixed() {
				fixed += ", " + strconv.Quote(path)
			}
			return fmt.Sprintf("allelePattern_((*%s)(%s), %q, %s%s)", p.Root(n), n.Word("nil"), p.Name, p.Value(n), fixed)
		})
	}
	all := Facts{Text: w.text(), Imports: w.names.Imports(), Left: w.left}
	if w.tests != nil && w.tests.lines != nil {
		all.Tests = &Facts{Text: inTestFile(w.tests.text()), Imports: w.tests.names.Imports()}
	}
	return all
}

// registers matches the names of functions that register facts, where they are declared and
// called. The same words in other places belong to the user: they may be in a literal.
var registers = regexp.MustCompile(`(?m)^(\t|func |//go:linkname )allele([A-Z])`)

// inTestFile renames the functions that register facts. The test file of a package and its
// other support file are in one package, so their functions need different names.
func inTestFile(text string) string { return registers.ReplaceAllString(text, "${1}alleleTest$2") }

// factWriter collects the statements of an init function.
type factWriter struct {
	names *facts.Names
	lines []string
	left  int
	tests *factWriter // for facts that can only be written in a test file; nil if there is no such file
}

func (w *factWriter) add(format string, args ...any) {
	w.lines = append(w.lines, "\t"+fmt.Sprintf(format, args...)+"\n")
}

// try adds the call that write returns, if all names in it can be used in the file. If
// test is true, only the tests of the package may use the fact.
func (w *factWriter) try(test bool, write func(*facts.Names) string) {
	ok, text := false, ""
	if !test || w.tests == nil {
		text, ok = w.names.Try(func() string { return write(w.names) })
	}
	switch {
	case ok:
		w.add("%s", text)
	case w.tests != nil:
		w.tests.try(test, write)
		w.left, w.tests.left = w.left+w.tests.left, 0
	default:
		w.left++
	}
}

func (w *factWriter) text() string {
	if w.lines == nil {
		return ""
	}
	calls := strings.Join(w.lines, "")
	var b strings.Builder
	for _, f := range supportFacts {
		if strings.Contains(calls, "\t"+f.name+"(") {
			b.WriteString("\n" + f.declaration)
		}
	}
	return b.String() + "\nfunc init() {\n" + calls + "}\n"
}

// literalsText returns the statements that register literals: constants that code of a
// package compares values with.
func literalsText(literals []string) string {
	if len(literals) == 0 {
		return ""
	}
	return supportLiterals + "\nfunc init() {\n\talleleLiteral_(\n\t\t" + strings.Join(literals, ",\n\t\t") + ")\n}\n"
}

// supportLanguage sets the language version of support files. The user's module may use
// an older version, but a support file needs at least Go 1.18, for example for the name
// any. A build constraint of go1.21 or later raises the version of a single file.
const supportLanguage = "//go:build go1.21\n\n"

func supportText(name string, known Facts, c Config, set bool) []byte {
	text := supportVars
	if c.Calls {
		text += supportCalls
	} else {
		text += supportInline
		if set {
			text = strings.Replace(text, "// SET", "alleleSet_[i&4194303] = alleleEpoch_", 1)
		}
	}
	if c.Steps && !c.Calls {
		text += supportSteps
	}
	if c.Debug {
		text += supportDebug
	}
	if c.Cover {
		text += supportCover
	}
	return supportFile(name, text, known)
}

// supportFile returns a support file. The text HOOK stands for the import path of package hook.
func supportFile(name, text string, known Facts) []byte {
	imports := "import _ \"unsafe\"\n"
	for _, i := range known.Imports {
		imports += fmt.Sprintf("import %s %q\n", i.Name, i.Path)
	}
	text = supportLanguage + "// Code generated by allele. DO NOT EDIT.\n\npackage " + name + "\n\n" + imports + text + known.Text
	return []byte(text)
}

// arguments returns numbers as further arguments of a call, each after a comma.
func arguments(ns []int) (text string) {
	for _, n := range ns {
		text += fmt.Sprintf(", %d", n)
	}
	return text
}
