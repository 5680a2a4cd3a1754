package allele

import (
	"encoding/json"
	"os"
	"runtime"
	"slices"

	"github.com/allele-go/allele/hook"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/novelty"
)

// The allele command builds a test binary from rewritten source and runs it
// with these variables. In plain go test none is set, and nothing here happens.
//
//	ALLELE_WORK=list   every Check says who it is and returns
//	ALLELE_WORK=run    the Check called ALLELE_PROPERTY runs under trace; others return
//	ALLELE_OUT         the file that lines about it are appended to
const (
	workList = "list"
	workRun  = "run"
)

// event is a line to the command. The format is the command's own: both come
// from one version of the module.
type event struct {
	Property  string   `json:"property"`
	Type      string   `json:"type,omitempty"`
	Verdict   string   `json:"verdict,omitempty"` // passed, failed, vacuous
	Runs      int      `json:"runs,omitempty"`
	Passed    int      `json:"passed,omitempty"`
	Discarded int      `json:"discarded,omitempty"`
	Paths     int      `json:"paths,omitempty"`   // different ways through the program
	Spawned   int      `json:"spawned,omitempty"` // runs that started goroutines
	Sites     []uint32 `json:"sites,omitempty"`   // reached
	Hot       uint32   `json:"hot,omitempty"`     // the site a run that was cut hit most
}

// work does what the command asked for, and reports whether the Check is to go on.
func (c *check) work() bool {
	mode := os.Getenv("ALLELE_WORK")
	if mode == workList {
		c.emit(event{Property: c.name, Type: c.world.Root.Type.String()})
		return false
	}
	if mode != workRun {
		return true
	}
	if os.Getenv("ALLELE_PROPERTY") != c.name {
		return false
	}
	c.watch = &watcher{}
	c.runner.watch = c.watch
	hook.Cut = c.watch.cutRun
	return true
}

// emit appends a line for the command. Without a file nobody is listening.
func (c *check) emit(e event) {
	file := os.Getenv("ALLELE_OUT")
	if file == "" {
		return
	}
	line, err := json.Marshal(e)
	if err == nil {
		var f *os.File
		if f, err = os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666); err == nil {
			_, err = f.Write(append(line, '\n'))
			f.Close()
		}
	}
	if err != nil {
		c.t.Errorf("allele: cannot tell the command: %v", err)
	}
}

// finish says how a Check under trace ended.
func (c *check) finish() {
	if c.watch == nil {
		return
	}
	n := c.engine.Counts
	e := event{Property: c.name, Verdict: c.verdict, Runs: n.Runs, Passed: n.Passed, Discarded: n.Discarded,
		Paths: c.watch.paths(), Spawned: c.watch.spawned, Hot: c.watch.hot}
	for id := range c.watch.sites {
		e.Sites = append(e.Sites, id)
	}
	slices.Sort(e.Sites)
	c.emit(e)
}

// hitsMax is how many probes a run may hit. It takes a fraction of a second,
// and a run that does nothing wrong and needs more is better made smaller.
const hitsMax = 5_000_000

// watcher follows the paths of runs.
type watcher struct {
	passed, others novelty.Log
	sites          map[uint32]bool
	path           []uint32
	spawned        int
	hot            uint32
	now            *T // the run under way
}

func (w *watcher) paths() int { return w.passed.Len() + w.others.Len() }

// begin starts to follow a run.
func (w *watcher) begin(t *T) {
	w.now = t
	hook.Reset(hitsMax)
}

// end takes what the run has shown. The path of one that started goroutines
// means nothing, as their hits may have overwritten each other.
func (w *watcher) end(v engine.Verdict) {
	if hook.Spawned != 0 {
		w.spawned++
		return
	}
	w.path = hook.Path(w.path[:0])
	log := &w.others
	if v == engine.Passed {
		log = &w.passed
	}
	if added, _ := log.Add(w.path); added > 0 {
		if w.sites == nil {
			w.sites = map[uint32]bool{}
		}
		for _, id := range w.path {
			if id < hook.Sites {
				w.sites[id] = true
			}
		}
	}
}

// cutRun ends a run that has spent its hits. Code that recovers cannot go on:
// its goroutine ends.
func (w *watcher) cutRun() {
	w.hot = hottest(hook.Path(nil))
	t := w.now
	t.runner().words.Lock()
	t.extra().cut = true
	t.runner().words.Unlock()
	t.state.Or(failed | exited)
	runtime.Goexit()
}

// hottest is the symbol that occurs most often in a path.
func hottest(path []uint32) (id uint32) {
	count := map[uint32]int{}
	for _, x := range path {
		if count[x]++; x < hook.Sites && count[x] > count[id] {
			id = x
		}
	}
	return id
}
