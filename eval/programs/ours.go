package programs

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/proc/event"
)

// ours is allele run.
type ours struct {
	command string // the command of this repository
	sources string // the repository
	temp    string
	kept    string // a folder that is always the same, so that the tests which allele run writes are compiled once
}

// newOurs builds the command. It must be called in the eval folder.
func newOurs() (*ours, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "programs-")
	if err != nil {
		return nil, err
	}
	o := &ours{filepath.Join(temp, "allele"), "", temp, filepath.Join(cache, "allele-eval", "run")}
	if o.sources, err = filepath.Abs(".."); err == nil {
		err = foreign.Command(o.command)
	}
	if err != nil {
		o.close()
		return nil, err
	}
	return o, nil
}

func (o *ours) close() { os.RemoveAll(o.temp) }

// version identifies the command, the formats and the experiment, for outcomes that are kept.
func (o *ours) version() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	return foreign.Checksum(o.command, self)
}

// lacks reports whether a tool is not installed, so that a quick run has to do without the experiment. Any other run
// fails then.
func lacks(cfg lab.Config, tools ...string) (bool, error) {
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err == nil {
			continue
		}
		if !cfg.Quick {
			return true, fmt.Errorf("%s is not installed: it needs Debian, and apt-get install afl++ dpkg-dev zzuf", tool)
		}
		cfg.Logf("%s is not installed", tool)
		return true, nil
	}
	return false, nil
}

// upTo returns the numbers below n.
func upTo(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

// cmd returns a command that runs allele run with one worker, and prints events. It also returns the folder of the
// findings, which is empty. There may be one command at a time for each name and seed.
func (o *ours) cmd(name, format, budget string, seed uint64, more []string, args ...string) (cmd *exec.Cmd, findings string) {
	findings = filepath.Join(o.kept, fmt.Sprintf("%s-%d", name, seed))
	os.RemoveAll(findings) // if that fails, more are counted
	line := []string{"run", "-format", format, "-for", budget, "-workers", "1", "-fresh", "-json", "-sources", o.sources,
		"-seed", fmt.Sprint(seed), "-o", findings}
	line = append(append(append(line, more...), "--"), args...)
	cmd = exec.Command(o.command, line...)
	cmd.Dir = o.temp
	cmd.Env = o.environ()
	return cmd, findings
}

// environ returns the environment of the command: with a cache of its own, and with the build cache of the user, which
// would be another one in that cache.
func (o *ours) environ() []string {
	env := append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(o.kept, "cache"))
	if builds, err := foreign.Go(".", nil, "env", "GOCACHE"); err == nil {
		env = append(env, "GOCACHE="+strings.TrimSpace(builds))
	}
	return append(env, foreign.UserCache...)
}

// told is what the events of a search say.
type told struct {
	Runs  int
	Edges int // of the code of the program
	Found int // findings
}

// firstEdge is the number of the first edge of a program among the sites.
const firstEdge = 1 << 21

// read reads the events of a search.
func read(events []byte) (t told, err error) {
	edges := map[uint32]bool{}
	add := func(sites []uint32) {
		for _, s := range sites {
			if s >= firstEdge {
				edges[s] = true
			}
		}
	}
	for e := range event.Read(bytes.NewReader(events)) { // an error is about the last line of a search that was killed
		switch b := e.Body.(type) {
		case event.Progress:
			t.Runs = max(t.Runs, b.Counts.Runs)
		case event.Finished:
			t.Runs = max(t.Runs, b.Counts.Runs)
			add(b.Reach.Sites)
		case event.Ended:
			t.Runs = max(t.Runs, b.Runs)
		case event.Reached:
			add(b.Sites)
		case event.Found:
			if b.Verdict == event.Failed {
				t.Found++
			}
		}
	}
	t.Edges = len(edges)
	if t.Runs == 0 {
		return t, fmt.Errorf("allele run reports no runs\n%s", events)
	}
	return t, nil
}
