//go:build go1.25 && unix

package proc

import (
	"os"
	"os/exec"
	"syscall"

	"github.com/allele-go/allele/internal/proc/job"
)

// hand passes open files to a process that is about to be started, as its files 3 and 4.
// The process knows these numbers, so hand returns no handles.
func hand(cmd *exec.Cmd, files []*os.File) ([]uintptr, error) {
	cmd.ExtraFiles = files
	return nil, nil
}

// Asked returns the pipes of a process that answers questions.
func Asked(job.Wires) (questions, answers *os.File) {
	// A process that this process starts must not inherit the pipes.
	syscall.CloseOnExec(3)
	syscall.CloseOnExec(4)
	return os.NewFile(3, "questions"), os.NewFile(4, "answers")
}

// dump makes a Go program print the stacks of its goroutines and exit. It reports whether
// the signal was sent.
func dump(p *os.Process) bool {
	return signalBusy(p.Pid, syscall.SIGQUIT) || p.Signal(syscall.SIGQUIT) == nil
}

// signalOf returns the name of the signal that killed a process, if one did, and whether
// it was SIGKILL.
func signalOf(s *os.ProcessState) (name string, killed bool) {
	w, ok := s.Sys().(syscall.WaitStatus)
	if !ok || !w.Signaled() {
		return "", false
	}
	return w.Signal().String(), w.Signal() == syscall.SIGKILL
}
