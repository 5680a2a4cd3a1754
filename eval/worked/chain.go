package worked

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/lab"
)

// entry is a line of the file written by -log.
type entry struct {
	Run, ID, Parent                int
	How, Kind, Verdict, Why, Input string
}

// made returns how the input was made from its parent.
func (e entry) made() string {
	if e.Kind != "" {
		return e.Kind + " change"
	}
	return e.How
}

func readLog(file string) (log []entry, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		var e entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			return nil, fmt.Errorf("line of the log %q: %w", line, err)
		}
		log = append(log, e)
	}
	return log, nil
}

// ancestry starts with the input that failed, which is the last one in the log, and
// follows the parents to an input without a parent. It returns these inputs in the order
// of their runs.
func ancestry(log []entry) (chain []entry, err error) {
	if len(log) == 0 || log[len(log)-1].Verdict != "failed" {
		return nil, errors.New("the log does not end with an input that failed")
	}
	by := map[int]entry{}
	for _, e := range log[:len(log)-1] {
		by[e.ID] = e
	}
	e := log[len(log)-1]
	for chain = append(chain, e); e.Parent != 0; chain = append(chain, e) {
		parent, ok := by[e.Parent]
		if !ok || parent.Run >= e.Run {
			return nil, fmt.Errorf("the parent of the input of run %d is input %d, which is not in the log before it", e.Run, e.Parent)
		}
		e = parent
	}
	if e.How != "fresh" {
		return nil, fmt.Errorf("the first input, of run %d, must be fresh, but is %s", e.Run, e.How)
	}
	slices.Reverse(chain)
	return chain, nil
}

// chain returns a row for each input of the ancestry, and a last row for the shrunk
// input.
func (r run) chain() (rows []lab.Row, err error) {
	entries, err := ancestry(r.log)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		row, err := describe(e.Input)
		if err != nil {
			return nil, err
		}
		rows = append(rows, append(lab.Row{lab.Col("run", e.Run), lab.Col("made by", e.made()), lab.Col("why it was kept", e.Why)}, row...))
	}
	last := &rows[len(rows)-1]
	(*last)[2] = lab.Col("why it was kept", "it failed")
	row, err := describe(r.last)
	if err != nil {
		return nil, err
	}
	return append(rows, append(lab.Row{lab.Col("made by", "shrinking")}, row...)), nil
}

// describe returns the number of nodes, the tree and the key of an input.
func describe(input string) (lab.Row, error) {
	tree, key, err := read(input)
	if err != nil {
		return nil, fmt.Errorf("input %s: %w", input, err)
	}
	return lab.Row{lab.Col("nodes", tree.size()), lab.Col("tree", "`"+tree.String()+"`"), lab.Col("key", key)}, nil
}
