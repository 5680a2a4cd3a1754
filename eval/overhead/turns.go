package overhead

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// effort sets how often to measure. In each round every binary is restarted, because the
// layout of memory affects the cost of a run. Then the binaries take turns until each has
// run the given number of slices.
type effort struct{ rounds, slices int }

// sliceMin is the minimal length of a slice of plain code: long compared with the
// resolution of the clock, but short enough that some slices run undisturbed.
const sliceMin = 10 * time.Millisecond

// runsMax limits the number of runs in a slice. Without it, the calibration of a workload
// that costs nothing would not end.
const runsMax = 1 << 24

// costs holds the costs of one workload.
type costs struct {
	least map[string]float64 // CPU ns of one run, by way
	hits  int                // hits of one instrumented run
}

// measure runs one workload in all ways and returns the minimal cost of each.
func (s *scratch) measure(w workload, e effort) (costs, error) {
	c := costs{least: map[string]float64{}}
	n, err := s.calibrate(w)
	if err != nil {
		return c, err
	}
	for range e.rounds {
		if err := s.round(w, e.slices, n, &c); err != nil {
			return c, fmt.Errorf("%s, %w", w.name, err)
		}
	}
	return c, nil
}

// round starts all binaries, which then take turns to run slices.
func (s *scratch) round(w workload, slices, n int, c *costs) (err error) {
	servers := map[string]*server{}
	defer func() {
		for way, p := range servers {
			if stopped := p.stop(); err == nil && stopped != nil {
				err = fmt.Errorf("%s: %w", way, stopped)
			}
		}
	}()
	for _, way := range ways {
		p, err := serve(s.binary(w, strings.TrimSuffix(way, " again")), w.name)
		if err != nil {
			return fmt.Errorf("%s: %w", way, err)
		}
		servers[way] = p
		if way == budgeted {
			c.hits = p.hits
		}
	}
	for slice := range slices {
		for k := range ways {
			way := ways[(slice+k)%len(ways)] // rotate, so that no way is always first
			cost, err := servers[way].slice(n)
			if err != nil {
				return fmt.Errorf("%s: %w", way, err)
			}
			if old := c.least[way]; old == 0 || cost < old {
				c.least[way] = cost
			}
		}
	}
	return nil
}

// calibrate returns the number of runs in a slice.
func (s *scratch) calibrate(w workload) (n int, err error) {
	p, err := serve(s.binary(w, plain), w.name)
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

func serve(bin, name string) (*server, error) {
	p := &server{cmd: exec.Command(bin, "-test.run=^TestWork$", "-test.timeout=0")}
	p.cmd.Env = worker(name, "MODE=cost")
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
