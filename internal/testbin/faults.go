//go:build go1.25

package testbin

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/change"
	"github.com/allele-go/allele/internal/source/load"
)

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

// WriteFaults writes a list of faults to a file in a folder, for test binaries.
func WriteFaults(folder string, list []site.Fault) (file string, err error) {
	data, err := json.Marshal(list)
	if err != nil {
		return "", err
	}
	file = filepath.Join(folder, "faults.json")
	return file, os.WriteFile(file, data, 0o666)
}

// changedLines returns the lines of the source that have changed, with Since, and nil without.
func (p *Program) changedLines() (map[string]change.Lines, error) {
	if p.Since == "" || p.Faults == nil {
		return nil, nil
	}
	return change.ChangedLines(p.Since, p.Dir, p.Listing.Sources())
}

// judging returns which tests judge faults on changed lines, by package. Only these are built.
func judging(p *Program, changed map[string]change.Lines) (needed map[string]bool) {
	own, with := map[string]bool{}, map[string]bool{}
	for _, t := range p.Overlay.Tests {
		own[t.Path] = true
	}
	for _, f := range p.Overlay.Faults {
		with[f.Package] = with[f.Package] || changed[f.File].Touch(f.Line, f.EndLine)
	}
	needed = map[string]bool{}
	for _, t := range p.Overlay.Tests {
		needed[t.Path] = slices.ContainsFunc(p.Listing.Needs(t.Path), func(n load.Needed) bool {
			return with[n.Path] && (n.Path == t.Path || !own[n.Path] || len(p.Faults.Of) > 0)
		})
	}
	return needed
}
