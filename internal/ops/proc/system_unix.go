//go:build unix

package proc

import (
	"os"
	"os/exec"
	"syscall"

	"github.com/allele-go/allele/internal/ops/job"
)

// hand gives files to a process that is going to be started.
func hand(cmd *exec.Cmd, files []*os.File) ([]uintptr, error) {
	cmd.ExtraFiles = files
	return nil, nil
}

// Asked gives the two ends of a process that can be asked: where questions come
// from and where answers go to.
func Asked(job.Wires) (questions, answers *os.File) {
	// A process that is started here must not keep them open.
	syscall.CloseOnExec(3)
	syscall.CloseOnExec(4)
	return os.NewFile(3, "questions"), os.NewFile(4, "answers")
}

// dump has a Go program print the stacks of its goroutines and end. It reports
// whether it could be asked to.
func dump(p *os.Process) bool {
	return signalBusy(p.Pid, syscall.SIGQUIT) || p.Signal(syscall.SIGQUIT) == nil
}

// signalOf is the signal that ended a process, if one did.
func signalOf(s *os.ProcessState) (name string, killed bool) {
	w, ok := s.Sys().(syscall.WaitStatus)
	if !ok || !w.Signaled() {
		return "", false
	}
	return w.Signal().String(), w.Signal() == syscall.SIGKILL
}
