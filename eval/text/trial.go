package text

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/allele-go/allele/eval/papers"
	tool "github.com/allele-go/allele/eval/trial"
	"github.com/allele-go/allele/eval/trial/harness"
)

// trial is one search.
type trial struct {
	target
	Start  start
	Arm    arm
	Seed   uint64        // native fuzzing has no seed; there it is only a number
	Budget time.Duration // CPU time
	First  bool          // the search ends with the first valid input
}

func (tr trial) String() string {
	return fmt.Sprintf("%s from %s, %s, seed %d", tr.name, tr.Start, tr.Arm, tr.Seed)
}

// outcome is the result of a trial.
type outcome struct {
	Runs     int     `json:"runs"`
	Valid    int     `json:"valid"`
	CPU      float64 `json:"cpu"`      // seconds
	FirstRun int     `json:"firstRun"` // the first run with a valid input; 0 means none
	FirstCPU float64 `json:"firstCPU"`

	Distinct      int `json:"distinct"` // different inputs
	DistinctValid int `json:"distinctValid"`
	Blocks        int `json:"blocks"` // blocks of the parser that all inputs together reach
	BlocksAll     int `json:"blocksAll"`

	First bool   `json:"first,omitempty"` // the search ended with the first valid input
	Left  int    `json:"left,omitempty"`  // inputs that were not recorded
	Ended string `json:"ended,omitempty"` // output of a search that ended before its time was over
}

// run makes a search on one core, and runs its inputs again to count blocks.
func (m *module) run(tr trial, core int) (o outcome, err error) {
	dir, err := os.MkdirTemp(m.dir, "trial")
	if err != nil {
		return o, err
	}
	defer os.RemoveAll(dir)
	search := tool.Search{Temp: dir, Core: core, Budget: tr.Budget}
	line := m.line(tr, tool.Wall(tr.Budget), filepath.Join(dir, "fuzz"))
	search.Cmd = m.exec(tr.target, tr.Arm.kind(), line[0], line[1:]...)
	search.Cmd.Env = append(search.Cmd.Env, papers.MustVariable(tr.Arm.strategy()))
	if tr.Arm == native || tr.Arm == rapid {
		search.Cmd.Dir = dir // for failing inputs
	}
	if tr.First {
		search.Enough = func(c harness.Counts) bool { return c.FirstRun > 0 }
	}
	done, err := search.Run()
	c := done.Counts
	o = outcome{Runs: c.Runs, Valid: c.Valid, CPU: done.CPU.Seconds(), FirstRun: c.FirstRun, FirstCPU: c.FirstCPU.Seconds()}
	o.First, o.Left, o.Ended = tr.First, c.Left, done.Output
	if err != nil || tr.First {
		return o, err
	}
	return o, m.replay(tr.target, search.Log(), dir, &o)
}

// replay runs the inputs of a search again, each once, and counts them and what they reach.
func (m *module) replay(t target, log, dir string, o *outcome) error {
	profile := filepath.Join(dir, "cover")
	cmd := m.exec(t, replayKind, m.binary(t, replayKind), "-test.run=^TestReplay$", "-test.timeout=0", "-test.coverprofile="+profile)
	cmd.Dir, cmd.Env = dir, append(cmd.Env, "REPLAY="+log)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("replay: %w\n%s", err, out)
	}
	_, rest, _ := strings.Cut(string(out), "REPLAYED ")
	line, _, ok := strings.Cut(rest, "\n")
	var all struct{ Distinct, Valid int }
	if err := json.Unmarshal([]byte(line), &all); !ok || err != nil {
		return fmt.Errorf("replay printed no counts\n%s", out)
	}
	o.Distinct, o.DistinctValid = all.Distinct, all.Valid
	text, err := os.ReadFile(profile)
	if err != nil {
		return err
	}
	o.Blocks, o.BlocksAll = blocks(string(text))
	if o.BlocksAll == 0 {
		return errors.New("replay: the profile has no blocks")
	}
	return nil
}

// blocks counts the blocks of a coverage profile: those that were reached, and all.
func blocks(profile string) (reached, all int) {
	seen := map[string]bool{}
	for lines := bufio.NewScanner(strings.NewReader(profile)); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if len(f) == 3 {
			seen[f[0]] = seen[f[0]] || f[2] != "0"
		}
	}
	for _, r := range seen {
		if r {
			reached++
		}
	}
	return reached, len(seen)
}
