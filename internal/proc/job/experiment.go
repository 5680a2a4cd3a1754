//go:build go1.25

package job

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

// Experiment is what an experiment of this repository changes in a search. The algorithms of the papers are
// such changes, so the product has no names and flags for them.
type Experiment struct {
	// Strategy is an engine.Strategy, instead of the one that the user has chosen.
	Strategy json.RawMessage `json:"strategy,omitempty"`
	Scratch  bool            `json:"scratch,omitempty"` // the search neither uses nor saves inputs of a corpus
	Encoder  *Encoder        `json:"encoder,omitempty"` // which faults an encoder gets
	Guide    Mu2             `json:"guide,omitzero"`    // guidance by faults
}

// Encoder chooses faults in encoders. The zero value means all of them, in the order of the slice.
type Encoder struct {
	Slice  string `json:"slice,omitempty"`  // what to do with the slice: "none" ignores it, "filter" makes only faults in it
	Paper  bool   `json:"paper,omitempty"`  // only the operators of the MutaGen paper
	Always bool   `json:"always,omitempty"` // faults are always on, as in the paper, and not in single evaluations
}

// Mu2 is what guidance by faults does as in the Mu2 paper. Prune is which faults are not run: empty means those
// that change no value, "execution" those that are not reached, "none" none of them. With Pure, all other
// surviving faults are run on every input, at any cost. Half is guidance by the faults with even numbers only.
type Mu2 struct {
	Prune string `json:"prune,omitempty"`
	Pure  bool   `json:"pure,omitempty"`
	Half  bool   `json:"half,omitempty"`
}

// ExperimentVariable is the environment variable from which the command reads an Experiment. It is for the
// experiments of this repository, and not part of the interface of the command.
const ExperimentVariable = "ALLELE_EXPERIMENT"

// ReadExperiment returns the experiment in the environment of the command, or nil.
func ReadExperiment() (*Experiment, error) {
	text := os.Getenv(ExperimentVariable)
	if text == "" {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	var e Experiment
	if err := d.Decode(&e); err != nil {
		return nil, fmt.Errorf("%s is for the experiments of allele: %w; unset it", ExperimentVariable, err)
	}
	return &e, nil
}
