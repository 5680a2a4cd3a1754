//go:build go1.25

package claims_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/proc/claims"
)

// Claim returns Unknown for at most one living process.
func TestClaims(t *testing.T) {
	gone := exec.Command(os.Args[0], "-test.run=^$")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	dead, alive := gone.Process.Pid, os.Getppid()
	for _, c := range []struct {
		name, file string
		mine       bool
	}{
		{"empty file", "", true},
		{"shown", "claimed 1 a\ntold a\n", false},
		{"claimed by a living process", fmt.Sprintf("claimed %d a\n", alive), false},
		{"claimed by a dead process", fmt.Sprintf("claimed %d a\n", dead), true},
		{"claimed by a dead process, then by a living one", fmt.Sprintf("claimed %d a\nclaimed %d a\n", dead, alive), false},
		{"another failure", fmt.Sprintf("told a b\ntold b\nclaimed %d b\n", alive), true},
		{"a line without a newline", "told a", true},
		{"damaged lines", "told\nclaimed a\nclaimed -7 a\nclaimed 99999999999999999999 a\n\x00\xff\n claimed 1 a\n", true},
		{"damaged lines before a good one", "\x00\xff\n\n\ntold a\n", false},
		{"far too long", strings.Repeat("told b\n", claims.FileMax/7) + "told a\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "known")
			if err := os.WriteFile(file, []byte(c.file), 0o666); err != nil {
				t.Fatal(err)
			}
			k := claims.File(file)
			if got := k.Claim("a") == claims.Unknown; got != c.mine {
				t.Fatalf("claimed: %v", got)
			}
			if !c.mine || len(c.file) > claims.FileMax {
				return
			}
			k.Shown("a")
			if k.Claim("a") != claims.Shown || k.Look("a") != claims.Shown {
				data, _ := os.ReadFile(file)
				t.Errorf("not shown:\n%s", data)
			}
		})
	}
}

// Without a file every process may show every failure.
func TestAlone(t *testing.T) {
	if claims.File("").Claim("a") != claims.Unknown || claims.File("").Claim("a") != claims.Unknown {
		t.Error("a claim without a file was refused")
	}
}
