// Package killed kills campaigns at random moments and checks that they lose
// nothing.
//
// A module has properties with one known bug each, and properties without a bug. Most of
// the bugs crash their process. allele test runs on the module, and at a random moment
// one of its workers, the command itself, or both are killed with SIGKILL. Then the
// experiment reads every file: what was stored before must still exist and be complete.
// After some rounds a campaign runs to its end, and must have found every bug and nothing
// else.
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
var Experiment = lab.Experiment{Name: "killed", Doc: "campaigns killed at random moments: stored files must survive, complete", Run: run}

const (
	roundsFull, roundsQuick = 200, 8
	// cycle is the number of rounds after which a campaign runs to its end, and the
	// next round starts with an empty module.
	cycle    = 8
	killsMax = 2500 * time.Millisecond // latest time of the kill, since the start of the round
	duration = "4s"                    // length of a round that is not killed, for all properties together
)

// targets lists what can be killed.
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
	if err := end(m); err != nil { // also builds the test
		return nil, err
	}
	r := rand.New(rand.NewPCG(5001, 1))
	k := &kills{module: m, of: map[string]int{}}
	for round := range rounds {
		if round%cycle == 0 {
			if err := k.reset(); err != nil {
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

// kills counts the results of all rounds.
type kills struct {
	module            *scratch.Module
	of                map[string]int // target -> rounds in which it was running and was killed
	seen              state
	checked           int // files and inputs that were compared with the previous round
	cycles, found     int
	damaged, inFlight int
	lost              []string
}

// reset removes all stored cases and saved inputs.
func (k *kills) reset() error {
	k.seen = state{}
	for _, dir := range []string{filepath.Join(k.module.Dir(), "testdata"), filepath.Join(k.module.Cache(), "allele", "corpus")} {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	return nil
}

// round starts a campaign, kills the target, and checks all files.
func (k *kills) round(target string, after time.Duration, r *rand.Rand) error {
	cmd := k.module.Command("test", "-for", duration, "-keep-going=false", "-run-timeout", "2s", ".")
	if err := cmd.Start(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case <-done: // the campaign ended first
	case <-time.After(after):
		if k.kill(target, cmd.Process.Pid, r) {
			k.of[target]++
		}
		<-done
	}
	waitGone(k.module.Dir())
	return k.look()
}

// kill kills processes of a campaign, and reports whether there were any.
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

// look compares the files on disk with those of the previous round.
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

// finish lets a campaign run to its end and checks that it found every bug and
// nothing else.
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
			k.lost = append(k.lost, p.test+": there is a finding, but no bug")
		case p.bug:
			k.lost = append(k.lost, p.test+": the bug was not found")
		}
	}
	if k.seen.slots > 0 {
		k.lost = append(k.lost, fmt.Sprintf("%d slots are left after a campaign ended", k.seen.slots))
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
