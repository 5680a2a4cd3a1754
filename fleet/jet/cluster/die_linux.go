package cluster

import (
	"os/exec"
	"syscall"
)

// dieWithParent makes a process end when this one does.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
