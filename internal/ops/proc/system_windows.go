package proc

import (
	"os"
	"os/exec"
	"syscall"

	"github.com/allele-go/allele/internal/ops/job"
)

// hand gives files to a process that is going to be started: it learns their
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

// Asked gives the two ends of a process that can be asked: where questions come
// from and where answers go to.
func Asked(w job.Wires) (questions, answers *os.File) {
	if len(w.Pipes) != 2 {
		return nil, nil
	}
	return os.NewFile(w.Pipes[0], "questions"), os.NewFile(w.Pipes[1], "answers")
}

// dump cannot be asked for here.
func dump(*os.Process) bool { return false }

func signalOf(*os.ProcessState) (name string, killed bool) { return "", false }

func bind(*exec.Cmd) {}
