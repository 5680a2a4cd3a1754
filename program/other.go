//go:build go1.25 && !linux

package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// On systems other than Linux each run is a process, which is killed when its time is up. It
// has no limits, and processes that it starts are not looked for.

type kind struct {
	counts int
	forks  bool
}

type server struct{}

type shared struct{}

type watcher struct{}

type leftover struct{}

type reading struct{}

func (*server) close() {}

func (*shared) close() *shared { return nil }

func find(args []string) (path string, k kind, err error) {
	if len(args) == 0 || args[0] == "" {
		return "", k, errNoProgram
	}
	if path, err = exec.LookPath(args[0]); err != nil {
		return "", k, fmt.Errorf("program: cannot find the program %q: %w", args[0], errors.Unwrap(err))
	}
	path, err = filepath.Abs(path)
	return path, k, err
}

func (p *Program) serve([]byte) (Result, error) { return p.start() }

func (p *Program) start() (r Result, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), p.allowed)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.path, p.folder.args[1:]...)
	cmd.Dir, cmd.Env = filepath.Dir(p.folder.file), append(cmd.Environ(), p.Env...)
	cmd.Stdout, cmd.Stderr = p.folder.out[0], p.folder.out[1]
	if p.folder.input != nil {
		cmd.Stdin = p.folder.input
	}
	began := time.Now()
	err = cmd.Run()
	r.Time = time.Since(began)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return r, err
	}
	if r.Code = cmd.ProcessState.ExitCode(); r.Code < 0 {
		r.Code = -9 // the number of the signal is not the same on all systems
	}
	if ctx.Err() != nil {
		r.Stopped, r.why = OutOfTime, p.allowed.String()+" had passed"
	}
	return r, nil
}

func (p *Program) sweep(bool) {}

const noFollow = 0

func owner() string { return strconv.Itoa(os.Getpid()) }

func ownerGone(string) bool { return false }

// Instrumented reports whether the edges of a program can guide a search. On this system they cannot.
func Instrumented(name string) (bool, error) {
	_, _, err := find([]string{name})
	return false, err
}
