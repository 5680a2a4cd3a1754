// Package search measures how many runs a search needs to find a bug.
package search

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/worker"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/load"
)

const workerPath = "github.com/allele-go/allele/eval/worker"

// Build builds the worker, with probes in the workloads. It always uses the same folder,
// because files in a different folder would not be in the build cache.
func Build(c lab.Config) (bin string, sites []site.Site, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", nil, err
	}
	dir := filepath.Join(cache, "allele-eval", "search")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", nil, err
	}
	c.Logf("building")
	return binary(dir)
}

func binary(dir string) (bin string, sites []site.Site, err error) {
	conf := load.Config{Patterns: []string{workerPath}, Flags: []string{"-buildvcs=false"}}
	prog, err := load.Packages(conf)
	if err != nil {
		return "", nil, err
	}
	o, err := build.Rewrite(prog, build.Config{Work: dir, Load: conf})
	if err != nil {
		return "", nil, err
	}
	bin = filepath.Join(dir, "worker.test")
	return bin, o.Sites, o.Test(workerPath, bin)
}

// Run runs jobs in order, in one process. It calls the function each for every result, as
// soon as the result is available. It passes flags to the test binary.
func Run(bin string, jobs []worker.Job, each func(worker.Result), flags ...string) error {
	f, err := os.CreateTemp(filepath.Dir(bin), "jobs")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	enc := json.NewEncoder(f)
	for _, j := range jobs {
		if err := enc.Encode(j); err != nil {
			return err
		}
	}
	if err := f.Close(); err != nil {
		return err
	}
	cmd := exec.Command(bin, append(flags, "-test.run=^TestJobs$", "-test.timeout=0")...)
	cmd.Env = append(os.Environ(), "JOBS="+f.Name(), "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1", "GOGC=400")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	var other strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		text, ok := strings.CutPrefix(lines.Text(), "RESULT ")
		var r worker.Result
		if !ok || json.Unmarshal([]byte(text), &r) != nil {
			fmt.Fprintln(&other, lines.Text())
			continue
		}
		each(r)
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("%w\n%s%s", err, other.String(), stderr.String())
	}
	return nil
}
