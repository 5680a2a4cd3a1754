//go:build go1.25 && allele_jobs

package allele

// The allele command builds test binaries with this tag. They can do the jobs that it requests, and
// test files of builds with faults refer to suite. A plain go test needs none of this, and is built
// faster without.
import (
	_ "github.com/allele-go/allele/internal/check/worker"
	_ "github.com/allele-go/allele/internal/score/suite"
)
