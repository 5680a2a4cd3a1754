//go:build go1.25

package allele

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/store/corpus"
)

// runJob runs a Check as the command does, with a corpus of inputs, and returns the events
// that it emits.
func runJob(t *testing.T, j job.Job, inputs []string, check func(testing.TB)) (r *recorder, events []event.Event) {
	t.Helper()
	folder, out := filepath.Join(t.TempDir(), "corpus"), filepath.Join(t.TempDir(), "out")
	w, err := corpus.Create(folder, "example.com/x", "TestX")
	if err != nil {
		t.Fatal(err)
	}
	for i, input := range inputs {
		if err := w.Add(corpus.Entry{Input: input, Verdict: "passed", Run: i}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	j.Property, j.Corpus, j.Events, j.Program.Sites = "TestX", folder, out, 100
	t.Setenv(job.Variable, j.Encode())
	t.Cleanup(func() { hook.Spent, hook.Long = nil, nil })
	// The command sets GOMAXPROCS to 1. With more, the goroutine of a run may still be ending
	// while its path is read, and then the run is judged by its sites.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	r = recordHere(t, "TestX", check)
	f, err := os.Open(out)
	if err != nil {
		return r, nil
	}
	defer f.Close()
	for e, err := range event.Read(f) {
		if err != nil {
			t.Error(err)
		}
		events = append(events, e)
	}
	return r, events
}

// lastOf returns the last event, which must be of this kind.
func lastOf[B event.Body](t *testing.T, events []event.Event) (b B) {
	t.Helper()
	if len(events) == 0 {
		t.Fatal("no events")
	}
	b, ok := events[len(events)-1].Body.(B)
	if !ok {
		t.Fatalf("%+v, want %T", events[len(events)-1], b)
	}
	return b
}

// allOf returns the events of this kind.
func allOf[B event.Body](events []event.Event) (all []B) {
	for _, e := range events {
		if b, ok := e.Body.(B); ok {
			all = append(all, b)
		}
	}
	return all
}
