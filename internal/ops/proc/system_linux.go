package proc

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// bind has a process end when this one does, however that ends, and keeps the
// signals of the terminal from it: it is told to stop by its slot.
func bind(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if Shared() {
		cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	}
}

// signalBusy sends a signal to the thread of a process that is running. The Go
// runtime can print the stack of a goroutine that never yields only in the thread
// it runs on.
func signalBusy(pid int, sig syscall.Signal) bool {
	tasks, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/stat")
	if err != nil {
		return false
	}
	for _, file := range tasks {
		data, err := os.ReadFile(file)
		// The state comes behind the name of the command, which may hold anything.
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
