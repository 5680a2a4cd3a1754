package soak

import (
	"strings"
	"testing"

	"github.com/allele-go/allele/eval/worker"
)

// grows returns n results of a search whose heap grows by the given MB with each
// sample.
func grows(by float64, n int) (rs []worker.Result) {
	for i := range n {
		rs = append(rs, worker.Result{Heap: 10 + by*float64(i)})
	}
	return rs
}

func TestReport(t *testing.T) {
	for _, c := range []struct {
		name    string
		second  []worker.Result
		problem string
	}{
		{"flat", grows(0, samples), ""},
		{"too large", grows(20, samples), "310 MB"},
		{"too few samples", grows(0, 3), "3 of 20"},
	} {
		res, err := report([][]worker.Result{grows(0, samples), c.second})
		if (err == nil) != (c.problem == "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err == nil && (len(res.Rows) != 2*samples || res.Summary[tasks[1]] != "0 runs; heap 10 MB in the middle, 10 MB at the end; at most 10 MB in the first half, 10 MB in the second") {
			t.Errorf("%s: %v", c.name, res)
		}
	}
}
