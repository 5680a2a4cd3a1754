//go:build go1.25

package load

import (
	"fmt"
	"strings"
)

// oneMain returns an error unless the patterns match one package, which is a program that can get probes.
func (l *Listing) oneMain() error {
	paths, patterns := l.named(), strings.Join(l.config.Patterns, " ")
	switch len(paths) {
	case 0:
		return fmt.Errorf("%s matches no package", patterns)
	case 1:
	default:
		return fmt.Errorf("%s matches %d packages; name one program", patterns, len(paths))
	}
	p := l.find(paths[0])
	switch why := keptOut(p); {
	case len(l.broken) > 0:
		return BrokenError(l.broken)
	case p.Name != "main":
		return fmt.Errorf("%s is not a program: it is package %s, not package main; name the folder of a main package", p.path(), p.Name)
	case why != "":
		return fmt.Errorf("%s never gets probes, because %s", p.path(), why)
	case p.Module == nil:
		return fmt.Errorf("%s is not a package of a module; name the folder of the program, such as ./cmd/tool", patterns)
	case !inScope(p, l.config.Scope):
		return fmt.Errorf("%s is not part of your module; to put probes into it, add -scope %[1]s", p.path())
	}
	return nil
}
