//go:build go1.25

package main

import (
	"fmt"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testbin"
)

// buildCommand sets up allele build.
func buildCommand(f *flagSet) action {
	p := &testbin.Program{Settings: testbin.Settings{Main: true}}
	buildFlags(f, &p.Settings)
	out := f.String("o", "", "write the program to this `file` (default: the name of the package, in the current folder)")
	return func(c *call) error {
		if c.NArg() > 1 {
			return fmt.Errorf("name one package, and flags before it: there are %d arguments", c.NArg())
		}
		p.Stderr = c.stderr
		choose(&p.Settings, c.Args(), "")
		return buildProgram(p, *out)
	}
}

// buildProgram builds a program, and writes it to a file.
func buildProgram(p *testbin.Program, out string) error {
	defer p.Close()
	if err := p.Build(); err != nil {
		return err
	}
	if len(p.Overlay.Broken) > 0 {
		return load.BrokenError(p.Overlay.Broken)
	}
	for _, d := range p.Overlay.Declined {
		fmt.Fprintln(p.Stderr, "allele build:", d)
	}
	return p.Install(out)
}
