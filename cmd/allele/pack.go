//go:build go1.25

package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/allele-go/allele/internal/campaign/bundle"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
	"github.com/allele-go/allele/internal/testbin"
	"github.com/allele-go/allele/internal/testbin/list"
	"github.com/allele-go/allele/internal/words"
)

// packer is the state of allele pack.
type packer struct {
	testbin.Program
	lister   list.Lister
	binaries testbin.Binaries
	operands string
}

// packCommand sets up allele pack.
func packCommand(f *flagSet) action {
	p := &packer{}
	p.binaries.Program, p.lister.Program = &p.Program, &p.Program
	buildFlags(f, &p.Settings)
	suitesFlag(f, &p.lister.Suites)
	out := f.String("o", "", "write the bundle to this `file`")
	pattern := runFlag(f)
	f.StringVar(&p.operands, "operands", "auto", "also pack the binaries that report operands of comparisons: the `mode` is auto or off")
	return func(c *call) error {
		p.Stderr = c.stderr
		switch {
		case *out == "":
			return errors.New("name the file of the bundle: -o FILE")
		case p.operands != "auto" && p.operands != "off":
			return fmt.Errorf("-operands: want auto or off, not %q", p.operands)
		}
		if err := choose(&p.Settings, c.Args(), *pattern); err != nil {
			return err
		}
		return p.pack(*out, c.stdout)
	}
}

// pack builds the tests and writes a bundle.
func (p *packer) pack(out string, stdout io.Writer) error {
	defer p.Close()
	if err := p.Build(); err != nil {
		return err
	}
	if len(p.Overlay.Broken) > 0 {
		return errors.New(leftOut(p.Overlay.Broken))
	}
	var all []launch.Property
	for _, test := range p.Overlay.Tests {
		found, err := p.lister.List(test)
		if err != nil {
			return fmt.Errorf("cannot list the properties of %w", err)
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		return errors.New("no property matches; a property is a call of allele.Check in a test of these packages")
	}
	if p.operands == "auto" && !p.InForce.Detects() {
		p.binaries.PrepareOperands(all, job.Params{}, false)
	}
	b := bundle.Builder{Manifest: bundle.Manifest{System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(), Sites: p.Sites()}}
	for _, one := range all {
		hash, err := p.binaries.Hash(one.Package)
		if err != nil {
			return err
		}
		built := bundle.Built{Hash: hash, Binary: p.Binary(one.Package), Operands: p.binaries.Operands(one.Package)}
		if err := b.Add(one, built); err != nil {
			return err
		}
	}
	out, err := within(p.Dir, out)
	if err != nil {
		return err
	}
	size, err := b.WriteFile(out)
	if err == nil {
		fmt.Fprintf(stdout, "packed %s of %s: %s\n",
			words.Properties(len(all)), words.Count(len(b.Manifest.Packages), "package"), words.Bytes(size))
	}
	return err
}
