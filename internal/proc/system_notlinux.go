//go:build go1.25 && unix && !linux

package proc

import (
	"os/exec"
	"syscall"
)

// bind shields a new process from the terminal's signals, because that process is stopped
// through its slot.
func bind(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func signalBusy(int, syscall.Signal) bool { return false }
