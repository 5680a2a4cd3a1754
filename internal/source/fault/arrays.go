//go:build go1.25

package fault

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// support returns the text of Result.Support and Result.TestSupport.
func (r *rewriter) support() (support, tests string) {
	var b strings.Builder
	g := r.gates
	if g.size {
		g.alias(types.Int)
		b.WriteString(supportSize)
	}
	if g.guard {
		b.WriteString(supportGuard)
	}
	if len(r.places) > 0 {
		b.WriteString(r.arrays())
		b.WriteString(supportNote)
	}
	if g.tick && len(r.places) > 0 {
		b.WriteString(supportTick)
	}
	for _, name := range slices.Sorted(maps.Keys(g.declared)) {
		b.WriteString("\n" + g.declared[name] + "\n")
	}
	if g.catch {
		tests = supportCatch
	}
	return b.String(), tests
}

const (
	supportSize = `
//go:linkname alleleSizeMax_ HOOK.SizeMax
var alleleSizeMax_ int

//go:linkname alleleBig_ HOOK.Big
func alleleBig_(size int)

func alleleSize_(n int) int {
	if n > alleleSizeMax_ {
		alleleBig_(n)
	}
	return n
}
`
	supportGuard = `
//go:linkname alleleGuard_ HOOK.Guard
func alleleGuard_()
`
	supportCatch = `
//go:linkname alleleCatch_ HOOK.Catch
func alleleCatch_(t interface{ FailNow() })
`
	supportTick = `
func alleleTick_() { alleleCheck_(0) }
`
	supportNote = `
//go:linkname alleleTurn_ HOOK.FaultTurn
func alleleTurn_(mode uint8) uint8

func alleleMode_(s int) uint8 {
	m := alleleSite_[s]
	if m >= 128 {
		return alleleTurn_(m)
	}
	return m
}

func alleleNote_(s int, differs uint8) {
	alleleReached_[s] = 1
	differs |= alleleDiff_[s]
	alleleDiff_[s] = differs
	if differs == alleleAll_[s] {
		alleleSite_[s] = 0
	}
}

type alleleFaults_ struct {
	Path                       string
	Site, Func, Hit, Diff, All []uint8
	Of                         []int32
	With                       [][]int32
	InitHit, InitDiff          []uint8
	Ran                        []uint8
	Names                      []string
}

//go:noinline
//go:norace
func alleleOn_(k int) bool {
	mode := alleleFunc_[k]
	if mode >= 2 {
		alleleRan_[k] = 1
		mode -= 2
		alleleFunc_[k] = mode
	}
	return mode != 0
}

//go:linkname alleleRegister_ HOOK.RegisterFaults
func alleleRegister_(f *alleleFaults_)
`
)

// arrays returns the declarations of the arrays, and the function that registers them. All
// gates record until then.
func (r *rewriter) arrays() string {
	n, funcs := len(r.places), max(1, r.funcs)
	one := func(int) int { return 1 }
	both := func(int) int { return 3 } // it runs with gates, and the first entry is noted
	return fmt.Sprintf(`
var alleleSite_ = [%[1]d]uint8{%[3]s}
var alleleFunc_ = [%[2]d]uint8{%[4]s}
var alleleReached_, alleleDiff_ [%[1]d]uint8
var alleleAll_ = [%[1]d]uint8{%[5]s}
var alleleOf_ = [%[1]d]int32{%[6]s}
var alleleWith_ = [%[2]d][]int32{%[8]s}
var alleleRan_ [%[2]d]uint8
var alleleNames_ = [%[2]d]string{%[9]s}

func init() {
	alleleRegister_(&alleleFaults_{
		Path: %[7]q,
		Site: alleleSite_[:], Func: alleleFunc_[:], Hit: alleleReached_[:],
		Diff: alleleDiff_[:], All: alleleAll_[:], Of: alleleOf_[:], With: alleleWith_[:],
		Ran: alleleRan_[:], Names: alleleNames_[:],
	})
}
`, n, funcs, numbers(n, one), numbers(funcs, both),
		numbers(n, func(i int) int { return r.places[i].all }),
		numbers(n, func(i int) int { return r.places[i].fn }), r.pkg.Path, r.withText(), namesText(r.units))
}

// withText returns the elements of alleleWith_.
func (r *rewriter) withText() string {
	var b strings.Builder
	for fn, with := range r.with() {
		if len(with) > 0 {
			fmt.Fprintf(&b, "\n\t%d: {%s},", fn, numbers(len(with), func(i int) int { return with[i] }))
		}
	}
	return b.String() + "\n"
}

// copied is Copied of package hook.
const copied = "~"

// namesText returns the elements of alleleNames_. A function with a direct copy may run without leaving a note: its name is
// marked. A function literal of a package variable has no name.
func namesText(units []*unit) string {
	var b strings.Builder
	for _, u := range units {
		if u.fn < 0 || u.decl == nil {
			continue
		}
		name := funcName(u.decl)
		if len(u.callers) > 0 {
			name = copied + name
		}
		fmt.Fprintf(&b, "\n\t%d: %q,", u.fn, name)
	}
	return b.String() + "\n"
}

// numbers returns a list of numbers as source, with some numbers in each line.
func numbers(n int, value func(int) int) string {
	var b strings.Builder
	for i := range n {
		if i%32 == 0 {
			b.WriteString("\n\t")
		}
		fmt.Fprintf(&b, "%d, ", value(i))
	}
	return b.String() + "\n"
}
