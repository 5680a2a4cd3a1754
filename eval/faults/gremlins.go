package faults

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// gremlinsVersion is the version of gremlins that is compared.
const gremlinsVersion = "v0.6.0"

// gremlinsCoefficient is the value of --timeout-coefficient. gremlins stops the build and the tests
// of a changed program after that many times the duration of its first run, which compiles the module
// with coverage. The default of 3 stops builds on a busy machine.
const gremlinsCoefficient = 10

// The statuses of gremlins.
const (
	gKilled     = "KILLED"
	gLived      = "LIVED"
	gNotCovered = "NOT COVERED"
	gTimedOut   = "TIMED OUT"
	gNotViable  = "NOT VIABLE"
)

// gremlin is one changed program of gremlins.
type gremlin struct {
	File   string `json:"file"` // relative to the module
	Line   int    `json:"line"`
	Col    int    `json:"col"` // of the operator
	Type   string `json:"type"`
	Status string `json:"status"`
}

// hunt is the outcome of a run of gremlins.
type hunt struct {
	Module      string    `json:"module"`
	Gremlins    string    `json:"gremlins"` // version
	Go          string    `json:"go"`
	Coefficient int       `json:"coefficient"`
	CPU         float64   `json:"cpu"`   // seconds, of all processes
	Wall        float64   `json:"wall"`  // seconds
	Plain       float64   `json:"plain"` // CPU seconds of go test at the same time, to compare machines in different states
	Changed     []gremlin `json:"changed"`
}

// judged returns how many changed programs gremlins compiled and tested.
func (h hunt) judged() (n int) {
	for _, g := range h.Changed {
		if g.Status == gKilled || g.Status == gLived || g.Status == gTimedOut || g.Status == gNotViable {
			n++
		}
	}
	return n
}

// count returns how many changed programs have a status.
func (h hunt) count(status string) (n int) {
	for _, g := range h.Changed {
		if g.Status == status {
			n++
		}
	}
	return n
}

// readGremlins reads the output of gremlins.
func readGremlins(data []byte) (all []gremlin, err error) {
	var out struct {
		Files []struct {
			Name      string `json:"file_name"`
			Mutations []struct {
				Type, Status string
				Line, Column int
			}
		}
	}
	if err := json.Unmarshal(data, &out); err != nil {
		return nil, fmt.Errorf("read the output of gremlins: %w", err)
	}
	for _, f := range out.Files {
		for _, m := range f.Mutations {
			all = append(all, gremlin{File: f.Name, Line: m.Line, Col: m.Column, Type: m.Type, Status: m.Status})
		}
	}
	if len(all) == 0 {
		return nil, errors.New("gremlins has changed nothing")
	}
	return all, nil
}

// gremlinsBinary installs gremlins and returns its file.
func (b *bench) gremlinsBinary() (string, error) {
	dir := filepath.Join(b.dir, "gremlins-"+gremlinsVersion)
	file := filepath.Join(dir, "gremlins")
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	// -mod=mod is not allowed outside of a module.
	env := []string{"GOWORK=off", "GOFLAGS=-buildvcs=false", "GOBIN=" + dir}
	_, err := foreign.Go(os.TempDir(), env, "install", "github.com/go-gremlins/gremlins/cmd/gremlins@"+gremlinsVersion)
	return file, err
}

// hunt runs gremlins on a module, or returns what an earlier run has kept.
func (b *bench) hunt(s subject) (h hunt, err error) {
	part := b.part("gremlins", s, gremlinsVersion)
	if h, known := lab.Recall[hunt](part); known {
		return h, nil
	}
	binary, err := b.gremlinsBinary()
	if err != nil {
		return h, err
	}
	src, err := b.copied(s)
	if err != nil {
		return h, err
	}
	temp, err := os.MkdirTemp("", "gremlins")
	if err != nil {
		return h, err
	}
	defer os.RemoveAll(temp)
	cache, remove, err := b.caches.Fresh(filepath.Join(temp, "cache"))
	if err != nil {
		return h, err
	}
	defer remove()
	h = hunt{Module: s.Module.String(), Gremlins: gremlinsVersion, Go: goVersion(), Coefficient: gremlinsCoefficient}
	if h.Plain, err = plainTest(src, foreign.Env(cache), s.patterns()); err != nil {
		return h, err
	}
	// gremlins measures the time of its first run, which must therefore not be in the cache.
	cache, removeAgain, err := b.caches.Fresh(filepath.Join(temp, "again"))
	if err != nil {
		return h, err
	}
	defer removeAgain()
	output := filepath.Join(temp, "output.json")
	cmd := exec.Command(binary, "unleash", "--silent", "--workers", "1",
		"--timeout-coefficient", fmt.Sprint(gremlinsCoefficient), "-o", output, ".")
	cmd.Dir, cmd.Env = src, slices.Concat(os.Environ(), foreign.Env(cache))
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	b.Logf("gremlins %s", s.Module)
	start := time.Now()
	spent, err := tree(cmd)
	if err != nil {
		return h, fmt.Errorf("gremlins %s: %w\n%s", s.Module, err, text.Bytes())
	}
	h.CPU, h.Wall = spent.Seconds(), time.Since(start).Seconds()
	data, err := os.ReadFile(output)
	if err != nil {
		return h, err
	}
	if h.Changed, err = readGremlins(data); err != nil {
		return h, err
	}
	b.Logf("  %d programs compiled and tested in %.0f s of CPU time: %d killed, %d lived, %d timed out; %d not covered",
		h.judged(), h.CPU, h.count(gKilled), h.count(gLived), h.count(gTimedOut), h.count(gNotCovered))
	return h, lab.Keep(part, h)
}
