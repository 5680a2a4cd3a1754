package overhead

import (
	"fmt"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/source/build"
)

// SamePaths runs generated inputs through three builds of every workload. In the first
// build, probes use a local variable for the position in the recorded path. In the second,
// probes are calls and use no variable. The third is the first with an assertion wherever
// the variable is used. The experiment fails unless all builds take the same paths, hit by
// hit. In these builds loops over maps are not random (see fixMaps).
var SamePaths = lab.Experiment{
	Name: "samepaths",
	Doc:  "whether positions kept in locals give the same paths as probes that are calls",
	Run:  samePaths,
}

func samePaths(cfg lab.Config) (*lab.Result, error) {
	all, q := chosen(workloads, cfg.Quick), sequence{inputs: 10_000}
	if cfg.Quick {
		q.inputs = 500
	}
	s, err := prepare(all)
	if err != nil {
		return nil, err
	}
	defer s.close()
	res := &lab.Result{Seeds: []uint64{inputSeed}}
	for _, w := range all {
		row, err := s.compare(w, q)
		if err != nil {
			return nil, err
		}
		cfg.Logf("%s: %v different paths in %v runs, equal", w.name, row.Get("paths"), row.Get("inputs"))
		res.Rows = append(res.Rows, row)
	}
	return res, nil
}

// compare runs one workload in the three builds.
func (s *scratch) compare(w workload, q sequence) (lab.Row, error) {
	var local *generated
	for _, kind := range []struct {
		way    string
		config build.Config
	}{
		{"locals", build.Config{}},
		{"calls", build.Config{Calls: true}},
		{"asserted", build.Config{Debug: true}},
	} {
		o, err := s.fixed(w, kind.way, kind.config)
		if err != nil {
			return nil, err
		}
		g, err := s.generate(w, kind.way, o, q)
		if err != nil {
			return nil, err
		}
		if local == nil {
			local = g
		}
		if other := differ(local, g); len(other) > 0 || len(g.hashes) != q.inputs {
			return nil, fmt.Errorf("%s: probes with %s: %d of %d runs took another path, the first is run %d",
				w.name, kind.way, len(other), q.inputs, first(other))
		}
	}
	return lab.Row{lab.Col("workload", w.name), lab.Col("inputs", q.inputs), lab.Col("hits", local.hits), lab.Col("paths", local.distinct),
		lab.Col("cut", local.cut), lab.Col("panics", local.panicked), lab.Col("equal", true), lab.Col("stale positions", 0)}, nil
}

func first(runs []int) int {
	if len(runs) == 0 {
		return -1
	}
	return runs[0]
}
