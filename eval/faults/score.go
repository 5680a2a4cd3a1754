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
	"github.com/allele-go/allele/internal/site"
)

// The verdicts of allele score.
const (
	killed      = "killed"
	survived    = "survived"
	notInfected = "not infected"
	notReached  = "not reached"
	noVerdict   = "no verdict"
)

var verdicts = []string{killed, survived, notInfected, notReached, noVerdict}

// fault is a fault with its verdict.
type fault struct {
	site.Fault
	Verdict string `json:"verdict"`
	By      string `json:"by,omitempty"`
	Detail  string `json:"detail,omitempty"`
	Member  string `json:"member,omitempty"` // of the suite: a property, or the tests of a package
	Test    string `json:"test,omitempty"`
}

// score is the outcome of allele score.
type score struct {
	Faults   []fault        `json:"faults"`
	Declined map[string]int `json:"declined,omitempty"` // reason -> number of places without faults
	Errors   []string       `json:"errors,omitempty"`   // packages that could not be judged
	Differ   []string       `json:"differ,omitempty"`   // verdicts that are different when the faults are judged again
	CPU      float64        `json:"cpu"`                // seconds, of all processes, from nothing
	Wall     float64        `json:"wall"`               // seconds
	Warm     float64        `json:"warm"`               // seconds of CPU time if the binaries are built already
	Of       int            `json:"of"`                 // faults from which the judged ones were drawn
	First    float64        `json:"first"`              // seconds until the command printed something
	Peak     int64          `json:"peak"`               // bytes of memory of all its processes
	Reused   int            `json:"reused,omitempty"`   // verdicts of before an edit

	Runs int `json:"runs,omitempty"` // verdicts that take runs, reused or not
	same int // those of packages that were not judged again, if the command says that there are some
}

func (s score) count(verdict string) (n int) {
	for _, f := range s.Faults {
		if f.Verdict == verdict {
			n++
		}
	}
	return n
}

func (s score) by(what string) (n int) {
	for _, f := range s.Faults {
		if f.Verdict == killed && f.By == what {
			n++
		}
	}
	return n
}

// judged returns how many faults were decided by running tests that reach them.
func (s score) judged() int { return s.count(killed) + s.count(survived) + s.count(notInfected) }

// share returns the score. Without kills by budget, these faults count as alive.
func (s score) share(budget bool) float64 {
	k := s.count(killed)
	if !budget {
		k -= s.by("budget")
	}
	return float64(k) / float64(max(1, len(s.Faults)-s.count(noVerdict)))
}

