//go:build !linux

package faults

import (
	"os/exec"
	"time"

	"github.com/allele-go/allele/eval/lab"
)

// tree runs a command and returns the CPU time of its processes, without those whose parent exits
// first.
func tree(cmd *exec.Cmd) (spent time.Duration, err error) {
	spent = lab.Spent(func() { err = cmd.Run() })
	return spent, err
}
