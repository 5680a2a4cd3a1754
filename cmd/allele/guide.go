//go:build go1.25

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/load"
)

// errNoFaults is the error for a flag that needs faults.
func errNoFaults(flag string) error {
	return fmt.Errorf("%s: no code of the packages can be made faulty; "+
		"if the code under test is in other packages, name them with -of", flag)
}

// guides are the values of -guide that use faults. The values with a hyphen are for experiments,
// and the usage does not list them: the algorithm of the Mu2 paper with all of its pruning, with
// some of it and with none; and guidance by the faults with even numbers only.
var guides = map[string]job.Guide{
	"faults":           {},
	"faults-infection": {Pure: true},
	"faults-execution": {Pure: true, Prune: "execution"},
	"faults-none":      {Pure: true, Prune: "none"},
	guideHalf:          {},
}

const guideHalf = "faults-half"

// guideFaults returns which packages get faults, or nil if the search does not use faults.
func (t *tester) guideFaults() *build.Faults {
	var ok bool
	if t.params.Guide, ok = guides[t.guide]; !ok {
		return nil
	}
	f := &build.Faults{}
	if t.of != "" {
		f.Of = strings.Split(t.of, ",")
	}
	return f
}

// checkOf returns an error if a pattern of -of matches no package that can have faults.
func checkOf(listing *load.Listing, faults *build.Faults) error {
	if faults == nil {
		return nil
	}
	for _, pattern := range faults.Of {
		if err := listing.CanHaveFaults(pattern); err != nil {
			return fmt.Errorf("-of %s: %w", pattern, err)
		}
	}
	return nil
}

// writeFaults writes the list of faults to a file for the test binaries, and returns the file.
// It returns "" if the search does not use faults.
func (t *tester) writeFaults() (file string, err error) {
	if t.faults == nil {
		return "", nil
	}
	if t.goflags.Detects() {
		return "", fmt.Errorf("-guide=faults: leave out -race: a run that a fault blocks is left behind, " +
			"and the race detector takes that for a race")
	}
	if len(t.overlay.Faults) == 0 {
		return "", errNoFaults("-guide=faults")
	}
	list := t.overlay.Faults
	if t.guide == guideHalf {
		list = slices.DeleteFunc(slices.Clone(list), func(f site.Fault) bool { return f.ID%2 != 0 })
	}
	return writeList(t.temp.path, list)
}

// writeList writes a list of faults to a file in a folder, for test binaries.
func writeList(folder string, list []site.Fault) (file string, err error) {
	data, err := json.Marshal(list)
	if err != nil {
		return "", err
	}
	file = filepath.Join(folder, "faults.json")
	return file, os.WriteFile(file, data, 0o666)
}
