package claims_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/ops/claims"
)

// The processes of a property agree on who shows a failure.
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
		{"nobody has met it", "", true},
		{"it was shown", "claimed 1 a\ntold a\n", false},
		{"somebody looks into it", fmt.Sprintf("claimed %d a\n", alive), false},
		{"somebody died of it", fmt.Sprintf("claimed %d a\n", dead), true},
		{"somebody took over from one who died", fmt.Sprintf("claimed %d a\nclaimed %d a\n", dead, alive), false},
		{"another failure", fmt.Sprintf("told a b\ntold b\nclaimed %d b\n", alive), true},
		{"a line that was cut off", "told a", true},
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
				t.Errorf("it was told\n%s", data)
			}
		})
	}
}

// Without a file everybody shows what they find.
func TestAlone(t *testing.T) {
	if claims.File("").Claim("a") != claims.Unknown || claims.File("").Claim("a") != claims.Unknown {
		t.Error("somebody claims")
	}
}
