package finding

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/allele-go/allele/internal/ops/job"
)

// What somebody else looks into is passed over, and asked for again now and then.
func TestClaimIsTakenOver(t *testing.T) {
	file := filepath.Join(t.TempDir(), "known")
	if err := os.WriteFile(file, fmt.Appendf(nil, "claimed %d a\n", os.Getppid()), 0o666); err != nil {
		t.Fatal(err)
	}
	k := newLedger(&job.Job{Claims: file})
	if k.Claim("a") {
		t.Fatal("it is somebody else's")
	}
	asked := 0
	for range 1000 {
		if !k.PassOver("a") {
			asked++
		}
	}
	if asked < 5 || asked > 15 {
		t.Errorf("asked again %d times in 1000", asked)
	}
	os.Remove(file)
	if !k.Claim("a") {
		t.Error("whoever it was has not shown it")
	}
}
