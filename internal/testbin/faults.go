//go:build go1.25

package testbin

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/load"
)

// checkOf returns an error if a pattern of -of matches no package that can have faults.
func checkOf(listing *load.Listing, faults *build.Faults) error {
	if faults == nil {
		return nil
	}
	for _, pattern := range faults.Of {
		if err := listing.CanHaveFaults(pattern); err != nil {
			return fmt.Errorf("-of %s: %w", pattern, err)
		}
	}
	return nil
}

// WriteFaults writes a list of faults to a file in a folder, for test binaries.
func WriteFaults(folder string, list []site.Fault) (file string, err error) {
	data, err := json.Marshal(list)
	if err != nil {
		return "", err
	}
	file = filepath.Join(folder, "faults.json")
	return file, os.WriteFile(file, data, 0o666)
}
