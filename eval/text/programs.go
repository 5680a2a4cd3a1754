package text

import (
	"path/filepath"
	"slices"
)

// foundKind is a test with a property that fails for a valid input. No harness is involved.
const foundKind = "found"

// Programs is a module with the targets of planted and magic. The package of each has a property
// that fails if the planted bug or the wanted value is found.
type Programs struct {
	Dir     string
	Env     []string
	Command string
	Names   []string

	module *module
}

// NewPrograms writes the module and builds the command.
func NewPrograms(quick bool) (*Programs, error) {
	targets := slices.Concat(planted, magic)
	if quick {
		targets = slices.DeleteFunc(targets, func(t target) bool { return !t.quick })
	}
	m, err := prepare("programs", targets, []string{foundKind})
	if err != nil {
		return nil, err
	}
	p := &Programs{Dir: m.src(), Env: m.env, Command: m.command(), module: m}
	for _, t := range targets {
		p.Names = append(p.Names, t.name)
	}
	return p, nil
}

// Close lets other experiments use the place of the module.
func (p *Programs) Close() { p.module.close() }

// Package returns the package of a property, relative to Dir.
func (p *Programs) Package(name string) string { return "./" + name + "/" + foundKind }

// Cache returns the cache folder of the command for a property.
func (p *Programs) Cache(name string) string {
	return filepath.Join(p.module.dir, "cache", name+"-"+foundKind)
}
