//go:build go1.25

package members

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
	"github.com/allele-go/allele/internal/score"
	"github.com/allele-go/allele/internal/score/judge"
	"github.com/allele-go/allele/internal/testbin"
)

// Kills is which inputs of a property kill which faults.
type Kills struct {
	File           string // for the test binary
	Killed, Judged int    // faults
}

// KilledBy finds out which saved inputs of a property kill which faults of the program. Folder is
// the folder of its corpus. The error is score.ErrStopped if the processes were asked to stop.
func KilledBy(p *testbin.Program, of launch.Property, folder string, limits job.Limits) (found Kills, err error) {
	k := killers{kills: map[string][]int{}, listed: map[int]bool{}}
	c := judge.Config{Binary: p.Binary(of.Package), Dir: of.Dir, Faults: p.Overlay.Faults, Memory: limits.Memory, Wall: limits.Run,
		Process: scoring(p, of, folder, limits.Memory), All: k.add}
	if c.Work, err = os.MkdirTemp(p.Temp.Path, "judge-*"); err != nil {
		return found, err
	}
	ctx, free := interruptible(&p.Launcher.All)
	defer free()
	r, err := judge.Run(ctx, c)
	if ctx.Err() != nil {
		return found, score.ErrStopped
	}
	if err != nil {
		return found, err
	}
	found = Kills{File: filepath.Join(c.Work, "kills.json"), Judged: len(r.Verdicts)}
	for _, v := range r.Verdicts {
		if v.Kind != fate.Killed {
			continue
		}
		if found.Killed++; !k.listed[v.Fault] { // the run ended the process
			k.add(v.Fault, v.Test)
		}
	}
	for _, faults := range k.kills {
		slices.Sort(faults)
	}
	data, err := json.Marshal(map[string]any{"kills": k.kills})
	if err != nil {
		return found, err
	}
	return found, os.WriteFile(found.File, data, 0o666)
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
