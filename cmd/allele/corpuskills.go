//go:build go1.25

package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/allele-go/allele/internal/ops/campaign"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/fate"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/judge"
	"github.com/allele-go/allele/internal/source/build"
)

// killFlags are the flags of allele corpus min that are about faults.
type killFlags struct {
	by   string
	of   string
	save bool
}

func (k *killFlags) register(f *flag.FlagSet) {
	f.StringVar(&k.by, "by", "paths", "which inputs are needed: the `kind` is paths, for a few that take all paths, or faults, "+
		"for a few that notice all faults that any saved input notices; a fault is a small change of the code")
	f.StringVar(&k.of, "of", "", "with -by faults, put faults into these packages instead of those that are tested: "+
		"a comma-separated `list` of import paths; x/... is x and all packages below it")
	f.BoolVar(&k.save, "save", false, "with -by faults, also write the needed inputs to testdata, for go test to run")
}

func (k *killFlags) check() error {
	switch {
	case k.by != "paths" && k.by != "faults":
		return fmt.Errorf("-by: want paths or faults, not %q", k.by)
	case k.save && k.by != "faults":
		return errors.New("-save: only with -by faults; to save inputs that take all paths, use allele test -save")
	case k.of != "" && k.by != "faults":
		return errors.New("-of: only -by faults uses faults; add that flag")
	}
	return nil
}

// faulty returns which packages get faults, or nil if paths decide.
func (k *killFlags) faulty() *build.Faults {
	if k.by != "faults" {
		return nil
	}
	f := &build.Faults{}
	if k.of != "" {
		f.Of = strings.Split(k.of, ",")
	}
	return f
}

// killers collects which inputs kill which faults.
type killers struct {
	mu     sync.Mutex
	kills  map[string][]int
	listed map[int]bool // faults that some input kills
}

func (k *killers) add(fault int, input string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.listed[fault] = true
	k.kills[input] = append(k.kills[input], fault)
}

// kills finds out which inputs of a property kill which faults, and writes that to a file for
// the test binary. If paths decide, there is nothing to find out.
func (m *minimiser) kills(p property, folder string) (with campaign.Reduction, notes []string, err error) {
	with.Folder = folder
	if m.faults == nil {
		return with, nil, nil
	}
	k := killers{kills: map[string][]int{}, listed: map[int]bool{}}
	limits := m.supervisor.Limits
	c := judge.Config{Binary: m.Binary(p.Package), Dir: p.Dir, Faults: m.overlay.Faults, Memory: limits.Memory, Wall: limits.Run,
		Process: scoring(&m.program, p, folder, limits.Memory), All: k.add}
	if c.Work, err = os.MkdirTemp(m.temp.path, "judge-*"); err != nil {
		return with, nil, err
	}
	ctx, free := interruptible(&m.launcher.All)
	defer free()
	r, err := judge.Run(ctx, c)
	if ctx.Err() != nil {
		return with, nil, campaign.ErrStopped
	}
	if err != nil {
		return with, nil, err
	}
	killed := 0
	for _, v := range r.Verdicts {
		if v.Kind != fate.Killed {
			continue
		}
		if killed++; !k.listed[v.Fault] { // the run ended the process
			k.add(v.Fault, v.Test)
		}
	}
	for _, faults := range k.kills {
		slices.Sort(faults)
	}
	data, err := json.Marshal(map[string]any{"kills": k.kills})
	if err != nil {
		return with, nil, err
	}
	with.Kills = filepath.Join(c.Work, "kills.json")
	notes = []string{fmt.Sprintf("the inputs kill %s of %s", group(killed), count(len(r.Verdicts), "fault"))}
	return with, notes, os.WriteFile(with.Kills, data, 0o666)
}

// saveCases writes the needed inputs of a property to testdata, with -save.
func (m *minimiser) saveCases(p property, with campaign.Reduction) (notes []string, err error) {
	if !m.save {
		return nil, nil
	}
	events, crashers, err := m.supervisor.Reduce(p, job.Save, with)
	if err != nil {
		return nil, err
	}
	for _, c := range crashers {
		notes = append(notes, fmt.Sprintf("%s crashed its process (%s) and was not written to testdata", c.Name, c.How))
	}
	e := events[len(events)-1]
	if e.Kind != event.Saved || e.Unkept != "" {
		return nil, fmt.Errorf("cannot write to testdata: %s", e.Unkept)
	}
	return append(notes, fmt.Sprintf("%s: %s", filepath.Join(p.Dir, e.Case), count(e.Passed, "input"))), nil
}
