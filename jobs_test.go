//go:build go1.25

package allele

// Tests of this package do jobs of the command.
import (
	_ "github.com/allele-go/allele/internal/check/worker"
)
