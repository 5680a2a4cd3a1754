package programs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/trial"
)

// Edges compares searches by the code that they reach.
var Edges = lab.Experiment{
	Name: "edges",
	Doc:  "edges of the code of two interpreters that a search reaches: typed inputs against afl-fuzz",
	Run:  runEdges,
}

// subject is a program with its format.
type subject struct {
	program, format string
	args            []string
}

var edgesSubjects = []subject{
	{"lua", "lua", []string{"@@"}},
	{"tidy", "html", []string{"-q", "@@"}},
}

var (
	edgesSeeds  = lab.Default[int]{Full: 5, Quick: 1}
	edgesBudget = lab.Default[time.Duration]{Full: 5 * time.Minute, Quick: 2 * time.Second}
)

const (
	oursArm = "allele run"
	aflArm  = "afl-fuzz"
	// seedFiles is how many files afl-fuzz begins with. They are generated from the format.
	seedFiles = 20
)

// job is one search.
type job struct {
	subject
	arm  string
	seed uint64
}

// reached is the outcome of a search.
type reached struct {
	Runs, Edges int
	CPU         time.Duration
}

func runEdges(cfg lab.Config) (*lab.Result, error) {
	res := &lab.Result{Seeds: cfg.SeedsOr(edgesSeeds), Summary: map[string]any{}}
	if skip, err := lacks(cfg, "afl-cc", "afl-fuzz"); skip {
		return res, err
	}
	o, err := newOurs()
	if err != nil {
		return res, err
	}
	defer o.close()
	subjects := edgesSubjects
	if cfg.Quick {
		subjects = subjects[:1]
	}
	var jobs []job
	files := map[string]string{}
	for _, seed := range res.Seeds {
		for _, s := range subjects {
			if files[s.program], err = binaryOf(cfg, s.program); err != nil {
				return res, err
			}
			jobs = append(jobs, job{s, oursArm, seed}, job{s, aflArm, seed})
		}
	}
	all, err := searches(cfg, o, jobs, files)
	if err != nil {
		return res, err
	}
	res.Rows = edgesRows(subjects, jobs, all)
	res.Summary["seed files of afl-fuzz"] = seedFiles
	return res, nil
}

// searches makes the searches, one on each core at a time. Those of an earlier run of the same version are known.
func searches(cfg lab.Config, o *ours, jobs []job, files map[string]string) ([]*reached, error) {
	parts, release, err := foreign.Hold("edges")
	if err != nil {
		return nil, err
	}
	defer release()
	version, err := o.version()
	if err != nil {
		return nil, err
	}
	all := make([]*reached, len(jobs))
	errs := make([]error, len(jobs))
	left := trial.OnCores(upTo(len(jobs)), func(i, core int) {
		j, budget := jobs[i], cfg.BudgetOr(edgesBudget)
		part := filepath.Join(parts, version, fmt.Sprintf("%s-%s-%d-%v.json", j.program, strings.Fields(j.arm)[0], j.seed, budget))
		if r, known := lab.Recall[reached](part); known && !cfg.Quick {
			all[i] = &r
			return
		}
		r, err := j.run(o, files[j.program], filepath.Join(o.temp, fmt.Sprint(i)), core, budget)
		if err != nil {
			errs[i] = fmt.Errorf("%s, %s, seed %d: %w", j.program, j.arm, j.seed, err)
			return
		}
		cfg.Logf("%s, %s, seed %d: %d edges in %d runs, %.0f CPU s", j.program, j.arm, j.seed, r.Edges, r.Runs, r.CPU.Seconds())
		all[i] = &r
		if !cfg.Quick {
			errs[i] = lab.Keep(part, r)
		}
	})
	if left > 0 {
		cfg.Logf("%d searches are left out", left)
	}
	return all, errors.Join(errs...)
}

// edgesRows makes the table.
func edgesRows(subjects []subject, jobs []job, all []*reached) (rows []lab.Row) {
	for _, s := range subjects {
		arms := map[string][2][]float64{}
		for i, j := range jobs {
			if r := all[i]; r != nil && j.program == s.program {
				a := arms[j.arm]
				a[0], a[1] = append(a[0], float64(r.Edges)), append(a[1], float64(r.Runs))
				arms[j.arm] = a
			}
		}
		for _, arm := range []string{oursArm, aflArm} {
			a := arms[arm]
			if len(a[0]) == 0 {
				continue
			}
			row := lab.Row{lab.Col("program", s.program), lab.Col("tool", arm), lab.Col("n", len(a[0])),
				lab.Col("edges", lab.Median(a[0])),
				lab.Col("least", lab.Quantile(a[0], 0)), lab.Col("most", lab.Quantile(a[0], 1)), lab.Col("runs", lab.Median(a[1]))}
			if arm == oursArm && len(arms[aflArm][0]) > 0 {
				afl := arms[aflArm][0]
				row = append(row, lab.Col("ratio", lab.Median(a[0])/lab.Median(afl)), lab.Col("A12", lab.A12(a[0], afl)))
			}
			rows = append(rows, row)
		}
	}
	return rows
}

