package faults

import (
	"crypto/sha256"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// plainTest returns the CPU time, in seconds, of go test with compiled packages. A run before it
// compiles them.
func plainTest(src string, env, patterns []string) (float64, error) {
	args := slices.Concat([]string{"test", "-count=1"}, patterns)
	if _, err := foreign.Go(src, env, args...); err != nil {
		return 0, err
	}
	var err error
	spent := lab.Spent(func() { _, err = foreign.Go(src, env, args...) })
	return spent.Seconds(), err
}

// goVersion returns the version of the go command.
func goVersion() string {
	out, err := exec.Command("go", "env", "GOVERSION").Output()
	if err != nil {
		return fmt.Sprintf("unknown (%v)", err)
	}
	return strings.TrimSpace(string(out))
}

// sum returns a short checksum.
func sum(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data))[:12] }
