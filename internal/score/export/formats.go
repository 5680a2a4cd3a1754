//go:build go1.25

package export

import "github.com/allele-go/allele/internal/score"

// Formats returns the names of the formats, with what writes them.
func Formats() map[string]func(score.Report, Files) ([]byte, error) {
	return map[string]func(score.Report, Files) ([]byte, error){"stryker": Stryker, "sarif": SARIF}
}
