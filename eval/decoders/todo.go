package decoders

import (
	"errors"

	"github.com/allele-go/allele/eval/lab"
)

func runOperators(cfg lab.Config) (*lab.Result, error) { return nil, errors.New("todo") }

func runBugs(cfg lab.Config) (*lab.Result, error) { return nil, errors.New("todo") }
