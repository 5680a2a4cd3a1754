package hard

import (
	"testing"

	"github.com/allele-go/allele/eval/scratch"
)

func TestOwn(t *testing.T) {
	got, err := own("package peers\n\nimport \"github.com/allele-go/allele/eval/workload/task\"\n\n// F fails.\nfunc F() task.Verdict { return task.Failed }\n")
	if want := "package scratch\n\n// F fails.\nfunc F() Verdict { return Failed }\n"; err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
}

// A search that found nothing counts in all columns except found.
func TestTrials(t *testing.T) {
	var all trials
	all.add(scratch.Run{Failed: true, Runs: 10, CPU: 1, Wall: 2, Text: "in := T{A{}}\nallele.Replay("})
	all.add(scratch.Run{Runs: 30, CPU: 3, Wall: 4})
	row := all.row("x")
	if row.Get("found") != 1 || row.Get("seeds") != 2 || row.Get("runs p50") != 20.0 || row.Get("runs max") != 30.0 || row.Get("largest counterexample") != 2 {
		t.Errorf("%v", row)
	}
}
