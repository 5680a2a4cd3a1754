//go:build go1.25

package testbin

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/proc/launch"
	"github.com/allele-go/allele/internal/source/build"
)

// Encoders builds, for packages with properties that have an encoder, a second test binary with
// faults in the packages that the encoder may use. The search asks a process of this binary for
// the bytes that an encoder with a fault makes.
type Encoders struct {
	programs []*Program
	binary   map[string]string // package -> its binary
	faults   map[string]string // package -> file with the list of its faults
}

// Build builds the binaries. A search works without them, so an error is only a warning.
func (e *Encoders) Build(of *Program, packages []string, verbose bool) {
	e.binary, e.faults = map[string]string{}, map[string]string{}
	for _, pkg := range packages {
		if err := e.one(of, pkg); err != nil {
			why := brief(of.Log.show(err.Error()), verbose)
			fmt.Fprintf(of.Stderr, "allele test: the search in %s goes on without faults in the encoder: %s\n", pkg, why)
		}
	}
}

func (e *Encoders) one(of *Program, pkg string) error {
	below := of.Listing.Below(pkg)
	p := &Program{Settings: of.Settings}
	p.Patterns, p.Match, p.Judging = []string{pkg}, nil, false
	p.Faults = &build.Faults{Of: below, Late: true, Near: true}
	p.Faults.Only = slices.DeleteFunc(slices.Clone(below), of.Listing.Has)
	p.Scope = strings.Join(append(slices.DeleteFunc(strings.Split(of.Scope, ","), func(s string) bool { return s == "" }), below...), ",")
	p.ShowWork = false
	if err := p.Build(); err != nil {
		return err
	}
	e.programs = append(e.programs, p)
	if len(p.Overlay.Faults) == 0 {
		return errors.New("none of the packages that it uses can have faults")
	}
	file, err := WriteFaults(p.Temp.Path, p.Overlay.Faults)
	if err != nil {
		return err
	}
	e.binary[pkg], e.faults[pkg] = p.Binary(pkg), file
	return nil
}

// Close removes temporary files.
func (e *Encoders) Close() {
	for _, p := range e.programs {
		p.Close()
	}
}

// Encoded returns the packages of properties that have an encoder.
func Encoded(props []launch.Property) (packages []string) {
	for _, p := range props {
		if p.Encoder && !slices.Contains(packages, p.Package) {
			packages = append(packages, p.Package)
		}
	}
	return packages
}
