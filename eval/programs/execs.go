package programs

import (
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/program"
)

// Execs measures runs per second.
var Execs = lab.Experiment{
	Name: "execs",
	Doc:  "runs of a program per second: a process each, a fork server, and many runs in a process, beside afl-fuzz",
	Run:  runExecs,
}

//go:embed testdata
var sources embed.FS

// way is a way to run a program.
type way struct {
	name  string
	flags []string // of afl-cc
	args  []string // of the program
	plain bool     // a process for each run
}

var ways = []way{
	{"a process each", nil, []string{"@@"}, true},
	{"fork server", nil, []string{"@@"}, false},
	{"many in a process", []string{"-DPERSISTENT"}, nil, false},
}

var (
	execsBudget = lab.Default[time.Duration]{Full: 10 * time.Second, Quick: time.Second}
	execsRounds = lab.Default[int]{Full: 5, Quick: 1}
)

func runExecs(cfg lab.Config) (*lab.Result, error) {
	res := &lab.Result{Summary: map[string]any{}}
	if skip, err := lacks(cfg, "afl-cc", "afl-fuzz"); skip {
		return res, err
	}
	temp, err := os.MkdirTemp("", "execs-")
	if err != nil {
		return res, err
	}
	defer os.RemoveAll(temp)
	var o *ours
	if !cfg.Quick {
		if o, err = newOurs(); err != nil {
			return res, err
		}
		defer o.close()
	}
	for _, w := range ways {
		binary, err := w.compile(temp)
		if err != nil {
			return res, err
		}
		var runner, search, afl []float64
		for round := range cfg.SeedsOr(execsRounds) {
			res.Seeds = append(res.Seeds[:round], uint64(round+1))
			x, err := w.measure(binary, cfg.BudgetOr(execsBudget))
			if err != nil {
				return res, err
			}
			runner = append(runner, x)
			if x, err = w.afl(binary, filepath.Join(temp, fmt.Sprintf("%d-%s", round, w.name)), cfg.BudgetOr(execsBudget)); err != nil {
				return res, err
			}
			afl = append(afl, x)
			if !cfg.Quick && !w.plain {
				if x, err = w.search(o, binary, cfg.BudgetOr(execsBudget)); err != nil {
					return res, err
				}
				search = append(search, x)
			}
			cfg.Logf("%s, round %d: runner %.0f, search %v, afl-fuzz %.0f runs/s", w.name, round+1, runner[round], search, afl[round])
		}
		row := lab.Row{lab.Col("way", w.name), lab.Col("n", len(runner)), lab.Col("afl-fuzz/s", lab.Median(afl)),
			lab.Col("runner/s", lab.Median(runner)), lab.Col("runner/afl", lab.Median(runner)/lab.Median(afl))}
		if len(search) > 0 {
			row = append(row, lab.Col("search/s", lab.Median(search)), lab.Col("search/afl", lab.Median(search)/lab.Median(afl)))
		}
		res.Rows = append(res.Rows, row)
	}
	return res, nil
}

func (w way) compile(temp string) (string, error) {
	text, err := sources.ReadFile("testdata/keys.c")
	if err != nil {
		return "", err
	}
	source := filepath.Join(temp, "keys.c")
	if err := os.WriteFile(source, text, 0o666); err != nil {
		return "", err
	}
	binary := filepath.Join(temp, "keys-"+strings.ReplaceAll(w.name, " ", "-"))
	cmd := exec.Command("afl-cc", append(w.flags, "-o", binary, source)...)
	cmd.Env = append(os.Environ(), "AFL_QUIET=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("afl-cc: %w\n%s", err, out)
	}
	return binary, nil
}

const seedText = `{"a": [1, 2.5e3, true], "b": {"c": "text\n", "d": null}}`

// measure runs a program by package program alone, as often as it can.
func (w way) measure(binary string, budget time.Duration) (float64, error) {
	p := &program.Program{Args: append([]string{binary}, w.args...), Plain: w.plain}
	defer p.Close()
	input := []byte(seedText)
	if _, err := p.Run(input); err != nil { // starts the server
		return 0, err
	}
	began, runs := time.Now(), 0
	for ; runs%16 != 0 || time.Since(began) < budget; runs++ {
		input[runs%len(input)] ^= 1
		if _, err := p.Run(input); err != nil {
			return 0, err
		}
	}
	return float64(runs) / time.Since(began).Seconds(), nil
}

// afl runs afl-fuzz.
func (w way) afl(binary, temp string, budget time.Duration) (float64, error) {
	in, out := filepath.Join(temp, "in"), filepath.Join(temp, "out")
	if err := os.MkdirAll(in, 0o777); err != nil {
		return 0, err
	}
	if err := os.WriteFile(filepath.Join(in, "seed"), []byte(seedText), 0o666); err != nil {
		return 0, err
	}
	args := []string{"-i", in, "-o", out, "-V", strconv.Itoa(max(2, int(budget.Seconds()))), "-s", "1", "--", binary}
	env := slices.Clone(aflEnv)
	if w.plain {
		env = append(env, "AFL_NO_FORKSRV=1")
	}
	cmd := exec.Command("afl-fuzz", append(args, w.args...)...)
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("afl-fuzz: %w\n%s", err, out)
	}
	values, err := aflStats(out)
	if err != nil {
		return 0, err
	}
	return values["execs_done"] / values["run_time"], nil
}

// search runs allele run, with one worker.
func (w way) search(o *ours, binary string, budget time.Duration) (float64, error) {
	cmd, _ := o.cmd("keys", "json", budget.String(), 1, nil, append([]string{binary}, w.args...)...)
	out, err := cmd.Output()
	if err != nil {
		return 0, err
	}
	t, err := read(out)
	return float64(t.Runs) / budget.Seconds(), err
}
