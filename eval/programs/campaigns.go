package programs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/trial"
)

// Campaigns runs allele run on real programs, as a user would. Findings are counted, not shown: they may be unknown to
// the authors of the programs.
var Campaigns = lab.Experiment{
	Name: "campaigns",
	Doc:  "allele run on real programs for ten minutes each: runs, findings, and what is left behind",
	Run:  runCampaigns,
}

// campaign is a program to be searched.
type campaign struct {
	subject
	ours bool // it is compiled with afl-cc; otherwise it is the one of Debian
}

var campaigns = []campaign{
	{subject{"pngcheck", "png", []string{"@@"}}, false},
	{subject{"xmllint", "xml", []string{"--noout", "@@"}}, false},
	{subject{"jq", "json", []string{".", "@@"}}, false},
	{subject{"lua", "lua", []string{"@@"}}, true},
}

var campaignTime = lab.Default[time.Duration]{Full: 10 * time.Minute, Quick: 5 * time.Second}

func runCampaigns(cfg lab.Config) (*lab.Result, error) {
	res := &lab.Result{Seeds: []uint64{1}, Summary: map[string]any{}}
	if skip, err := lacks(cfg, "afl-cc"); skip {
		return res, err
	}
	o, err := newOurs()
	if err != nil {
		return res, err
	}
	defer o.close()
	all := campaigns
	if cfg.Quick { // the programs of Debian may not be there
		all = slices.DeleteFunc(slices.Clone(all), func(c campaign) bool { return !c.ours })
	}
	rows, errs := make([]lab.Row, len(all)), make([]error, len(all))
	trial.OnCores(upTo(len(all)), func(i, _ int) {
		rows[i], errs[i] = all[i].run(cfg, o, filepath.Join(o.temp, fmt.Sprint(i)), cfg.BudgetOr(campaignTime))
		if errs[i] != nil {
			errs[i] = fmt.Errorf("%s: %w", all[i].program, errs[i])
			return
		}
		cfg.Logf("%s: done", all[i].program)
	})
	res.Rows = slices.DeleteFunc(rows, func(r lab.Row) bool { return r == nil })
	return res, errors.Join(errs...)
}

func (c campaign) run(cfg lab.Config, o *ours, temp string, budget time.Duration) (lab.Row, error) {
	file, err := exec.LookPath(c.program)
	guide := "exit code, output"
	if c.ours {
		file, err = binaryOf(cfg, c.program)
		guide = "edges"
	}
	if err != nil {
		return nil, err
	}
	tmp := filepath.Join(temp, "tmp")
	if err := os.MkdirAll(tmp, 0o777); err != nil {
		return nil, err
	}
	cmd, findings := o.cmd(c.program, c.format, budget.String(), 1, []string{"-timeout", "2s"}, append([]string{file}, c.args...)...)
	cmd.Env = append(cmd.Env, "TMPDIR="+tmp)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	t, err := read(out)
	if err != nil {
		return nil, err
	}
	found, complete, err := artefacts(findings)
	if err != nil {
		return nil, err
	}
	left, processes := leftBehind(tmp)
	return lab.Row{lab.Col("program", c.program), lab.Col("format", c.format), lab.Col("guided by", guide),
		lab.Col("minutes", budget.Minutes()),
		lab.Col("runs", t.Runs), lab.Col("edges, or lines printed", t.Edges),
		lab.Col("findings", found), lab.Col("with all files", complete),
		lab.Col("files left", left), lab.Col("processes left", processes)}, nil
}

// artefacts counts the findings, and those that have all their files.
func artefacts(findings string) (found, complete int, err error) {
	dirs, err := filepath.Glob(filepath.Join(findings, "*", "report.txt"))
	if err != nil {
		return 0, 0, err
	}
	for _, report := range dirs {
		found++
		have := 0
		for _, name := range []string{"input.*", "replay.sh", "first/value.txt", "first/encoded.*", "first/input.*"} {
			files, _ := filepath.Glob(filepath.Join(filepath.Dir(report), name)) // the pattern is valid
			have += len(files)
		}
		if have == 5 {
			complete++
		}
	}
	return found, complete, nil
}

// leftBehind counts the files in a temporary folder that runs have used, and the processes that still use it.
func leftBehind(tmp string) (files, processes int) {
	entries, _ := filepath.Glob(filepath.Join(tmp, "allele-programs-*")) // the pattern is valid
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")                 // so is this one
	for _, file := range environs {
		if env, err := os.ReadFile(file); err == nil && bytes.Contains(env, []byte("TMPDIR="+tmp+"\x00")) {
			processes++
		}
	}
	return len(entries), processes
}
