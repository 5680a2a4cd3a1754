// Package faults measures allele score: how fast faults are judged, whether the verdicts are right,
// whether they are the same every time, and whether large modules are judged to the end.
//
//	gremlins   the same modules under allele score and under gremlins: speed, and every verdict compared
//	scoresame  the verdicts of several runs, on an idle machine and while all cores are busy
//	edits      edits of three modules: the verdicts of before that hold, and those of a full run
//	complete   modules of thousands of lines, and modules with slow tests: verdicts, CPU time beside that of go test, memory
//	self       allele's own packages, in a copy with another module path
//
// The modules are published ones at pinned versions, with their own tests. They are copied, because
// the go command does not replace files in the module cache. Each score is one call of the command,
// in its own process and without cached verdicts. Costs are CPU time of all processes of a call.
package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// subject is a module whose tests are judged.
type subject struct {
	foreign.Module
	packages []string // patterns of the packages, relative to the module; empty means all
	large    bool
	quick    bool
	flags    []string // of allele score
	varies   bool     // with some faults, what it does depends on the order of maps, or on addresses
}

func (s subject) patterns() []string {
	if len(s.packages) == 0 {
		return []string{"./..."}
	}
	return s.packages
}

// file returns a name for files that belong to the subject.
func (s subject) file() string {
	return strings.NewReplacer("/", "+", " ", "@").Replace(s.Module.String())
}

// bench is the folder of these experiments in the user's cache folder, with the command, copies of
// modules, and the outcomes of parts. It is always in the same place. If the place changed, the go
// command would compile all of it again.
type bench struct {
	lab.Config
	dir    string
	caches foreign.Caches
	close  func() // releases the place for other experiments
}

// open builds the command. It waits for other experiments that use the place.
func open(cfg lab.Config) (*bench, error) {
	tier := "full"
	if cfg.Quick {
		tier = "quick"
	}
	dir, release, err := foreign.Hold("faults", tier)
	if err != nil {
		return nil, err
	}
	b := &bench{Config: cfg, dir: dir, close: release}
	if b.caches, err = foreign.NewCaches(cfg.Quick); err == nil {
		err = foreign.Command(b.command())
	}
	if err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *bench) command() string { return filepath.Join(b.dir, "allele") }

// copied returns a copy of a module. Earlier changes of the copy are undone.
func (b *bench) copied(s subject) (src string, err error) {
	src = filepath.Join(b.dir, "src", s.file())
	if err := os.RemoveAll(src); err != nil {
		return "", err
	}
	if err := s.Copy(src); err != nil {
		return "", fmt.Errorf("%s: %w", s.Module, err)
	}
	return src, nil
}

// part returns the file with the outcome of a part.
func (b *bench) part(kind string, s subject, more ...string) string {
	return filepath.Join(b.dir, "parts", strings.Join(append([]string{kind, s.file()}, more...), "-")+".json")
}
