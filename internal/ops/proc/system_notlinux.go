//go:build unix && !linux

package proc

import (
	"os/exec"
	"syscall"
)

// bind keeps the terminal's signals from a process, which is stopped through its slot.
func bind(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func signalBusy(int, syscall.Signal) bool { return false }
