package main

import (
	"os/exec"
	"runtime"
	"syscall"
)

// bind has the process of a command end when this one does, however that ends. The
// system watches the thread that starts it, so the goroutine keeps its own until
// free is called.
func bind(cmd *exec.Cmd) (free func()) {
	runtime.LockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return runtime.UnlockOSThread
}
