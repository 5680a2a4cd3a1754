//go:build go1.25 && !unix && !windows

package proc

import (
	"errors"
	"os"
	"os/exec"

	"github.com/allele-go/allele/internal/proc/job"
)

func hand(*exec.Cmd, []*os.File) ([]uintptr, error) { return nil, errors.ErrUnsupported }

// Asked returns nil: processes on this system cannot answer questions.
func Asked(job.Wires) (questions, answers *os.File) { return nil, nil }

func dump(*os.Process) bool { return false }

func signalOf(*os.ProcessState) (name string, killed bool) { return "", false }

func bind(*exec.Cmd) {}
