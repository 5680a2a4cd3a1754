// Package killed kills campaigns at random moments and looks for what they lost.
//
// A module has properties with a known bug each, of kinds that end their process
// too, and some without. allele test runs over it, and at a random moment one of its
// processes, the command itself, or both are ended with SIGKILL. Then every file is
// looked at: what was there before must still be there and whole. After some rounds
// the campaign may run to its end, and must have found every bug and no other.
package killed

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/scratch"
)

// Experiment fails if anything is lost.
var Experiment = lab.Experiment{Name: "killed", Doc: "campaigns killed at random moments: what is stored stays, whole", Run: run}

const (
	roundsFull, roundsQuick = 200, 8
	// cycle is after how many rounds a campaign may come to its end, and the next one
	// begins with an empty module.
	cycle    = 8
	killsMax = 2500 * time.Millisecond // a round is killed before
	patience = "4s"                    // for all properties of a round together
)

// targets are what is killed.
var targets = []string{"worker", "command", "both"}

func run(cfg lab.Config) (*lab.Result, error) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		return nil, fmt.Errorf("the processes of a campaign are found in /proc: %w", err)
	}
	rounds := roundsFull
	if cfg.Quick {
		rounds = roundsQuick
	}
	m, err := scratch.New(files())
	if err != nil {
		return nil, err
	}
	defer m.Close()
	if err := end(m); err != nil { // which builds
		return nil, err
	}
	r := rand.New(rand.NewPCG(5001, 1))
	k := &kills{module: m, of: map[string]int{}}
	for round := range rounds {
		if round%cycle == 0 {
			if err := k.anew(); err != nil {
				return nil, err
			}
		}
		target := targets[r.IntN(len(targets))]
		cfg.Logf("round %d: %s", round+1, target)
		if err := k.round(target, time.Duration(r.Int64N(int64(killsMax))), r); err != nil {
			return nil, err
		}
		if round%cycle == cycle-1 || round == rounds-1 {
			if err := k.finish(); err != nil {
				return nil, err
			}
		}
	}
	return k.result(rounds)
}

// kills counts what came of them.
type kills struct {
	module            *scratch.Module
	of                map[string]int // target -> rounds in which it was there to be killed
	seen              state
	checked           int // things that were there before and were looked for
	cycles, found     int
	damaged, inFlight int
	lost              []string
}

func (k *kills) anew() error {
	k.seen = state{}
	for _, dir := range []string{filepath.Join(k.module.Dir(), "testdata"), filepath.Join(k.module.Cache(), "allele", "corpus")} {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	return nil
}

// round starts a campaign, kills what is to be killed, and looks at all files.
func (k *kills) round(target string, after time.Duration, r *rand.Rand) error {
	cmd := k.module.Command("test", "-for", patience, "-keep-going=false", "-run-timeout", "2s", ".")
	if err := cmd.Start(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case <-done: // it was quicker
	case <-time.After(after):
		if k.kill(target, cmd.Process.Pid, r) {
			k.of[target]++
		}
		<-done
	}
	waitGone(k.module.Dir())
	return k.look()
}

// kill ends processes of a campaign, and reports whether there were any.
func (k *kills) kill(target string, command int, r *rand.Rand) bool {
	workers := children(command)
	killed := false
	if target != "command" && len(workers) > 0 {
		killed = syscall.Kill(workers[r.IntN(len(workers))], syscall.SIGKILL) == nil
	}
	if target != "worker" {
		killed = syscall.Kill(command, syscall.SIGKILL) == nil
	}
	return killed
}

// look compares what is on disk with what was there before.
func (k *kills) look() error {
	now, err := read(k.module)
	if err != nil {
		return err
	}
	for _, p := range now.problems {
		k.lost = append(k.lost, p)
	}
	k.checked += len(now.kept) + len(now.cases)
	k.damaged += now.damaged
	k.inFlight += now.slots
	k.lost = append(k.lost, k.seen.missingIn(now)...)
	k.seen = now
	return nil
}

// finish lets a campaign run to its end: it finds all there is, and nothing else.
func (k *kills) finish() error {
	if err := end(k.module); err != nil {
		return err
	}
	if err := k.look(); err != nil {
		return err
	}
	k.cycles++
	for _, p := range properties {
		switch has := k.seen.findings[p.test] > 0; {
		case has && p.bug:
			k.found++
		case has:
			k.lost = append(k.lost, p.test+": a finding where there is no bug")
		case p.bug:
			k.lost = append(k.lost, p.test+": its bug was not found")
		}
	}
	if k.seen.slots > 0 {
		k.lost = append(k.lost, fmt.Sprintf("%d slots are left after a campaign came to its end", k.seen.slots))
	}
	return nil
}

// end runs a campaign to its end.
func end(m *scratch.Module) error {
	out, err := m.Command("test", "-tests", "3000", "-run-timeout", "2s", ".").CombinedOutput()
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 1) || strings.Contains(string(out), "CRASHED") {
		return fmt.Errorf("allele test: %v\n%s", err, out)
	}
	return nil
}

func (k *kills) result(rounds int) (*lab.Result, error) {
	bugs := 0
	for _, p := range properties {
		if p.bug {
			bugs++
		}
	}
	res := &lab.Result{Summary: map[string]any{"rounds": rounds, "lost": fmt.Sprintf("%d of %d", len(k.lost), k.checked),
		"bugs found": fmt.Sprintf("%d of %d", k.found, bugs*k.cycles)}}
	row := lab.Row{lab.Col("rounds", rounds)}
	for _, t := range targets {
		row = append(row, lab.Col("killed "+t, k.of[t]))
	}
	res.Rows = []lab.Row{append(row, lab.Col("files and cases checked", k.checked), lab.Col("lost", len(k.lost)),
		lab.Col("torn lines left out", k.damaged), lab.Col("inputs in flight", k.inFlight),
		lab.Col("campaigns", k.cycles), lab.Col("bugs found", k.found), lab.Col("of", bugs*k.cycles))}
	if len(k.lost) > 0 {
		return res, fmt.Errorf("%d lost:\n%s", len(k.lost), strings.Join(k.lost[:min(20, len(k.lost))], "\n"))
	}
	return res, nil
}
