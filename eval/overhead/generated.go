package overhead

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/source/build"
)

// inputSeed is the seed of the generated inputs of all workloads.
const inputSeed = 1

// generated holds the results of a binary for a number of generated inputs.
type generated struct {
	hashes   []string   // a hash of the path of each run
	symbols  [][]uint32 // the path of each run, only for the runs that sequence.from and to select
	distinct int
	hits     int
	cut      int // runs that were stopped by their budget
	panicked int
}

// sequence selects the inputs to run.
type sequence struct {
	inputs   int
	from, to int // range of the inputs whose whole path is recorded
}

// generate runs a binary on generated inputs, which are the same for every binary.
func (s *scratch) generate(w workload, way string, o *build.Overlay, q sequence) (*generated, error) {
	file, err := os.CreateTemp(s.dir, "paths")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	cmd := exec.Command(s.binary(w, way), "-test.run=^TestWork$", "-test.timeout=0")
	cmd.Env = worker(w.name, "MODE=paths", "OUT="+file.Name(), "SEED="+strconv.Itoa(inputSeed), "INPUTS="+strconv.Itoa(q.inputs),
		"FROM="+strconv.Itoa(q.from), "TO="+strconv.Itoa(q.to), "SITES="+strconv.Itoa(sitesEnd(o)))
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w\n%s", w.name, way, err, out)
	}
	g := &generated{}
	if err := g.totals(string(out)); err != nil {
		return nil, fmt.Errorf("%s, %s: %w", w.name, way, err)
	}
	return g, g.read(file)
}

// sitesEnd returns a number greater than the ID of every site.
func sitesEnd(o *build.Overlay) (end int) {
	for _, s := range o.Sites {
		end = max(end, int(s.ID)+1)
	}
	return end
}

// totals reads the sums over all runs from the line that contains them.
func (g *generated) totals(out string) error {
	for line := range strings.Lines(out) {
		inputs := 0
		if n, _ := fmt.Sscanf(line, "RUNS %d %d %d %d", &inputs, &g.hits, &g.cut, &g.panicked); n == 4 {
			return nil
		}
	}
	return fmt.Errorf("no totals in\n%s", out)
}

// lineMax bounds the length of a line of the file. A line contains a path, as numbers of
// up to ten digits.
const lineMax = 12 << 16

func (g *generated) read(file *os.File) error {
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, lineMax)
	seen := map[string]bool{}
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		var symbols []uint32
		for _, word := range words[1:] {
			n, err := strconv.ParseUint(word, 10, 32)
			if err != nil {
				return fmt.Errorf("read %s: %w", filepath.Base(file.Name()), err)
			}
			symbols = append(symbols, uint32(n))
		}
		seen[words[0]] = true
		g.hashes, g.symbols = append(g.hashes, words[0]), append(g.symbols, symbols)
	}
	g.distinct = len(seen)
	return lines.Err()
}

// differ returns the runs whose path in b differs from that in a.
func differ(a, b *generated) (runs []int) {
	for i, h := range a.hashes {
		if i >= len(b.hashes) || b.hashes[i] != h {
			runs = append(runs, i)
		}
	}
	return runs
}
