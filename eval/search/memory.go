package search

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/allele-go/allele/eval/worker"
)

// memory stores the results of a binary in a file, so that an experiment that was
// interrupted continues where it stopped.
type memory struct {
	mu   sync.Mutex
	file *os.File
	done map[worker.Job]worker.Result
}

// remember opens the memory of a binary. Each binary has its own file.
func remember(bin string) (*memory, error) {
	code, err := os.ReadFile(bin)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(code)
	name := filepath.Join(filepath.Dir(bin), fmt.Sprintf("results-%x.jsonl", sum[:8]))
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	m := &memory{file: f, done: map[worker.Job]worker.Result{}}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var r worker.Result
		if json.Unmarshal(lines.Bytes(), &r) == nil { // skip a line that was not written completely
			m.done[r.Job] = r
		}
	}
	return m, nil
}

// add records a result.
func (m *memory) add(r worker.Result) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done[r.Job] = r
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = m.file.Write(append(line, '\n'))
	return err
}
