package papers

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/lens"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/search/engine"
)

// Named returns a loop by name. A level may follow the name: mutagen:clauses is mutagen at the level of
// clauses. Settings to change may follow after that: guided={"Plain": {"Burst": 0}}. Sites are among them:
// mutagen:steps={"Sites": [3, 5]} sees no other sites than these.
func Named(name string) (*Loop, error) {
	base, patch, _ := strings.Cut(name, "=")
	base, level, _ := strings.Cut(base, ":")
	l, ok := loops()[base]
	if !ok {
		return nil, fmt.Errorf("unknown strategy %q; use one of %s", name, strings.Join(Names(), ", "))
	}
	l.lens.Level = levels[level]
	if patch != "" {
		settings := struct {
			*engine.Strategy
			Sites []uint32
		}{Strategy: l.Strategy}
		if err := json.Unmarshal([]byte(patch), &settings); err != nil {
			return nil, fmt.Errorf("settings of %s: %w", base, err)
		}
		l.lens.Limit(settings.Sites)
	}
	return l, nil
}

// levels has the levels that may follow a name. For steps, the settings also list the sites that count.
var levels = map[string]lens.Level{"coarse": lens.Coarse, "clauses": lens.Clauses, "steps": lens.Clauses}

// loops has the loops by name. The first one is the search of go test without the command.
func loops() map[string]*Loop {
	return map[string]*Loop{
		"plain":                {},
		"random":               {Strategy: Random()},
		"random-twins":         {Strategy: RandomTwins()},
		"guided":               {Strategy: Guided()},
		"guided-queued":        {Strategy: Queued()},
		"guided-atoms":         {Strategy: GuidedAtoms()},
		"guided-firsts-always": {Strategy: FirstsAlways()},
		"guided-nests-first":   {Strategy: NestsFirst()},
		"guided-long-lists":    {Strategy: LongLists()},
		"guided-no-copies":     {Strategy: NoCopies()},
		"guided-unbounded":     {Strategy: Unbounded()},
		"faults":               {Strategy: Faults("faults")},
		"faults-paper":         {Strategy: Faults("faults-paper")},
		"faults-slice":         {Strategy: Faults("faults-slice")},
		"fuzzchick":            {Strategy: FuzzChick(), energy: true},
		"mutagen":              {Strategy: Mutagen(), notion: paths},
		"mutagen-bitmap":       {Strategy: MutagenBitmap(), notion: bitmap},
		"mutagen-fifo":         {Strategy: MutagenFIFO(), notion: oldest},
		"mutagen-noreset":      {Strategy: MutagenNoReset(25), notion: paths},
	}
}

// Names returns the names of all strategies.
func Names() []string { return slices.Sorted(maps.Keys(loops())) }

// encoders has the faults that the strategies which make nothing but faults choose from.
var encoders = map[string]job.Encoder{
	"faults":       {},
	"faults-paper": {Slice: "none", Paper: true, Always: true},
	"faults-slice": {Slice: "filter", Paper: true, Always: true},
}

// Variable returns the environment variable with which the command uses a strategy. It is empty for the default
// strategy.
func Variable(name string) (string, error) {
	if name == "" || name == job.Guided {
		return job.ExperimentVariable + "=", nil
	}
	l, err := Named(name)
	if err != nil {
		return "", err
	}
	if l.Strategy == nil || l.notion != nil || l.energy {
		return "", fmt.Errorf("the command cannot run %s: it is more than settings; use package papers in a program", name)
	}
	x := job.Experiment{Scratch: !strings.HasPrefix(name, job.Guided), Strategy: text(l.Strategy)}
	if e, ok := encoders[name]; ok {
		x.Encoder = &e
	}
	return Experiment(x), nil
}

// MustVariable is Variable for a name in the source of an experiment.
func MustVariable(name string) string {
	v, err := Variable(name)
	if err != nil {
		panic(err)
	}
	return v
}

// Experiment returns the environment variable with which the command changes its search.
func Experiment(x job.Experiment) string { return job.ExperimentVariable + "=" + string(text(x)) }

func text(x any) []byte {
	data, err := json.Marshal(x)
	if err != nil {
		panic(err) // settings are plain data
	}
	return data
}
