// Package decoders measures inputs for decoders that are made by breaking encoders.
//
// Each target has an encoder, a decoder and two ordinary values. An arm is a way to make inputs for the decoder: the encoded
// value alone, changes of its bytes, faults in the encoder, or a search over values, faults and bytes. All arms run the
// same decoder, and package harness records their inputs. Afterwards the inputs are run again with coverage counters, which
// say what each number of runs, and so each amount of CPU time, has reached.
//
// The experiment operators lists the faults of the MutaGen paper, and says which of its operators reach what. The experiment
// decoderbugs searches for known bugs of old decoders.
package decoders

import (
	"errors"
	"time"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// Experiment measures coverage.
var Experiment = lab.Experiment{
	Name: "decoders",
	Doc:  "what inputs from broken encoders reach in decoders, beside changed bytes, zzuf and native fuzzing",
	Run:  run,
}

// Operators measures the paper's operators.
var Operators = lab.Experiment{
	Name: "operators",
	Doc:  "the operators of the MutaGen paper: faults, files, what they reach, and the best sets of them",
	Run:  runOperators,
}

// Bugs searches for known bugs.
var Bugs = lab.Experiment{
	Name: "decoderbugs",
	Doc:  "CPU time until a known bug of an old decoder is found, beside native fuzzing",
	Run:  runBugs,
}

// target is a format with a decoder. The file testdata/NAME.go.txt has the encoder, the decoder and the values.
type target struct {
	name     string
	requires []foreign.Module
	packages []string // of the decoder: they guide searches, and their statements are counted
	// other is the packages of another decoder of the same format, in testdata/NAME_other.go.txt.
	other  []string
	folder string // of its file below testdata
	quick  bool
}

// targets are the formats. The first four have checksums or compression, the others are nested.
var targets = []target{
	{name: "png", packages: []string{"image/png", "compress/zlib", "compress/flate"}, quick: true},
	{name: "zip", packages: []string{"archive/zip", "compress/flate"},
		requires: []foreign.Module{foreign.At("github.com/klauspost/compress", "v1.17.11")},
		other:    []string{"github.com/klauspost/compress/zip", "github.com/klauspost/compress/flate"}},
	{name: "gif", packages: []string{"image/gif", "compress/lzw"}},
	{name: "tiff", packages: []string{"golang.org/x/image/tiff", "golang.org/x/image/tiff/lzw", "compress/zlib", "compress/flate"},
		requires: []foreign.Module{foreign.At("golang.org/x/image", "v0.0.0-20190802002840-cff245a6509b")}},
	{name: "gob", packages: []string{"encoding/gob"}},
	{name: "yaml", packages: []string{"gopkg.in/yaml.v3"}, requires: []foreign.Module{foreign.At("gopkg.in/yaml.v3", "v3.0.1")}},
	{name: "cbor", packages: []string{"github.com/fxamacker/cbor/v2"},
		requires: []foreign.Module{foreign.At("github.com/fxamacker/cbor/v2", "v2.9.0")}},
	{name: "msgpack", packages: []string{"github.com/vmihailenco/msgpack/v5", "github.com/vmihailenco/msgpack/v5/msgpcode"},
		requires: []foreign.Module{foreign.At("github.com/vmihailenco/msgpack/v5", "v5.4.1")}},
}

// firstSeed is the first seed of the reported searches: smaller seeds were used for tuning.
const firstSeed = 5001

var (
	budget      = lab.Default[time.Duration]{Full: 30 * time.Second, Quick: time.Second}
	repetitions = lab.Default[int]{Full: 5, Quick: 1}
)

func run(cfg lab.Config) (*lab.Result, error) {
	s := &study{Config: cfg, name: "full"}
	if cfg.Quick {
		s.name = "quick"
	}
	only, err := cfg.Match()
	if err != nil {
		return nil, err
	}
	seeds := cfg.SeedsOr(repetitions)
	for i := range seeds {
		for _, t := range targets {
			for _, a := range arms {
				if i >= a.seeds() || cfg.Quick && !(t.quick && a.quick()) || !only(t.name+" "+string(a)) {
					continue
				}
				s.add(search{target: t, arm: a, Seed: firstSeed + uint64(i)})
				if i == 0 && a.blind() && !cfg.Quick {
					s.add(search{target: t, arm: a, Seed: firstSeed, Base: 1})
				}
			}
		}
	}
	if len(s.trials) == 0 {
		return nil, errors.New("-only matches no trial; it is compared with texts like: png levels")
	}
	err = s.run()
	if len(s.outcomes) == 0 {
		return nil, err
	}
	res := &lab.Result{Summary: map[string]any{"cpu s of a trial": cfg.BudgetOr(budget).Seconds()}}
	for i := range seeds {
		res.Seeds = append(res.Seeds, firstSeed+uint64(i))
	}
	s.report(res)
	return res, errors.Join(err, s.check())
}
