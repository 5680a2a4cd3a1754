//go:build !unix && !windows

package proc

import (
	"errors"
	"os"
	"os/exec"
)

func hand(*exec.Cmd, []*os.File) error { return errors.ErrUnsupported }

// Asked gives nothing here: a process cannot be asked.
func Asked() (questions, answers *os.File) { return nil, nil }

func dump(*os.Process) bool { return false }

func signalOf(*os.ProcessState) (name string, killed bool) { return "", false }

func bind(*exec.Cmd) {}
