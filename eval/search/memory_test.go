package search

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/allele-go/allele/eval/worker"
)

// Results are read by the next experiment with the same binary, even if the first one
// was interrupted while writing. Another binary does not read them.
func TestMemory(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "bin")
	write := func(code string) {
		if err := os.WriteFile(bin, []byte(code), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	open := func() *memory {
		m, err := remember(bin)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { m.file.Close() })
		return m
	}
	write("one")
	m := open()
	r := worker.Result{Job: worker.Job{Task: "bst4", Strategy: "guided", Seed: 1, Cap: 10}, Found: true, Runs: 7}
	if err := m.add(r); err != nil {
		t.Fatal(err)
	}
	if _, err := m.file.WriteString(`{"task": "bst8", "strat`); err != nil {
		t.Fatal(err)
	}
	if again := open(); len(again.done) != 1 || again.done[r.Job] != r {
		t.Errorf("remembered %v", again.done)
	}
	write("two")
	if other := open(); len(other.done) != 0 {
		t.Errorf("another binary remembers %v", other.done)
	}
}
