package formats

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"os/exec"
	"strconv"
)

// mutators are the command lines of mutators, without the seed. They read standard input and write standard output.
var mutators = map[string][]string{"": nil, "zzuf": {"zzuf", "-s"}, "radamsa": {"radamsa", "--seed"}}

// mutated returns what a mutator makes of an input. The seed depends on the input alone, so that a failure comes again.
func mutated(name string, input []byte) ([]byte, error) {
	line := mutators[name]
	if len(line) == 0 {
		return input, nil
	}
	h := fnv.New32a()
	h.Write(input)
	cmd := exec.Command(line[0], append(line[1:len(line):len(line)], strconv.FormatUint(uint64(h.Sum32()), 10))...)
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("the mutator %s: %w", name, err)
	}
	return out, nil
}
