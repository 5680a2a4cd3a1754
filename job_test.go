//go:build go1.25

package allele

import (
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/proc/job"
)

// A job that this binary does not know fails the test. If the Check ignored the job or
// returned, a property that fails would pass.
func TestUnknownJobFails(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"version":2,"mode":"serch","property":"TestX"}`, `unknown mode "serch"`},
		{`{"version":7,"mode":"search","property":"TestX"}`, "has version 7"},
		{`{"version":2,"mode":"search","property":"TestX","shards":2}`, `unknown field "shards"`},
		{`serch`, "is not a job"},
		{`{"version":2,"mode":"confirm","property":"TestX","confirm":{"slot":"x"}}`, "needs a file for events"},
	} {
		t.Setenv(job.Variable, c.text)
		r := record(t, "TestX", func(t testing.TB) { Check(t, func(t *T, n int) { t.Error("it never holds") }) })
		if !r.failed || !strings.Contains(r.text(), c.want) || !strings.Contains(r.text(), "unset the variable") {
			t.Errorf("%s: failed %v\n%s", c.text, r.failed, r.text())
		}
	}
}
