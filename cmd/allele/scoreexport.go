//go:build go1.25

package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/score"
	"github.com/allele-go/allele/internal/score/export"
	"github.com/allele-go/allele/internal/testbin"
)

// exports is the value of the flag -export, which may be given several times: a file for each format.
type exports map[string]string

func (e *exports) String() string { return "" }

// Set reads a format and a file.
func (e *exports) Set(text string) error {
	formats := export.Formats()
	format, file, _ := strings.Cut(text, "=")
	if formats[format] == nil || file == "" {
		return fmt.Errorf("want a format and a file, such as sarif=score.sarif; the formats are %s",
			strings.Join(slices.Sorted(maps.Keys(formats)), " and "))
	}
	if *e == nil {
		*e = exports{}
	}
	(*e)[format] = file
	return nil
}

// write writes the files.
func (e exports) write(p *testbin.Program, r score.Report) error {
	for _, format := range slices.Sorted(maps.Keys(e)) {
		data, err := export.Formats()[format](r, export.Files{Relative: p.Relative, Source: os.ReadFile})
		if err == nil {
			err = os.WriteFile(fromDir(p.Dir, e[format]), data, 0o666)
		}
		if err != nil {
			return fmt.Errorf("-export %s: %w", format, err)
		}
	}
	return nil
}