func (j job) run(o *ours, binary, temp string, core int, budget time.Duration) (r reached, err error) {
	if err := os.MkdirAll(temp, 0o777); err != nil {
		return r, err
	}
	args := append([]string{binary}, j.args...)
	if j.arm == oursArm {
		cmd, _ := o.cmd(j.program, j.format, "24h", j.seed, []string{"-timeout", "1s"}, args...)
		out, cpu, err := within(cmd, core, budget, `"kind":"started"`)
		if err != nil {
			return r, err
		}
		t, err := read(out)
		return reached{t.Runs, t.Edges, cpu}, err
	}
	in := filepath.Join(temp, "in")
	if err := generate(j.format, j.seed, seedFiles, in); err != nil {
		return r, err
	}
	line := []string{"-i", in, "-o", filepath.Join(temp, "out"), "-t", "1000", "-s", fmt.Sprint(j.seed), "--"}
	cmd := exec.Command("afl-fuzz", append(line, args...)...)
	cmd.Env = append(os.Environ(), aflEnv...)
	out, cpu, err := within(cmd, core, budget, "")
	if err != nil {
		return r, err
	}
	stats, err := aflStats(filepath.Join(temp, "out"))
	if err != nil {
		return r, fmt.Errorf("%w\n%s", err, trial.Tail(string(out)))
	}
	return reached{int(stats["execs_done"]), int(stats["edges_found"]), cpu}, nil
}

// aflEnv makes afl-fuzz run here, and without a screen.
var aflEnv = []string{"AFL_NO_UI=1", "AFL_SKIP_CPUFREQ=1", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1", "AFL_NO_AFFINITY=1", "AFL_QUIET=1"}

// aflStats reads what afl-fuzz says about itself.
func aflStats(out string) (map[string]float64, error) {
	stats, err := os.ReadFile(filepath.Join(out, "default", "fuzzer_stats"))
	if err != nil {
		return nil, err
	}
	values := map[string]float64{}
	for line := range strings.Lines(string(stats)) {
		if key, value, ok := strings.Cut(line, ":"); ok {
			values[strings.TrimSpace(key)], _ = strconv.ParseFloat(strings.TrimSpace(value), 64)
		}
	}
	if values["execs_done"] == 0 || values["run_time"] == 0 {
		return nil, fmt.Errorf("afl-fuzz reports no runs:\n%s", stats)
	}
	return values, nil
}

// within runs a command on one core, and interrupts it when all its processes together have used the CPU time, since it
// has printed a text.
func within(cmd *exec.Cmd, core int, budget time.Duration, since string) (output []byte, spent time.Duration, err error) {
	dir, env := cmd.Dir, cmd.Env
	cmd = exec.Command("taskset", append([]string{"-c", fmt.Sprint(core)}, cmd.Args...)...)
	cmd.Dir, cmd.Env = dir, env
	log, err := os.CreateTemp("", "within-")
	if err != nil {
		return nil, 0, err
	}
	defer os.Remove(log.Name())
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return nil, 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	before := time.Duration(-1)
	for began := time.Now(); ; {
		select {
		case err := <-ended:
			out, _ := os.ReadFile(log.Name())
			return out, spent, fmt.Errorf("it ended after %.0f s of CPU time: %w\n%s", spent.Seconds(), err, trial.Tail(string(out)))
		case <-time.After(200 * time.Millisecond):
		}
		if before < 0 {
			if out, _ := os.ReadFile(log.Name()); !bytes.Contains(out, []byte(since)) {
				continue
			}
			before = treeCPU(cmd.Process.Pid)
		}
		spent = treeCPU(cmd.Process.Pid) - before
		if spent >= budget || time.Since(began) > trial.Wall(budget) {
			break
		}
	}
	cmd.Process.Signal(os.Interrupt)
	select {
	case <-ended:
	case <-time.After(time.Minute):
		cmd.Process.Kill()
		<-ended
	}
	out, err := os.ReadFile(log.Name())
	return out, spent, err
}

// treeCPU returns the CPU time of a process and of all that it has started, directly or not.
func treeCPU(root int) (sum time.Duration) {
	const tick = time.Second / 100
	children := map[int][]int{}
	used := map[int]time.Duration{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // without a result, the time is 0
	for _, file := range stats {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file))) // 0 is no process
		f := lab.Stat(pid)
		if len(f) < 15 {
			continue // it has exited
		}
		parent, _ := strconv.Atoi(f[1])
		children[parent] = append(children[parent], pid)
		for _, field := range f[11:15] {
			n, _ := strconv.Atoi(field)
			used[pid] += time.Duration(n) * tick
		}
	}
	for todo := []int{root}; len(todo) > 0; {
		pid := todo[0]
		todo = append(todo[1:], children[pid]...)
		sum += used[pid]
	}
	return sum
}

// generate writes files of a format.
func generate(format string, seed uint64, n int, dir string) error {
	all, err := files(format, seed, n)
	if err != nil {
		return err
	}
	for i, data := range all {
		if err := lab.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d", i+1)), data); err != nil {
			return err
		}
	}
	return nil
}
