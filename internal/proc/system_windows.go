//go:build go1.25

package proc

import (
	"os"
	"os/exec"
	"syscall"

	"github.com/allele-go/allele/internal/proc/job"
)

// hand passes open files to a process that is about to be started. The process reads the
// handles from its job.
func hand(cmd *exec.Cmd, files []*os.File) (handles []uintptr, err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	for _, f := range files {
		h := syscall.Handle(f.Fd())
		if err := syscall.SetHandleInformation(h, syscall.HANDLE_FLAG_INHERIT, 1); err != nil {
			return nil, err
		}
		cmd.SysProcAttr.AdditionalInheritedHandles = append(cmd.SysProcAttr.AdditionalInheritedHandles, h)
		handles = append(handles, uintptr(h))
	}
	return handles, nil
}

// Asked returns the pipes of a process that answers questions.
func Asked(w job.Wires) (questions, answers *os.File) {
	if len(w.Pipes) != 2 {
		return nil, nil
	}
	return os.NewFile(w.Pipes[0], "questions"), os.NewFile(w.Pipes[1], "answers")
}

// dump returns false: there is no such signal on Windows.
func dump(*os.Process) bool { return false }

func signalOf(*os.ProcessState) (name string, killed bool) { return "", false }

func bind(*exec.Cmd) {}
