//go:build go1.25

package suite

import (
	"flag"
	"io"
	"log"
	"os"
	"slices"
	"strings"
)

// home is the state of the process before the first run. Tests may change it, and a test
// that is stopped in the middle does not change it back.
type home struct {
	stdin, stdout, stderr *os.File
	log                   io.Writer
	dir                   string
	env                   []string
	args                  []string
	commandLine           *flag.FlagSet
	flags                 []*flag.Flag
	values                []string
}

func remember() *home {
	h := &home{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, log: log.Writer(), env: os.Environ(),
		args: slices.Clone(os.Args), commandLine: flag.CommandLine}
	h.dir, _ = os.Getwd()
	flag.VisitAll(func(f *flag.Flag) {
		h.flags = append(h.flags, f)
		h.values = append(h.values, f.Value.String())
	})
	return h
}

// silence discards what tests print. What the runtime prints about a crash is not affected.
func (h *home) silence(null *os.File) {
	os.Stdin, os.Stdout, os.Stderr = null, null, null
	log.SetOutput(null)
}

// restore makes the state what it was, where it has changed.
func (h *home) restore() {
	os.Stdin, os.Stdout, os.Stderr = h.stdin, h.stdout, h.stderr
	log.SetOutput(h.log)
	if dir, err := os.Getwd(); err != nil || dir != h.dir {
		os.Chdir(h.dir)
	}
	if !slices.Equal(os.Environ(), h.env) {
		os.Clearenv()
		for _, e := range h.env {
			if i := strings.IndexByte(e[min(1, len(e)):], '='); i >= 0 { // on Windows a name may begin with =
				os.Setenv(e[:i+1], e[i+2:])
			}
		}
		h.env = os.Environ() // the order may differ
	}
	if !slices.Equal(os.Args, h.args) {
		os.Args = slices.Clone(h.args)
	}
	flag.CommandLine = h.commandLine
	for i, f := range h.flags {
		if f.Value.String() != h.values[i] {
			f.Value.Set(h.values[i])
		}
	}
}
