//go:build go1.25

package members

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
	"github.com/allele-go/allele/internal/score"
	"github.com/allele-go/allele/internal/score/judge"
	"github.com/allele-go/allele/internal/score/ledger"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/store/corpus"
	"github.com/allele-go/allele/internal/testbin"
	"github.com/allele-go/allele/internal/testbin/cache"
)

// askProperty returns a function that judges faults with the saved inputs and stored cases of
// a property.
func (c *Config) askProperty(p launch.Property) func([]site.Fault, score.Answer) error {
	return func(faults []site.Fault, to score.Answer) error {
		root, err := cache.Corpora()
		if err != nil {
			return err
		}
		start := scoring(c.Program, p, corpus.Folder(root, p.Package, p.Name), c.Limits.Memory)
		return c.ask(judge.Config{Binary: c.Binary(p.Package), Dir: p.Dir, Faults: faults, Process: start}, to)
	}
}

// scoring returns a function that describes the process which judges faults with the inputs of
// a property. folder is the folder of its corpus.
func scoring(p *testbin.Program, of launch.Property, folder string, memory int64) func(request string) proc.Config {
	return func(request string) proc.Config {
		j := &job.Job{Mode: job.Score, Property: of.Name, Corpus: folder, Text: job.Text{Request: request}}
		j.Limits.Memory, j.Limits.Temp, j.Program.Sites = memory, p.Temp.Path, p.Sites()
		return proc.Config{Args: []string{of.TestFlag(), "-test.timeout=0"}, Job: j}
	}
}

// askTests returns a function that judges faults with the ordinary tests of a package. A
// property in one of them returns at once, as if its name were listed: its inputs are another
// member of the suite.
func (c *Config) askTests(t team) func([]site.Fault, score.Answer) error {
	return func(faults []site.Fault, to score.Answer) error {
		start := func(request string) proc.Config {
			conf := judge.Tests(request)
			conf.Job = &job.Job{Mode: job.List, Events: os.DevNull}
			return conf
		}
		conf := judge.Config{Binary: c.Binary(t.Path), Dir: t.dir, Faults: faults, Leave: t.leave, Process: start}
		if to.Ledger == "" {
			return c.ask(conf, to)
		}
		l := ledger.Open(to.Ledger, to.Fresh, programOf(c, t))
		conf.Base.Earlier = l
		err := c.ask(conf, to)
		if n, again := l.Reused(); again != nil {
			to.Reused(score.Reused{Verdicts: n, Again: again})
		}
		l.Save() // without it, the next run judges everything again
		return err
	}
}

// ask judges faults in a temporary folder: package score caches the verdicts.
func (c *Config) ask(conf judge.Config, to score.Answer) (err error) {
	if conf.Work, err = os.MkdirTemp(c.Temp.Path, "judge-*"); err != nil {
		return err
	}
	defer os.RemoveAll(conf.Work)
	ctx, free := interruptible(&c.Launcher.All)
	defer free()
	conf.Workers, conf.Wall, conf.Memory, conf.Room = c.workers(), c.Limits.Timeout, c.Limits.Memory, c.Limits.Room
	conf.Progress, conf.Got = func(p judge.Progress) {
		to.Seen(score.Progress{Judged: p.Judged, Killed: p.Killed, Test: p.Test, Tested: p.Tested, Tests: p.Tests})
	}, to.Verdict
	conf.Base.File, conf.Base.Faults = to.Base, to.Faults
	r, err := judge.Run(ctx, conf)
	if r != nil {
		saved := func(t judge.Test) bool { return !strings.HasPrefix(t.Name, fate.Generated) }
		if !slices.ContainsFunc(r.Tests, saved) {
			to.Empty()
		}
		for _, t := range r.Tests {
			to.Spent(t.Name, t.Spent)
			if t.Left != "" && t.Left != leftPattern && t.Left != leftSkip {
				to.Left(t.Name, t.Left)
			}
		}
		for _, v := range r.Verdicts { // also those that Got was not called for
			to.Verdict(v)
		}
	}
	if ctx.Err() != nil {
		return score.ErrStopped
	}
	return err
}

// workers returns how many processes may judge the faults of a package at a time.
func (c *Config) workers() int { return max(1, c.CPUs/max(1, len(c.Overlay.Tests))) }

// interruptible returns a context that ends when the processes of a group are asked to stop.
func interruptible(processes *launch.Group) (ctx context.Context, free func()) {
	ctx, cancel := context.WithCancel(context.Background())
	leave := processes.Enter(&canceller{cancel})
	return ctx, func() {
		leave()
		cancel()
	}
}

// canceller makes a context a member of a group of processes.
type canceller struct{ cancel context.CancelFunc }

// Stop cancels the context.
func (c *canceller) Stop() { c.cancel() }

// Kill cancels the context.
func (c *canceller) Kill() { c.cancel() }
