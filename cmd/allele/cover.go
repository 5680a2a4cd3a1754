//go:build go1.25

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/internal/source/build"
)

// writeCover writes a coverage profile, in the format of go tool cover.
func (t *tester) writeCover() error {
	var b strings.Builder
	b.WriteString("mode: set\n")
	for i, k := range t.overlay.Blocks {
		hit := 0
		if t.reached[build.FirstBlock+uint32(i)] {
			hit = 1
		}
		fmt.Fprintf(&b, "%s:%d.%d,%d.%d %d %d\n", k.File, k.Line, k.Col, k.EndLine, k.EndCol, k.Statements, hit)
	}
	file := t.cover
	if !filepath.IsAbs(file) {
		file = filepath.Join(t.dir, file)
	}
	return os.WriteFile(file, []byte(b.String()), 0o666)
}
