package decoders

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/eval/trial"
)

// arm is a way to make inputs.
type arm string

const (
	base   arm = "base"   // the encoded value
	bytes  arm = "bytes"  // changed bytes, whatever the decoder does with them
	zzuf   arm = "zzuf"   // the same, by the program zzuf
	guided arm = "guided" // changed bytes, guided by the decoder: allele
	native arm = "native" // the same, by go test -fuzz
	paper  arm = "paper"  // the faults of the MutaGen paper, each once
	slice  arm = "slice"  // those of them that are in the slice
	faults arm = "faults" // also other faults, and faults that are on in single evaluations
	levels arm = "levels" // values, faults and bytes, guided by the decoder
)

var arms = []arm{base, bytes, zzuf, guided, native, paper, slice, faults, levels}

// blind reports whether the arm starts from one encoded value, and ignores what the decoder does.
func (a arm) blind() bool { return slices.Contains([]arm{base, bytes, zzuf, paper, slice, faults}, a) }

// seeds returns in how many trials the arm may be run. Those of a list of faults are all the same, and those of blind changes
// hardly differ.
func (a arm) seeds() int {
	if a.blind() {
		return 1
	}
	return 1 << 20
}

func (a arm) quick() bool { return slices.Contains([]arm{base, bytes, paper, levels}, a) }

// strategy returns the strategy of allele test, or "" for other tools.
func (a arm) strategy() string {
	switch a {
	case guided, levels:
		return "guided"
	case paper, slice:
		return "faults-" + string(a)
	case faults:
		return "faults"
	}
	return ""
}

// test returns the test of allele that the arm runs.
func (tr search) test() string {
	switch tr.arm {
	case guided:
		return "TestBytes"
	case levels:
		return "TestLevels"
	}
	return []string{"TestFirst", "TestSecond"}[tr.Base]
}

// line returns the command line of a search.
func (m *module) line(tr search, budget time.Duration, temp string) []string {
	wall := trial.Wall(budget).String()
	switch tr.arm {
	case base, bytes, zzuf:
		return []string{m.binary(tr.target, "blind"), string(tr.arm), fmt.Sprint(tr.Base), fmt.Sprint(tr.Seed)}
	case native:
		return []string{m.binary(tr.target, "native"), "-test.run=^$", "-test.fuzz=^FuzzBytes$", "-test.parallel=1",
			"-test.timeout=0", "-test.fuzzcachedir=" + temp, "-test.fuzztime=" + wall}
	}
	return append([]string{m.command()}, m.allele(tr, "-seed", fmt.Sprint(tr.Seed), "-for", wall)...)
}

// allele returns the arguments of allele test.
func (m *module) allele(tr search, flags ...string) []string {
	args := []string{"test", "-run", "^" + tr.test() + "$", "-workers", "1"}
	args = append(args, "-scope", strings.Join(tr.packages, ","))
	return append(append(args, flags...), "./"+tr.name+"/property")
}
