//go:build go1.25

package testbin

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/internal/source/build"
)

// WriteCover writes a coverage profile to a file, in the format of go tool cover. Reached has the
// numbers of the sites and blocks that were reached.
func (p *Program) WriteCover(file string, reached map[uint32]bool) error {
	var b strings.Builder
	b.WriteString("mode: set\n")
	for i, k := range p.Overlay.Blocks {
		hit := 0
		if reached[build.FirstBlock+uint32(i)] {
			hit = 1
		}
		fmt.Fprintf(&b, "%s:%d.%d,%d.%d %d %d\n", k.File, k.Line, k.Col, k.EndLine, k.EndCol, k.Statements, hit)
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(p.Dir, file)
	}
	return os.WriteFile(file, []byte(b.String()), 0o666)
}
