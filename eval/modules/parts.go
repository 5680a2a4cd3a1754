package modules

import (
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// laboratory is one run of an experiment. A run over all modules takes hours, so the
// outcome of each module is kept in the cache, and an interrupted experiment goes on. The
// flag -only makes the experiment measure the modules that it matches again.
type laboratory struct {
	lab.Config
	parts  string // folder with the outcomes
	caches foreign.Caches
}

func (l laboratory) part(s subject, m mode) string {
	name := strings.NewReplacer("/", "+", " ", "@").Replace(s.Module.String()) + "-" + m.name + ".json"
	return filepath.Join(l.parts, name)
}

// recall returns the outcome that an earlier run has kept. A quick run uses none.
func (l laboratory) recall(s subject, m mode) (o outcome, known bool) {
	if l.Quick {
		return o, false
	}
	o, known = lab.Recall[outcome](l.part(s, m))
	return o, known && o.Err == ""
}

func (l laboratory) keep(s subject, m mode, o outcome) {
	if l.Quick {
		return
	}
	if err := lab.Keep(l.part(s, m), o); err != nil {
		l.Logf("  the outcome is not kept: %v", err)
	}
}

// revision returns the commit of this repository, with a plus sign if files were changed.
func revision() string {
	out, err := exec.Command("git", "describe", "--always", "--dirty=+", "--abbrev=10", "--exclude=*").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}
