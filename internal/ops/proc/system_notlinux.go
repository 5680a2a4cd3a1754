//go:build unix && !linux

package proc

import (
	"os/exec"
	"syscall"
)

// bind keeps the signals of the terminal from a process: it is told to stop by
// its slot.
func bind(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func signalBusy(int, syscall.Signal) bool { return false }
