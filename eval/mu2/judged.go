package mu2

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/store/corpus"
)

// judged is what a set of inputs does to all faults. Faults have numbers, which are the same in all
// trials of a target.
type judged struct {
	Faults   int              `json:"faults"`
	Unsure   int              `json:"unsure"` // faults without a verdict
	Executed []int            `json:"executed"`
	Killed   map[string][]int `json:"killed"` // by what
}

// dead returns the faults that were killed.
func (j judged) dead() map[int]bool {
	all := map[int]bool{}
	for _, list := range j.Killed {
		for _, f := range list {
			all[f] = true
		}
	}
	return all
}

// crashed returns how many faults were killed, without those by difference.
func (j judged) crashed() int { return j.count(false) - len(j.Killed["difference"]) }

// count returns how many faults were killed, maybe only those with odd numbers.
func (j judged) count(odd bool) (n int) {
	for f := range j.dead() {
		if !odd || f%2 == 1 {
			n++
		}
	}
	return n
}

// difference returns the share of the kills by difference.
func (j judged) difference() float64 {
	return float64(len(j.Killed["difference"])) / float64(max(1, j.count(false)))
}

// rejudge makes inputs the corpus of the property, and judges all faults with them, and not with the inputs of
// go test. The limits are those of the command, which are larger than those of a search.
func (m *module) rejudge(t target, inputs []saved, env ...string) (j judged, err error) {
	dir := m.corpus(t)
	if err := os.RemoveAll(dir); err != nil {
		return j, err
	}
	w, err := corpus.Create(dir, path, property)
	if err != nil {
		return j, err
	}
	for _, in := range inputs {
		err = errors.Join(err, w.Add(corpus.Entry{Input: in.Input, Verdict: event.Verdict(in.Verdict), Run: in.Run}))
	}
	if err := errors.Join(err, w.Close()); err != nil {
		return j, err
	}
	output := filepath.Join(m.dir, "score-"+t.name+".json")
	defer os.Remove(output)
	cmd := m.exec(t, "score", "-json", output, "-fresh", "-run", "^"+property+"$",
		"-scope", t.packages(), "-of", t.packages(), "-p", "1", "-set", t.set(), ".")
	cmd.Env = append(append(cmd.Env, "ALLELE_TESTS=0"), env...)
	text, err := cmd.CombinedOutput()
	if err != nil {
		return j, fmt.Errorf("allele score: %w\n%s", err, text)
	}
	data, err := os.ReadFile(output)
	if err != nil {
		return j, err
	}
	return readScore(data)
}

// cut returns the inputs that were saved in the first runs.
func cut(inputs []saved, runs int) []saved {
	return slices.DeleteFunc(slices.Clone(inputs), func(in saved) bool { return in.Run > runs })
}

// readScore reads the verdicts of allele score.
func readScore(data []byte) (j judged, err error) {
	var file struct {
		Version     int
		Interrupted bool
		Packages    []struct {
			Path, Error string
			Faults      []struct {
				ID          int
				Verdict, By string
			}
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return j, fmt.Errorf("read the verdicts: %w", err)
	}
	if file.Version != 1 || file.Interrupted {
		return j, fmt.Errorf("read the verdicts: version %d, interrupted %v", file.Version, file.Interrupted)
	}
	j.Killed = map[string][]int{}
	for _, p := range file.Packages {
		if p.Error != "" {
			return j, fmt.Errorf("%s: %s", p.Path, p.Error)
		}
		for _, f := range p.Faults {
			n := f.ID
			j.Faults++
			switch f.Verdict {
			case "killed":
				j.Killed[f.By] = append(j.Killed[f.By], n)
				j.Executed = append(j.Executed, n)
			case "survived", "not infected":
				j.Executed = append(j.Executed, n)
			case "no verdict":
				j.Unsure++
			case "not reached":
			default:
				return j, fmt.Errorf("unknown verdict %q", f.Verdict)
			}
		}
	}
	if j.Faults == 0 {
		return j, errors.New("the command reports no faults")
	}
	return j, nil
}
