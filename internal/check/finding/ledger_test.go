//go:build go1.25

package finding

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/allele-go/allele/internal/proc/job"
)

// A failure that another process has claimed is passed over, and the claim is checked
// again now and then.
func TestClaimIsTakenOver(t *testing.T) {
	file := filepath.Join(t.TempDir(), "known")
	if err := os.WriteFile(file, fmt.Appendf(nil, "claimed %d a\n", os.Getppid()), 0o666); err != nil {
		t.Fatal(err)
	}
	k := newLedger(&job.Job{Claims: file})
	if k.Claim("a") {
		t.Fatal("claimed a failure that another process has claimed")
	}
	checks := 0
	for range 1000 {
		if !k.PassOver("a") {
			checks++
		}
	}
	if checks < 5 || checks > 15 {
		t.Errorf("checked again %d times in 1000", checks)
	}
	os.Remove(file)
	if !k.Claim("a") {
		t.Error("the claim of the other process is gone, but cannot be taken over")
	}
}
