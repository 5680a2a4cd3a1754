//go:build go1.25

package build

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/allele-go/allele/internal/source/load"
)

// A program that is built to be run by package program counts its hits (hook.Count). Its main
// package gets one more file, which imports package probed and contains a text with the
// number of counts. From this text package program sees that the binary has probes. The
// sources of the packages hook and probed become packages of the user's module, in a folder
// that exists in the overlay only. So the module need not require the library.

const supportCounts = `
//go:linkname alleleHit_ HOOK.Count
func alleleHit_(i uint32)

//go:linkname alleleCheck_ HOOK.Count
func alleleCheck_(i uint32)

func alleleOperand_(i uint32) bool { alleleHit_(i); return 0 == 0 }

//go:linkname alleleGo_ HOOK.Go
func alleleGo_()
`

// countsText must be the text that package program looks for: see its variable counting.
const countsText = "allele counts %07d."

const mainText = `
import _ %q

//go:linkname alleleCounting_ HOOK.Mark
func alleleCounting_(text interface{})

func init() { alleleCounting_(%q) }
`

// finish adds what depends on the whole program: the operand binary or, to a program, the
// file of its main package.
func (o *Overlay) finish(prog *load.Program) error {
	if !o.config.Load.Main {
		return o.recordComparisons()
	}
	for _, pkg := range prog.Scope {
		if !slices.Contains(prog.Tests, pkg.Path) {
			continue
		}
		if pkg.Declined != nil {
			return fmt.Errorf("%s cannot be built with probes: %s; %s", pkg.Path, pkg.Declined.Why, pkg.Declined.Do)
		}
		text := supportFile(pkg.Name, fmt.Sprintf(mainText, o.probed, fmt.Sprintf(countsText, o.End())), Facts{})
		return o.add(filepath.Join(pkg.Dir, pkg.Main()), pkg, o.linked(text))
	}
	return nil
}

// what names the binary in messages.
func (o *Overlay) what() string {
	if o.config.Load.Main {
		return "program"
	}
	return "test binary"
}