// readScore reads the file that allele score -json writes.
func readScore(data []byte) (s score, err error) {
	var file struct {
		Version     int
		Interrupted bool
		Sample      *struct{ Of int }
		Declined    map[string]int
		Packages    []struct {
			Path, Error string
			Faults      []fault
			Reused      *struct {
				Verdicts int
				Again    map[string]int
			}
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return s, fmt.Errorf("read the verdicts: %w", err)
	}
	if file.Version != 1 || file.Interrupted {
		return s, fmt.Errorf("read the verdicts: version %d, interrupted %v", file.Version, file.Interrupted)
	}
	s.Declined = file.Declined
	for _, p := range file.Packages {
		if p.Error != "" {
			s.Errors = append(s.Errors, p.Path+": "+p.Error)
		}
		if s.Faults = append(s.Faults, p.Faults...); p.Reused != nil {
			s.Reused += p.Reused.Verdicts
			s.Runs += p.Reused.Verdicts
			for _, n := range p.Reused.Again {
				s.Runs += n
			}
			continue
		}
		for _, f := range p.Faults {
			if f.Verdict == killed || f.Verdict == survived {
				s.same++
			}
		}
	}
	s.Runs += s.same
	if len(s.Faults) == 0 {
		return s, fmt.Errorf("the command reports no faults %s", s.Errors)
	}
	if s.Of = len(s.Faults); file.Sample != nil {
		s.Of = file.Sample.Of
	}
	for _, f := range s.Faults {
		if !slices.Contains(verdicts, f.Verdict) {
			return s, fmt.Errorf("%s: unknown verdict %q", place(f), f.Verdict)
		}
	}
	return s, nil
}

// place names a fault for people.
func place(f fault) string {
	return fmt.Sprintf("%s:%d:%d %s %s => %s", filepath.Base(f.File), f.Line, f.Col, f.Operator, brief(f.From), brief(f.To))
}

// score judges the faults of a module twice: from nothing, with a build cache that contains only the
// standard library; and again without cached verdicts, when the binaries are built. The difference is
// the cost of building.
func (b *bench) score(src string, patterns []string, flags ...string) (s score, err error) {
	temp, err := os.MkdirTemp("", "score")
	if err != nil {
		return s, err
	}
	defer os.RemoveAll(temp)
	cache, remove, err := b.caches.Fresh(filepath.Join(temp, "gocache"))
	if err != nil {
		return s, err
	}
	defer remove()
	call := call{command: b.command(), src: src, output: filepath.Join(temp, "score.json"), args: slices.Concat(flags, patterns)}
	call.env = slices.Concat(os.Environ(), foreign.Env(cache), []string{"XDG_CACHE_HOME=" + filepath.Join(temp, "cache")})
	if s, err = call.run(); err != nil {
		return s, err
	}
	call.args = slices.Insert(call.args, 0, "-fresh")
	again, err := call.run()
	if err != nil {
		return s, fmt.Errorf("the second time: %w", err)
	}
	s.Warm = again.CPU
	s.Differ, _ = differences(s, again)
	return s, nil
}

// call is one call of the command.
type call struct {
	command, src, output string
	args, env            []string
}

func (c call) run() (s score, err error) {
	cmd := exec.Command(c.command, slices.Concat([]string{"score", "-json", c.output}, c.args)...)
	cmd.Dir, cmd.Env = c.src, c.env
	text := &firstWrite{}
	cmd.Stdout, cmd.Stderr = text, text
	start := time.Now()
	peak := watchMemory()
	spent := lab.Spent(func() { err = cmd.Run() })
	s.Peak = peak()
	took := time.Since(start)
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) { // the code of a threshold that is not met
		return s, fmt.Errorf("allele score: %w\n%s", err, text.Bytes())
	}
	data, missing := os.ReadFile(c.output)
	if missing != nil {
		return s, fmt.Errorf("allele score wrote no verdicts: %w\n%s", errors.Join(err, missing), text.Bytes())
	}
	most := s.Peak
	if s, err = readScore(data); err != nil {
		return s, err
	}
	s.Peak, s.First = most, text.at.Sub(start).Seconds()
	if bytes.Contains(text.Bytes(), []byte("(cached)")) {
		s.Reused += s.same
	}
	s.CPU, s.Wall = spent.Seconds(), took.Seconds()
	for i := range s.Faults {
		f := &s.Faults[i]
		if rel, err := filepath.Rel(c.src, f.File); err == nil && filepath.IsAbs(f.File) && filepath.IsLocal(rel) {
			f.File = filepath.ToSlash(rel)
		}
	}
	return s, nil
}

// differences lists the faults with different verdicts in two scores of the same program. It also
// lists those with equal verdicts that another test has decided: a test that depends on memory,
// for example on what a sync.Pool contains, may notice a fault in one run and not in the next. The
// message of a panic does not count, because it may contain addresses.
func differences(a, b score) (lines, tests []string) {
	if len(a.Faults) != len(b.Faults) {
		return []string{fmt.Sprintf("%d faults and %d faults", len(a.Faults), len(b.Faults))}, nil
	}
	for i, f := range a.Faults {
		g := b.Faults[i]
		line := fmt.Sprintf("%s: %s, and %s", place(f), verdictOf(f), verdictOf(g))
		switch {
		case f.Fault != g.Fault || f.Verdict != g.Verdict || f.By != g.By:
			lines = append(lines, line)
		case f.Member != g.Member || f.Test != g.Test:
			tests = append(tests, line)
		}
	}
	return lines, tests
}

func verdictOf(f fault) string {
	text := f.Verdict
	if f.By != "" {
		text += " by " + f.By
	}
	if f.Test != "" {
		text += " (" + f.Test + ")"
	}
	return text
}
