package proc

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// hand gives files to a process that is going to be started: it learns their
// handles from its environment.
func hand(cmd *exec.Cmd, files []*os.File) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	for i, f := range files {
		h := syscall.Handle(f.Fd())
		if err := syscall.SetHandleInformation(h, syscall.HANDLE_FLAG_INHERIT, 1); err != nil {
			return err
		}
		cmd.SysProcAttr.AdditionalInheritedHandles = append(cmd.SysProcAttr.AdditionalInheritedHandles, h)
		cmd.Env = append(cmd.Env, handleName(i)+"="+strconv.FormatUint(uint64(h), 10))
	}
	return nil
}

func handleName(i int) string { return "ALLELE_HANDLE" + strconv.Itoa(i) }

// Asked gives the two ends of a process that can be asked: where questions come
// from and where answers go to.
func Asked() (questions, answers *os.File) { return handle(0), handle(1) }

func handle(i int) *os.File {
	h, err := strconv.ParseUint(os.Getenv(handleName(i)), 10, 64)
	if err != nil {
		return nil
	}
	return os.NewFile(uintptr(h), handleName(i))
}

// dump cannot be asked for here.
func dump(*os.Process) bool { return false }

func signalOf(*os.ProcessState) (name string, killed bool) { return "", false }

func bind(*exec.Cmd) {}
