package allele

import (
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/term"
)

// pen runs terms in a process of its own, which they may end: the same test
// binary, which comes to the same Check and serves there (serve.go). When a term
// has ended one, the next term gets another.
type pen struct {
	check *check
	hang  time.Duration // how long a run may take
	tries int           // how often a term is run before it counts as passed
	proc  *proc.Process
	last  string // the file of its last hits
	err   error  // why there can be no process
}

const hangDefault = 10 * time.Second

func (c *check) newPen(tries int) *pen {
	return &pen{check: c, hang: c.hangTime(), tries: max(1, tries)}
}

// hangTime is how long one run may take.
func (c *check) hangTime() time.Duration {
	if c.job.Limits.Run > 0 {
		return c.job.Limits.Run
	}
	if d, err := time.ParseDuration(os.Getenv("ALLELE_HANG")); err == nil && d > 0 {
		return d
	}
	return hangDefault
}

// run runs a term. If there can be no process, it has not run: see err.
func (p *pen) run(x term.Term) outcome {
	if p.proc == nil {
		if p.err = p.start(); p.err != nil {
			return outcome{T: &T{tb: p.check.runner}}
		}
	}
	answer, ok := p.proc.Ask(operand.AppendTerm(nil, x))
	var t told
	if ok && json.Unmarshal(answer, &t) == nil {
		return p.check.heard(t)
	}
	d := p.proc.Gone()
	p.proc = nil
	if d.Kind == proc.Ended {
		d.Kind = proc.Exit
	}
	return outcome{T: &T{tb: p.check.runner}, death: &d, waited: p.hang, last: lastSites(p.last), limit: p.check.memoryLimit()}
}

// start brings a process up.
func (p *pen) start() error {
	binary, err := os.Executable()
	if err != nil {
		return err
	}
	p.last = ""
	if p.check.watch != nil {
		if f, err := os.CreateTemp(p.check.job.Limits.Temp, "allele-last-*"); err == nil {
			p.last = f.Name()
			f.Close()
		}
	}
	j := p.check.job
	work := &job.Job{Mode: job.Cases, Property: p.check.name, Repeat: job.Repeat{Tries: p.tries, Last: p.last},
		Limits: job.Limits{Run: p.hang, Memory: p.check.memoryLimit(), Temp: j.Limits.Temp}, Program: job.Program{Sites: j.Program.Sites}}
	env := []string{"GORACE=" + strings.TrimPrefix(os.Getenv("GORACE")+" halt_on_error=1", " ")}
	if p.tries > 1 {
		env = append(env, "GOMAXPROCS="+strconv.Itoa(proc.Several()), "GODEBUG="+strings.ReplaceAll(os.Getenv("GODEBUG"), "asyncpreemptoff=1", "asyncpreemptoff=0"))
	}
	p.proc, err = proc.Start(proc.Config{Path: binary, Args: testArgs(p.check.t), Dir: home, Asked: true, Hang: p.hang, Base: job.Environ(), Job: work, Env: env})
	if err != nil {
		return err
	}
	hello, ok := p.proc.Listen(helloWait)
	shape := binaryShape(p.check)
	if ok && string(hello) == string(append([]byte{helloGood}, shape...)) {
		return nil
	}
	p.proc.Kill()
	d := p.proc.Wait()
	p.proc = nil
	return fmt.Errorf("a process to run it in did not come up: %s\n%s%s%s", d.Text, bounded(d.Out, messageMax), bounded(d.Err, messageMax), bounded(d.Stack, messageMax))
}

func binaryShape(c *check) []byte {
	return binary.LittleEndian.AppendUint64(nil, operand.Shape(c.world))
}

// close lets the process go.
func (p *pen) close() {
	if p.proc != nil {
		p.proc.Close()
		p.proc = nil
	}
	if p.last != "" {
		os.Remove(p.last)
	}
}

// testArgs are the arguments with which the test binary runs just this test.
// Flags of the user's own stay; those that have files written do not.
func testArgs(t testing.TB) []string {
	args := []string{"-test.timeout=0", "-test.count=1", "-test.paniconexit0"}
	if _, bench := t.(*testing.B); bench {
		args = append(args, "-test.run=^$", "-test.benchtime=1x", "-test.bench="+namePattern(t.Name()))
	} else {
		args = append(args, "-test.run="+namePattern(t.Name()))
	}
	flag.Visit(func(f *flag.Flag) {
		if !strings.HasPrefix(f.Name, "test.") {
			args = append(args, "-"+f.Name+"="+f.Value.String())
		}
	})
	return append(args, flag.Args()...)
}

// memoryDefault is far more than a test takes, and less than would bring the
// machine down.
const memoryDefault = 4 << 30

// confine limits what this process may take.
func (c *check) confine() {
	proc.Confine(c.memoryLimit())
}

// memoryLimit is how much memory a process may take; 0 means as much as there is.
func (c *check) memoryLimit() int64 {
	if c.job.Mode == job.Plain {
		return memoryDefault
	}
	return c.job.Limits.Memory
}

// mirror has the last hits of runs kept in a file that outlives this process.
func (c *check) mirror() bool {
	file := c.job.Repeat.Last
	if file == "" || !proc.Shared() {
		return false
	}
	skipped, err := proc.Mirror(unsafe.Slice((*byte)(unsafe.Pointer(&hook.Buf)), 4*len(hook.Buf)), file)
	if err != nil {
		return false
	}
	hook.From, hook.Wipe = uint32(skipped/4), true
	return true
}

// lastMax is how many of the last sites are told.
const lastMax = 6

// lastSites reads what mirror has left: the last sites that were hit, the latest
// first.
func lastSites(file string) (sites []uint32) {
	if file == "" {
		return nil
	}
	defer os.Remove(file)
	info, err := os.Stat(file)
	if err != nil || info.Size() > 4*int64(len(hook.Buf)) {
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	for i := len(data) - 4; i >= 0 && len(sites) < lastMax; i -= 4 {
		symbol := binary.NativeEndian.Uint32(data[i:])
		if id, ok := trace.Site(symbol); symbol != 0 && ok && !slices.Contains(sites, id) {
			sites = append(sites, id)
		}
	}
	return sites
}
