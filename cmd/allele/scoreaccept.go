//go:build go1.25

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/score"
	"github.com/allele-go/allele/internal/score/accept"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/fault"
	"github.com/allele-go/allele/internal/testbin"
)

// acceptFaults moves the faults that comments in the source accept from the Faults of the packages to
// Accepted. It returns the comments that accept no fault of the program, whether its faults are judged
// or not. The error names all invalid comments.
func acceptFaults(p *testbin.Program, packages []score.Package) (stale []string, err error) {
	list := accept.List{Operators: fault.Operators(), Show: p.Relative}
	for _, file := range filesWithFaults(p, packages) {
		data, readErr := os.ReadFile(file)
		if readErr == nil {
			readErr = list.Read(file, data)
		}
		err = errors.Join(err, readErr)
	}
	if err != nil {
		return nil, err
	}
	for _, f := range p.Overlay.Faults {
		list.Match(f)
	}
	for i := range packages {
		x := &packages[i]
		x.Faults = slices.DeleteFunc(x.Faults, func(f site.Fault) bool {
			d := list.Match(f)
			if d != nil {
				x.Accepted = append(x.Accepted, score.Accepted{Fault: f, Reason: d.Reason})
			}
			return d != nil
		})
	}
	for _, d := range list.Stale() {
		stale = append(stale, fmt.Sprintf("%s:%d %s", p.Relative(d.File), d.Line, d))
	}
	return stale, nil
}

// filesWithFaults returns the source files of packages, without tests.
func filesWithFaults(p *testbin.Program, packages []score.Package) (files []string) {
	with := map[string]bool{}
	for _, x := range packages {
		with[x.Path] = true
		for _, f := range x.Faults {
			files = append(files, f.File)
		}
	}
	for _, t := range p.Overlay.Tests {
		for _, n := range p.Listing.Needs(t.Path) {
			for _, name := range n.Files {
				if with[n.Path] && n.Own && !strings.HasSuffix(name, "_test.go") {
					files = append(files, filepath.Join(n.Dir, name))
				}
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}
