package worker

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/allele-go/allele/eval/papers"
)

// TestJobs runs the jobs in the file that JOBS names, one on each line, and prints the
// results. Without a file it runs two small jobs, in a binary without probes.
func TestJobs(t *testing.T) {
	tasks := Tasks()
	do := func(j Job) {
		loop, err := papers.Named(j.Strategy)
		if err != nil {
			t.Fatal(err)
		}
		task, ok := tasks[j.Task]
		if !ok {
			t.Fatalf("unknown task %q", j.Task)
		}
		report := func(r Result) {
			line, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Printf("RESULT %s\n", line)
		}
		if j.Samples > 0 {
			if err := Soak(j, task, loop, report); err != nil {
				t.Fatal(err)
			}
			return
		}
		r, err := Search(j, task, loop)
		if err != nil {
			t.Fatal(err)
		}
		report(r)
	}
	file := os.Getenv("JOBS")
	if file == "" {
		do(Job{Task: "bst4", Strategy: "random", Seed: 1, Cap: 1000})
		do(Job{Task: "bst-correct", Strategy: "random", Seed: 1, Budget: 0.01, Samples: 2})
		return
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var j Job
		if err := json.Unmarshal(lines.Bytes(), &j); err != nil {
			t.Fatal(err)
		}
		do(j)
	}
}
