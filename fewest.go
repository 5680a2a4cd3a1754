package allele

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/search/cover"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Many kept cases are run once more, to see which few of them show all that they
// show together. The others are dropped from the corpus, or the few that pass
// become files, which plain go test begins with.

// rerun is a case on its way to being run once more.
type rerun struct {
	name    string // its ID, or its file
	term    term.Term
	file    bool
	misfit  bool // it does not fit the type any more
	verdict engine.Verdict
	shows   []uint64
}

// fewest runs what was kept and hands it on. What ends this process is not run in
// the next one, which is told its name: the last that was told before.
func (c *check) fewest(then func([]rerun)) {
	c.t.Helper()
	kept, err := corpus.Read(c.job.Corpus)
	if err != nil {
		c.t.Errorf("allele: what was kept cannot be read: %v", err)
		return
	}
	if !c.openSlot() {
		return
	}
	if c.watch == nil {
		c.follow()
	}
	var all []rerun
	for _, e := range kept.Entries {
		x, ok := c.parseKept(e.Input)
		all = append(all, rerun{name: e.ID(), term: x, misfit: !ok})
	}
	if c.job.Mode == job.Save {
		all = append(all, c.savedBefore()...)
	}
	all = slices.DeleteFunc(all, func(r rerun) bool { return slices.Contains(c.job.Skip, r.name) })
	for i := range all {
		if c.runner.slot.Stopped() || os.Getppid() != c.runner.parent && c.runner.parent != 0 {
			return // without a last word, so that nobody takes this for all
		}
		c.again(&all[i])
	}
	then(all)
}

// again runs a case under trace.
func (c *check) again(r *rerun) {
	if r.misfit {
		return
	}
	c.emit(event.Event{Kind: event.Progress, Property: c.name, Case: r.name})
	o := c.runner.alone(r.term, nil)
	r.verdict = o.verdict()
	r.shows = cover.Shows(c.watch.end(r.verdict))
}

// tellFewest says which cases are not needed. One that fails is a finding for the
// next search, so it stays. Of the rest passed ones come first: what a discarded
// one shows may lie before the assumption that stopped it.
func (c *check) tellFewest(all []rerun) {
	done := event.Event{Kind: event.Finished, Property: c.name, Runs: len(all)}
	var pool []cover.Case
	var of []rerun
	for _, r := range all {
		switch {
		case r.misfit:
			c.emit(event.Event{Kind: event.Dropped, Property: c.name, Case: r.name, Misfit: true})
		case r.verdict == engine.Failed:
			c.emit(event.Event{Kind: event.Found, Property: c.name, Case: r.name, Verdict: event.Failed})
		default:
			pool = append(pool, cover.Case{Shows: r.shows, Size: len(r.term), Rank: int(r.verdict)})
			of = append(of, r)
		}
	}
	needed := map[int]bool{}
	for _, i := range cover.Pick(pool, 0) {
		needed[i] = true
	}
	for i, r := range of {
		if !needed[i] {
			c.emit(event.Event{Kind: event.Dropped, Property: c.name, Case: r.name})
		}
	}
	c.emit(done)
}

const (
	// savedMax is how many cases are saved of a property. They are reviewed and kept
	// in a repository, and every go test runs them: fifty are read in a few
	// milliseconds, and greedy takes first what shows most.
	savedMax = 50
	// savedPrefix tells them from findings and from what people write.
	savedPrefix = "keep-"
)

// savedBefore loads what was saved earlier. It is as good as what was kept, and all
// there is if somebody has cleaned the cache.
func (c *check) savedBefore() (all []rerun) {
	c.t.Helper()
	files, _ := filepath.Glob(filepath.Join(globbed(at(c.place.dir)), savedPrefix+"*.case"))
	for _, file := range files {
		file = filepath.Join(c.place.dir, filepath.Base(file))
		if s, mine, err := c.load(file, func(test string) bool { return test == c.name }); err == nil && mine && !s.apart {
			all = append(all, rerun{name: file, term: s.term, file: true})
		}
	}
	return all
}

// globbed quotes a path for Glob.
func globbed(path string) string {
	return strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// saveFewest writes the fewest cases that pass, and removes what was saved before
// and is not one of them.
func (c *check) saveFewest(all []rerun) {
	c.t.Helper()
	plain := c.plainWorld()
	e := event.Event{Kind: event.Saved, Property: c.name, Case: c.place.dir}
	var pool []cover.Case
	var of []rerun
	for _, r := range all {
		switch {
		case r.misfit || r.verdict != engine.Passed:
		case !r.file && !c.readable(plain, r.term):
			e.Unreadable++
		default:
			pool = append(pool, cover.Case{Shows: r.shows, Size: len(r.term)})
			of = append(of, r)
		}
	}
	named := map[string]bool{}
	for _, i := range cover.Pick(pool, savedMax) {
		file, err := c.saveOne(of[i])
		if err != nil {
			e.Unkept = err.Error()
			c.emit(e)
			return // what was there before stays
		}
		named[file] = true
	}
	e.Passed = len(named)
	for _, r := range all {
		if r.file && !named[r.name] && r.verdict != engine.Failed && len(named) > 0 {
			c.place.remove(r.name)
			e.Removed++
		}
	}
	c.emit(e)
}

// saveOne writes a case that passes, unless it is there.
func (c *check) saveOne(r rerun) (file string, err error) {
	file = filepath.Join(c.place.dir, savedPrefix+c.mark(r.term)+".case")
	if r.file && file == r.name {
		return file, nil
	}
	h := codec.Header{Test: c.name, Verdict: string(event.Passed), Found: "allele test -save"}
	data := codec.Encode(h, c.caseText(r.term))
	if len(data) >= readMax {
		return "", fmt.Errorf("an input takes %s bytes as text, more than a case may have", number(len(data)))
	}
	return file, c.place.write(file, data)
}

// plainWorld is what the type allows without what was found in the source, as in
// plain go test. It is nil if there is no difference.
func (c *check) plainWorld() *schema.World {
	facts := len(known())
	if facts == 0 {
		return nil
	}
	w, err := schema.Derive(c.world.Root.Type, c.settings.decls[facts:])
	if err != nil {
		return nil // then go test says so
	}
	return w
}

// readable reports whether plain go test can read a case. It cannot if the case
// has a variant of an interface that only the source tells: to save it would turn
// a test that passes into one that fails.
func (c *check) readable(plain *schema.World, x term.Term) bool {
	if plain == nil {
		return true
	}
	k, err := codec.Decode(plain, "kept", []byte(c.caseText(x)), c.place.src)
	return err == nil && len(k.Losses) == 0
}
