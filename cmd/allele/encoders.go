//go:build go1.25

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/source/build"
)

// encoders builds, for packages with properties that have an encoder, a second test binary with
// faults in the packages that the encoder may use. The search asks a process of this binary for
// the bytes that an encoder with a fault makes.
type encoders struct {
	programs []*program
	binary   map[string]string // package -> its binary
	faults   map[string]string // package -> file with the list of its faults
}

// build builds the binaries. A search works without them, so an error is only a warning.
func (e *encoders) build(of *program, packages []string, verbose bool) {
	e.binary, e.faults = map[string]string{}, map[string]string{}
	for _, pkg := range packages {
		if err := e.one(of, pkg); err != nil {
			why := brief(of.log.show(err.Error()), verbose)
			fmt.Fprintf(of.stderr, "allele test: the search in %s goes on without faults in the encoder: %s\n", pkg, why)
		}
	}
}

func (e *encoders) one(of *program, pkg string) error {
	below := of.listing.Below(pkg)
	p := &program{buildFlags: of.buildFlags, patterns: []string{pkg}, stderr: of.stderr}
	p.faults = &build.Faults{Of: below, Late: true, Near: true}
	p.faults.Only = slices.DeleteFunc(slices.Clone(below), of.listing.Has)
	p.scope = strings.Join(append(slices.DeleteFunc(strings.Split(of.scope, ","), func(s string) bool { return s == "" }), below...), ",")
	p.keepWork = false
	if err := p.build(); err != nil {
		return err
	}
	e.programs = append(e.programs, p)
	if len(p.overlay.Faults) == 0 {
		return errors.New("none of the packages that it uses can have faults")
	}
	file, err := writeList(p.temp.path, p.overlay.Faults)
	if err != nil {
		return err
	}
	e.binary[pkg], e.faults[pkg] = p.Binary(pkg), file
	return nil
}

// close removes temporary files.
func (e *encoders) close() {
	for _, p := range e.programs {
		p.close()
	}
}

// encoded returns the packages of properties that have an encoder.
func encoded(props []property) (packages []string) {
	for _, p := range props {
		if p.Encoder && !slices.Contains(packages, p.Package) {
			packages = append(packages, p.Package)
		}
	}
	return packages
}
