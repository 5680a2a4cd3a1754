//go:build go1.25

package main

import (
	"flag"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/campaign"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/testbin"
)

// limitFlags are the flags of every command that runs inputs.
type limitFlags struct {
	limits job.Limits // the parsed flags; check sets Memory from memory
	memory string     // -memory as typed
	given  string     // the flags that were given, for the same runs with another command; ends with a space
	steps  int64      // -steps as typed
}

func (l *limitFlags) register(f *flag.FlagSet) {
	f.DurationVar(&l.limits.Run, "run-timeout", 10*time.Second, "per-run timeout, a `time`; a run that takes longer is a finding")
	f.Int64Var(&l.steps, "steps", job.StepsDefault, "step limit of a run, a `number`: a run that takes more steps, and does not "+
		"end within the per-run timeout, is a finding; 0 means no limit")
	f.StringVar(&l.memory, "memory", "4GB", "memory limit of a process: a `size`, or off")
}

func (l *limitFlags) check(f *flagSet) (err error) {
	l.given = f.given("run-timeout", "steps", "memory")
	if l.limits.Memory, err = parseMemory(l.memory); err != nil {
		return err
	}
	if l.limits.Run <= 0 {
		return fmt.Errorf("-run-timeout: want a time above 0, not %v", l.limits.Run)
	}
	switch {
	case l.steps < 0:
		return fmt.Errorf("-steps: want a number of steps, or 0 for no limit, not %d", l.steps)
	case l.steps == 0:
		l.limits.Steps = -1
	case l.steps != job.StepsDefault:
		l.limits.Steps = l.steps
	}
	return nil
}

const memoryMin = 64 << 20

// parseMemory reads 2GB, 512MB, a number of bytes, or off.
func parseMemory(s string) (int64, error) {
	units := []struct {
		suffix string
		bytes  int64
	}{{"GB", 1 << 30}, {"MB", 1 << 20}, {"kB", 1 << 10}, {"", 1}}
	if s == "off" {
		return 0, nil
	}
	for _, u := range units {
		number, ok := strings.CutSuffix(s, u.suffix)
		n, err := strconv.ParseInt(number, 10, 64)
		if !ok || err != nil || n <= 0 || n >= 1<<62/u.bytes {
			continue
		}
		if n*u.bytes < memoryMin {
			return 0, fmt.Errorf("-memory: %s is too little for any test; want at least 64MB", s)
		}
		return n * u.bytes, nil
	}
	return 0, fmt.Errorf("-memory: want a size such as 2GB, or off, not %q", s)
}

// supervisor returns a supervisor that runs jobs with the binaries of the program.
func supervisor(p *testbin.Program, l limitFlags, verbose bool) *campaign.Supervisor {
	l.limits.Temp = p.Temp.Path
	return &campaign.Supervisor{Runner: &p.Launcher, Program: p, Processes: &p.Launcher.All,
		Limits: l.limits, Commands: commandsWith(p, l.given), Verbose: verbose}
}

// warnLimits prints a warning if this system does not support some limits.
func warnLimits(stderr io.Writer) {
	switch {
	case proc.Shared() && runtime.GOOS == "linux":
	case proc.Shared():
		fmt.Fprintln(stderr, "allele test: this system has no memory limits for processes; "+
			"if a run uses all memory, the system may kill its process")
	default:
		fmt.Fprintln(stderr, "allele test: this system has no shared memory and no memory limits for processes: "+
			"inputs are written to a file, which is slower, and if a run uses all memory, the system may kill its process")
	}
}
