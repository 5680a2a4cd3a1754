package formats

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/allele-go/allele/program"
)

// A run that hangs is known to hang at first. After some of them, most are stopped early. A run that is slow but ends
// within the limit is waited for.
func TestHangs(t *testing.T) {
	script := filepath.Join(t.TempDir(), "slow")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nread s\nsleep $s\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	p := &program.Program{Args: []string{script}, Timeout: 20 * time.Second}
	defer p.Close()
	h := hangs{limit: 600 * time.Millisecond}
	run := func(input string) (stopped, known bool) {
		t.Helper()
		r, known, err := h.run(p, []byte(input))
		if err != nil {
			t.Fatal(err)
		}
		return late(r), known
	}
	for i := range waitFree {
		if stopped, known := run("100\n"); !stopped || !known {
			t.Fatalf("hang %d: stopped %v, known %v, want a known hang", i, stopped, known)
		}
	}
	unknown := 0
	for range 5 {
		if stopped, known := run("100\n"); !stopped {
			t.Fatal("a run that hangs was not stopped")
		} else if !known {
			unknown++
		}
	}
	if unknown != 5 {
		t.Errorf("%d of 5 hangs were stopped early, want all: more than a tenth of the time was spent on hangs", unknown)
	}
	h.waited, h.limit = 0, p.Timeout // on a busy machine it may take long
	if stopped, known := run("0.3\n"); stopped || !known {
		t.Errorf("a slow run: stopped %v, known %v, want one that ends", stopped, known)
	}
	if h.longest < 300*time.Millisecond {
		t.Errorf("the longest run took %v, want 300 ms", h.longest)
	}
}
