package formats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/program"
)

// file is a target as allele run writes it.
type file struct {
	Format   string        `json:"format"`
	Mutator  string        `json:"mutator"`
	Findings string        `json:"findings"`
	Args     []string      `json:"args"`
	Timeout  time.Duration `json:"timeout"`
	Memory   int64         `json:"memory"`
	Disk     int64         `json:"disk"`
	Vacuous  bool          `json:"vacuous"`
	Hint     string        `json:"hint"`
}

// Targets returns the files in a folder that describe programs, with the name of each. It is called by the test that
// allele run writes.
func Targets(dir string) iter.Seq2[string, string] {
	files, _ := filepath.Glob(filepath.Join(dir, "*.json")) // the pattern is valid
	return func(yield func(name, file string) bool) {
		for _, file := range files {
			if !yield(strings.TrimSuffix(filepath.Base(file), ".json"), file) {
				return
			}
		}
	}
}

// RunFile searches for failures of the program that a file describes.
func RunFile(t *testing.T, file string) {
	t.Helper()
	target, err := readTarget(file)
	if err != nil {
		t.Fatal(err)
	}
	Run(t, target)
}

func readTarget(name string) (*Target, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var f file
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields() // an option that is left out would change the search
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return &Target{Format: f.Format, Mutator: f.Mutator, Findings: f.Findings, AllowVacuous: f.Vacuous, Hint: f.Hint,
		Program: program.Program{Args: f.Args, Timeout: f.Timeout, Memory: f.Memory, Disk: f.Disk}}, nil
}
