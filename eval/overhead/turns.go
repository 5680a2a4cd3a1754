package overhead

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// effort sets what to measure, and how often. In each round every binary is restarted, because
// the layout of memory affects the cost of a run. Then the binaries take turns until each has
// run the given number of slices.
type effort struct {
	ways           []string
	rounds, slices int
}

// sliceMin is the minimal length of a slice of plain code: long compared with the
// resolution of the clock, but short enough that some slices run undisturbed.
const sliceMin = 10 * time.Millisecond

// runsMax limits the number of runs in a slice. Without it, the calibration of a workload
// that costs nothing would not end.
const runsMax = 1 << 24

// costs holds the costs of one workload.
type costs struct {
	least  map[string]float64   // CPU ns of one run, by way
	rounds map[string][]float64 // the same for each round
	hits   int                  // hits of one instrumented run
}

// measure runs one workload in all ways and returns the minimal cost of each.
func (s *scratch) measure(w workload, e effort) (costs, error) {
	c := costs{least: map[string]float64{}, rounds: map[string][]float64{}}
	n, err := s.calibrate(w)
	if err != nil {
		return c, err
	}
	for range e.rounds {
		if err := s.round(w, e, n, &c); err != nil {
			return c, fmt.Errorf("%s, %w", w.name, err)
		}
	}
	return c, nil
}

// round starts all binaries, which then take turns to run slices.
func (s *scratch) round(w workload, e effort, n int, c *costs) (err error) {
	servers := map[string]*server{}
	defer func() {
		for way, p := range servers {
			if stopped := p.stop(); err == nil && stopped != nil {
				err = fmt.Errorf("%s: %w", way, stopped)
			}
		}
	}()
	for _, way := range e.ways {
		p, err := s.serve(w, way)
		if err != nil {
			return fmt.Errorf("%s: %w", way, err)
		}
		servers[way] = p
		if way == budgeted {
			c.hits = p.hits
		}
	}
	least := map[string]float64{}
	for slice := range e.slices {
		for k := range e.ways {
			way := e.ways[(slice+k)%len(e.ways)] // rotate, so that no way is always first
			cost, err := servers[way].slice(n)
			if err != nil {
				return fmt.Errorf("%s: %w", way, err)
			}
			if old := least[way]; old == 0 || cost < old {
				least[way] = cost
			}
		}
	}
	for way, cost := range least {
		c.rounds[way] = append(c.rounds[way], cost)
		c.least[way] = slices.Min(c.rounds[way])
	}
	return nil
}

// calibrate returns the number of runs in a slice.
func (s *scratch) calibrate(w workload) (n int, err error) {
	p, err := s.serve(w, plain)
	if err != nil {
		return 0, err
	}
	for n = 1; n < runsMax; n *= 2 {
		cost, err := p.slice(n)
		if err != nil {
			p.stop()
			return 0, err
		}
		if cost*float64(n) > float64(sliceMin) {
			break
		}
	}
	return n, p.stop()
}

// server is a test binary that runs a slice for each line of its standard input.
type server struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Scanner
	stderr bytes.Buffer
	hits   int
	other  []string // output lines that are not figures
}

// worker returns the environment of a process that runs workloads. It has the same
// settings as the environment of the command's workers.
func worker(name string, more ...string) []string {
	return append(append(os.Environ(), "WORK="+name, "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1", "GOGC=400"), more...)
}

// serve starts the binary of a workload, built in the given way.
func (s *scratch) serve(w workload, way string) (*server, error) {
	env := []string{"MODE=cost"}
	way = strings.TrimSuffix(way, " again")
	if way == recording { // the same binary does something else
		way, env = gated, append(env, "FAULTS=record")
	}
	p := &server{cmd: exec.Command(s.binary(w, way), "-test.run=^TestWork$", "-test.timeout=0")}
	p.cmd.Env = worker(w.name, env...)
	p.cmd.Stderr = &p.stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewScanner(out)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	hits, err := p.read("HITS ")
	if err != nil {
		p.stop()
		return nil, err
	}
	p.hits = int(hits)
	return p, nil
}

// slice runs the workload n times and returns the CPU time of one run in ns.
func (p *server) slice(n int) (float64, error) {
	if _, err := fmt.Fprintln(p.in, n); err != nil {
		return 0, fmt.Errorf("the process has exited: %w", p.stop())
	}
	cost, err := p.read("COST ")
	if err == nil && (cost <= 0 || math.IsNaN(cost)) {
		err = fmt.Errorf("a run cost %v ns", cost)
	}
	return cost, err
}

// read waits for a line that begins with the prefix, and returns the figure in it.
func (p *server) read(prefix string) (float64, error) {
	for p.out.Scan() {
		if figure, ok := strings.CutPrefix(p.out.Text(), prefix); ok {
			return strconv.ParseFloat(strings.TrimSpace(figure), 64)
		}
		p.other = append(p.other, p.out.Text())
	}
	return 0, fmt.Errorf("no %s in\n%s%s", strings.TrimSpace(prefix), strings.Join(p.other, "\n"), p.stderr.String())
}

// stop lets the process exit and waits for it. Before it exits, the process verifies its
// result once more.
func (p *server) stop() error {
	p.in.Close()
	for p.out.Scan() {
		p.other = append(p.other, p.out.Text())
	}
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("%w\n%s%s", err, strings.Join(p.other, "\n"), p.stderr.String())
	}
	return nil
}
