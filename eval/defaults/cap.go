package defaults

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/proc/event"
)

// Cap searches in several parts, with different limits of the corpus.
var Cap = lab.Experiment{
	Name: "corpuscap",
	Doc:  "the limit of the corpus: what a search in several parts has seen, and how long the saved inputs take",
	Run:  runCap,
}

// caps are limits of the corpus, for inputs with new paths. The second is in use. With the last one
// no corpus is full.
var caps = []int{500, 1500, 5000, 1_000_000}

// capped are properties of the examples whose searches save many inputs.
var capped = [][2]string{
	{"./examples/ini", "TestDecodeAnyText"},
	{"./examples/calc", "TestOptimiseKeepsMeaning"}, {"./examples/orderedmap", "TestInvariant"},
}

func runCap(cfg lab.Config) (*lab.Result, error) {
	rounds := len(cfg.SeedsOr(lab.Default[int]{Full: 3, Quick: 1}))
	budget := cfg.BudgetOr(lab.Default[time.Duration]{Full: 5 * time.Second, Quick: time.Second})
	limits, properties := caps, capped
	if cfg.Quick {
		limits, properties = caps[1:2], capped[:1]
	}
	res := &lab.Result{Summary: map[string]any{"n": rounds, "searches": searches, "seconds of each": budget.Seconds(),
		"in use": fmt.Sprintf("%d, and a third more for inputs with a new edge", caps[1])}}
	dir, err := os.MkdirTemp("", "corpuscap")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	gocache, err := foreign.Go(dir, nil, "env", "GOCACHE")
	if err != nil {
		return nil, err
	}
	for _, limit := range limits {
		c := copied{dir: filepath.Join(dir, fmt.Sprint(limit))}
		c.module = filepath.Join(c.dir, "module")
		c.env = append(foreign.Env(strings.TrimSpace(gocache)), "XDG_CACHE_HOME="+filepath.Join(c.dir, "cache"))
		if err := c.write(limit); err != nil {
			return nil, err
		}
		for _, p := range properties {
			var saved, features, cost []float64
			for range rounds {
				last, err := c.parts(p, budget)
				if err != nil {
					return nil, err
				}
				cfg.Logf("%d, %s: %d features; %d inputs were run again in %.2f s", limit, p[1], last.Features,
					last.Resumed.Inputs, last.Resumed.Seconds)
				saved, cost = append(saved, float64(last.Resumed.Inputs)), append(cost, last.Resumed.Seconds)
				features = append(features, float64(last.Features))
			}
			res.Rows = append(res.Rows, lab.Row{lab.Col("limit", limit), lab.Col("property", p[1]),
				lab.Col("features at the end p50", lab.Median(features)),
				lab.Col("saved inputs p50", lab.Median(saved)), lab.Col("seconds to run them p50", lab.Median(cost))})
		}
	}
	return res, nil
}

// copied is the main module with a limit: a copy, or the repository for the limit in use.
type copied struct {
	dir    string // holds all that the experiment writes
	module string
	env    []string
}

var limits = regexp.MustCompile(`(storedMax = )\d+(\n\trareMax   = )\d+`)

// write copies the main module, sets the limit if it is not the one in use, and builds the command.
func (c *copied) write(limit int) error {
	root, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	if limit == caps[1] {
		c.module = root
	} else if err := c.copy(root); err != nil {
		return err
	}
	file := filepath.Join(c.module, "internal", "check", "worker", "corpus.go")
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text := limits.ReplaceAllString(string(data), fmt.Sprintf("${1}%d${2}%d", limit, limit+limit/3))
	if !strings.Contains(text, fmt.Sprintf("storedMax = %d\n", limit)) || c.module == root && text != string(data) {
		return fmt.Errorf("%s does not have the limit", file)
	}
	if c.module != root {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return err
		}
	}
	_, err = foreign.Go(c.module, nil, "build", "-buildvcs=false", "-o", filepath.Join(c.dir, "allele.exe"), "./cmd/allele")
	return err
}

// copy copies the main module.
func (c *copied) copy(root string) error {
	return filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, nested := os.Stat(filepath.Join(file, "go.mod"))
			if file != root && (nested == nil || d.Name() == ".git" || d.Name() == "docs") {
				return filepath.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return lab.WriteFile(filepath.Join(c.module, rel), data)
	})
}

// searches is how often a search is begun: all but the first continue with the saved inputs.
const searches = 4

// parts searches from scratch, and then goes on several times. It returns the counts of the last search.
func (c copied) parts(property [2]string, budget time.Duration) (last event.Counts, err error) {
	if err := os.RemoveAll(filepath.Join(c.dir, "cache", "allele", "corpus")); err != nil {
		return last, err
	}
	for range searches {
		if last, err = c.test(property, "-for", budget.String()); err != nil {
			return last, err
		}
	}
	if last.Resumed.Inputs == 0 {
		return last, fmt.Errorf("%s: nothing was saved", property[1])
	}
	return last, nil
}

// test runs the command and returns the counts of the property.
func (c copied) test(property [2]string, flags ...string) (last event.Counts, err error) {
	args := append([]string{"test", "-json", "-workers", "1", "-run", "^" + property[1] + "$"}, append(flags, property[0])...)
	cmd := exec.Command(filepath.Join(c.dir, "allele.exe"), args...)
	cmd.Dir, cmd.Env = c.module, append(os.Environ(), c.env...)
	out, err := cmd.Output()
	if err != nil {
		return last, fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
	}
	for e, err := range event.Read(bytes.NewReader(out)) {
		if err != nil {
			return last, err
		}
		if f, ok := e.Body.(event.Finished); ok {
			last = f.Counts
		}
	}
	return last, nil
}
