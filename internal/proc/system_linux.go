//go:build go1.25

package proc

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// bind makes the system kill a process when this process exits, for whatever reason. It
// also shields the new process from the terminal's signals, because that process is
// stopped through its slot.
func bind(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if Shared() {
		cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	}
}

// signalBusy sends a signal to a running thread of a process. The Go runtime can print
// the stack of a goroutine that never yields only in the goroutine's own thread.
func signalBusy(pid int, sig syscall.Signal) bool {
	tasks, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/stat")
	if err != nil {
		return false
	}
	for _, file := range tasks {
		data, err := os.ReadFile(file)
		// The state follows the name of the command, which may contain any character.
		_, rest, ok := strings.Cut(string(data[strings.LastIndexByte(string(data), ')')+1:]), " ")
		if err != nil || !ok || !strings.HasPrefix(rest, "R") {
			continue
		}
		tid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			continue
		}
		_, _, errno := syscall.Syscall(syscall.SYS_TGKILL, uintptr(pid), uintptr(tid), uintptr(sig))
		return errno == 0
	}
	return false
}
