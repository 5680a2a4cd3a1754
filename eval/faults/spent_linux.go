package faults

import (
	"errors"
	"os/exec"
	"syscall"
	"time"

	"github.com/allele-go/allele/eval/lab"
)

// setSubreaper is PR_SET_CHILD_SUBREAPER, which package syscall does not have.
const setSubreaper = 36

// tree runs a command and returns the CPU time of all its processes. That includes processes whose
// parent exits first: this process adopts them and waits for their end. Nothing else may run in this
// process meanwhile.
func tree(cmd *exec.Cmd) (time.Duration, error) {
	if _, _, errno := syscall.Syscall(syscall.SYS_PRCTL, setSubreaper, 1, 0); errno != 0 {
		return 0, errno
	}
	defer syscall.Syscall(syscall.SYS_PRCTL, setSubreaper, 0, 0)
	var err error
	return lab.Spent(func() {
		err = cmd.Run()
		for {
			_, wait := syscall.Wait4(-1, nil, 0, nil)
			if wait != nil && !errors.Is(wait, syscall.EINTR) {
				return // no child is left
			}
		}
	}), err
}
