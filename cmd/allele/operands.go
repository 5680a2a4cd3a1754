package main

import (
	"fmt"
	"strings"
)

// buildOperands builds the binaries that tell what inputs are compared with. They
// help the search and nothing else, so what goes wrong with them is said once.
func (c *campaign) buildOperands(props []property) {
	c.compared = map[string]string{}
	if c.operands == "off" || !c.guided() || c.race {
		return
	}
	said := ""
	for _, p := range props {
		if _, done := c.compared[p.Package]; done {
			continue
		}
		binary := strings.TrimSuffix(c.binary(p.Package), ".test") + ".operands"
		err := c.overlay.Operands(p.Package, binary)
		if err == nil {
			c.compared[p.Package] = binary
			continue
		}
		c.compared[p.Package] = ""
		why := err.Error()
		if first, _, more := strings.Cut(why, "\n"); more && !c.verbose {
			why = first + " (-v shows more)"
		}
		if why != said {
			fmt.Fprintln(c.stderr, "allele test: the search goes on without operands:", why)
			said = why
		}
	}
}
