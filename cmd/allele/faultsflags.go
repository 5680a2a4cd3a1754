//go:build go1.25

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/testbin"
)

// errNoFaults is the error for a flag that needs faults.
func errNoFaults(flag string) error {
	return fmt.Errorf("%s: no code of the packages can be made faulty; "+
		"if the code under test is in other packages, name them with -of", flag)
}

// commaList returns the parts of a list that is separated by commas.
func commaList(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

// writeFaults writes the list of faults to a file for the test binaries, and returns the file.
// It returns "" if the search does not use faults. With half, it leaves out every other one.
func writeFaults(p *testbin.Program, half bool) (file string, err error) {
	if p.Faults == nil {
		return "", nil
	}
	if p.InForce.Detects() {
		return "", fmt.Errorf("-guide=faults: leave out -race: a run that a fault blocks is left behind, " +
			"and the race detector takes that for a race")
	}
	if len(p.Overlay.Faults) == 0 {
		return "", errNoFaults("-guide=faults")
	}
	list := p.Overlay.Faults
	if half {
		list = slices.DeleteFunc(slices.Clone(list), func(f site.Fault) bool { return f.ID%2 != 0 })
	}
	return testbin.WriteFaults(p.Temp.Path, list)
}
