//go:build go1.25

package plain

import (
	"fmt"
	"testing"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc/job"
)

type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// A binary that the command has not built says so, if it gets a job.
func TestNoJobs(t *testing.T) {
	r := &recorder{TB: t}
	Do(&property.Property{TB: r, Name: "TestX", Job: &job.Job{Mode: job.Search, Property: "TestX"}})
	const want = `[allele: this test binary cannot do the job "search": only binaries that the allele command builds can; ` +
		`update the allele command, or unset ALLELE_JOB]`
	if got := fmt.Sprint(r.errors); got != want {
		t.Error(got)
	}
}
