//go:build go1.25

package worker

import (
	"encoding/json"
	"errors"
	"hash/maphash"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/allele-go/allele/internal/check/plain"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc/child"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// The process of mode Encode has faults in its encoder. It encodes values with each fault that
// can matter, and answers with the bytes. Because the search is another process, a fault can
// reach nothing but bytes: not the library, not the decoder, not even the next question, since
// the process reports when the encoder without faults has begun to make other bytes.

// encodeQuestion asks to encode a value with some of its faults. The faults of a value are
// those that change a value in a run of the encoder; From and Count are indices of their list.
type encodeQuestion struct {
	Term        []byte `json:"term"`
	From, Count int
	Only        *made  // this fault alone
	Skip        []made // faults that have blocked or ended a process before
	Choice      job.Encoder
}

// encodeAnswer has the bytes that no earlier answer of the process has.
type encodeAnswer struct {
	Made    []made `json:"made"`
	Faults  int    `json:"faults"`  // how many the value has
	Reached int    `json:"reached"` // faults whose places the encoder reaches
	Sliced  int    `json:"sliced"`  // how many of those that were tried are in the slice
	Steps   int64  `json:"steps"`
	Runs    int    `json:"runs"`
	Panics  int    `json:"panics"`
	Refused int    `json:"refused"` // the encoder returned an error
	Spent   int    `json:"spent"`   // runs that took too many steps or too much memory
	Same    int    `json:"same"`    // runs that made known bytes
	By      []int  `json:"by"`      // runs with faults that are always on, by the number of the operator
	Done    int    `json:"done"`    // how many of the faults were tried
	Stuck   *made  `json:"stuck"`   // the last one of them has blocked, and the process ends
	Spoilt  bool   `json:"spoilt"`  // a fault has changed the state of the encoder; ask another process
	Failed  bool   `json:"failed"`  // the value cannot be encoded
}

// made is what an encoder with a fault has made. The fault is on in the Kth evaluation of its
// place, or always if K is 0.
type made struct {
	Package       string
	Site, Variant int
	K             int
	Number        int // number of the operator in the MutaGen paper, or 0
	Bytes         []byte
}

// encoding is the child's end: the value that is encoded now, and its faults.
type encoding struct {
	world   *schema.World
	builder *schema.Builder
	seed    maphash.Seed
	seen    map[uint64]bool
	caught  atomic.Bool

	timer
	slicer
	skip    []made
	of      string // the term
	faults  []made // without bytes
	reached int
	honest  []byte
	varies  bool // two runs without a fault make different bytes, for example because of the order of a map
	steps   int64
}

// timer is what the goroutine knows that looks for blocked runs.
type timer struct {
	mu    sync.Mutex
	now   *encodeAnswer // the answer that is being made
	fault *made         // the fault that is on
	began time.Time     // when its run began
	usual time.Duration // of a run without a fault
}

const (
	// A fault that makes other bytes is also switched on for single evaluations of its place.
	encodeTurns = 1 << 10
	encodeSpent = "allele: the encoder takes too many steps"
	encodeLarge = "allele: the encoder makes a slice that is too large"
	// A run with a fault may take this long, and encodeShare times as long as one without. The steps
	// of a run are limited too, so this is for an encoder that waits for ever.
	encodeStuck = time.Second
	encodeShare = 50
	// An encoder that makes other bytes than before may vary by itself, for example with the order of a map. If so, the
	// old bytes come again soon.
	variesTries = 8
	// encodeMax is the most bytes that an encoder may make.
	encodeMax = 1 << 20
	// numberMax is the largest number of an operator of the MutaGen paper.
	numberMax = 17
)

// serveEncoder answers questions until the parent stops asking.
func serveEncoder(p *property.Property) {
	p.TB.Helper()
	plain.Confine(p)
	var trouble error
	switch {
	case p.World.Encoder() == nil:
		trouble = errors.New("the property has no encoder")
	case len(hook.Gates) == 0:
		trouble = errors.New("no package of the encoder was built with faults")
	}
	e := &encoding{world: p.World, builder: schema.NewBuilder(p.World), seed: maphash.MakeSeed(), seen: map[uint64]bool{}}
	e.list = p.Job.Program.Faults
	defer runtime.KeepAlive(make([]byte, heapFloor))
	hook.Spent = func() { panic(encodeSpent) }
	hook.TooBig = func(int) { panic(encodeLarge) }
	hook.Caught = func(any) { e.caught.Store(true) }
	s, err := child.Greet(p.Job.Wires, operand.Shape(p.World), trouble)
	if err != nil {
		p.TB.Errorf("allele: cannot connect to the process that asks for encoded values: %v", err)
		return
	}
	go e.watch(func(a []byte) {
		s.Answer(a)
		os.Exit(0)
	})
	var running atomic.Bool
	for question := range questions(s, &running) {
		running.Store(true)
		var q encodeQuestion
		var t term.Term
		err := json.Unmarshal(question, &q)
		if err == nil {
			t, err = operand.ParseTerm(p.World, q.Term)
		}
		if err != nil {
			return
		}
		answer, err := json.Marshal(e.answer(t, q))
		running.Store(false)
		if err != nil || s.Answer(answer) != nil {
			return
		}
	}
}

func (e *encoding) answer(t term.Term, q encodeQuestion) (a encodeAnswer) {
	e.begin(&a, q.Skip)
	defer e.begin(nil, nil)
	if e.of != string(q.Term) || e.choice != q.Choice {
		e.choose(q.Choice)
		if !e.record(t, string(q.Term)) {
			a.Failed = true
			return a
		}
		e.shuffle(t)
		e.slice()
	}
	a.Faults, a.Reached = len(e.faults), e.reached
	if q.Only != nil {
		e.only(t, *q.Only, &a)
		return a
	}
	from := max(0, min(q.From, len(e.faults)))
	for _, f := range e.faults[from:min(len(e.faults), from+max(0, q.Count))] {
		a.Done++
		if slices.ContainsFunc(e.skip, f.sameFault) {
			continue
		}
		odd := a.Panics + a.Refused + a.Spent
		e.with(t, f, &a)
		// A panic may leave something half done, and then all further runs are about that.
		if a.Panics+a.Refused+a.Spent > odd && e.spoilt(t, &a) {
			a.Spoilt = true
			return a
		}
	}
	a.Spoilt = e.spoilt(t, &a)
	return a
}

// spoilt reports whether the encoder without faults has begun to do something else.
func (e *encoding) spoilt(t term.Term, a *encodeAnswer) bool {
	for range variesTries {
		again, how := e.run(t, e.budget(), nil)
		a.Steps += hook.Hits()
		if how != ran {
			return true
		}
		if e.varies || string(again) == string(e.honest) {
			return false
		}
	}
	return true
}

// only encodes a value with one fault.
func (e *encoding) only(t term.Term, f made, a *encodeAnswer) {
	b, how := e.run(t, e.budget(), &f)
	if how == ran && len(b) <= encodeMax {
		f.Bytes = b
		a.Made = []made{f}
	}
}

// record encodes a value without a fault, and finds out which faults can matter.
func (e *encoding) record(t term.Term, key string) bool {
	e.of, e.faults, e.reached = key, nil, 0
	honest, ok := e.run(t, 1<<40, nil)
	if ok != ran {
		e.of = ""
		return false
	}
	e.honest = honest
	began := time.Now()
	again, _ := e.run(t, 1<<40, nil)
	e.steps = hook.Hits() // the first run may have filled caches
	e.varies = string(again) != string(honest)
	e.mu.Lock()
	e.usual = time.Since(began)
	e.mu.Unlock()
	e.new(honest)
	hook.RecordFaults(true)
	e.run(t, 1<<40, nil)
	hook.RecordFaults(false)
	for _, g := range hook.Gates {
		for site := range g.Site {
			if g.Hit[site] == 0 {
				continue
			}
			for v := 0; v < 8; v++ {
				f := made{Package: g.Path, Site: site, Variant: v}
				f.Number = e.numbers[place{g.Path, site}][v]
				if g.All[site]&^hook.GateSure>>v&1 == 0 || e.choice.Paper && f.Number == 0 {
					continue
				}
				if e.reached++; g.Diff[site]>>v&1 != 0 {
					e.faults = append(e.faults, f)
				}
			}
		}
	}
	return true
}

// shuffle puts the faults in another order than that of the packages, so that a few questions
// show what kinds of faults there are.
func (e *encoding) shuffle(t term.Term) {
	r := rng.New(term.Hash(t))
	for i := len(e.faults) - 1; i > 0; i-- {
		j := r.Below(i + 1)
		e.faults[i], e.faults[j] = e.faults[j], e.faults[i]
	}
}

func (e *encoding) budget() int64 { return budgetOf(e.steps) }

// with encodes a value with a fault: always on and, if that makes other bytes, in single
// evaluations of its place.
func (e *encoding) with(t term.Term, f made, a *encodeAnswer) {
	if e.choice.Slice == sliceFilter && !e.flows(t, f, a) {
		return
	}
	differs := e.try(t, f, a)
	if e.inSlice(f) {
		a.Sliced++
	}
	if !differs || e.choice.Always {
		return
	}
	for k := 1; k <= encodeTurns; k += 1 + k/4 {
		f.K = k
		e.try(t, f, a)
		if hook.FaultsLeft() > 0 {
			return // the place is not evaluated so often
		}
	}
}

// try encodes a value with a fault. It reports whether the fault makes a difference.
func (e *encoding) try(t term.Term, f made, a *encodeAnswer) (differs bool) {
	b, how := e.run(t, e.budget(), &f)
	e.mu.Lock()
	defer e.mu.Unlock()
	a.Runs++
	if f.K == 0 {
		a.By = countAt(a.By, f.Number, 1)
	}
	a.Steps += hook.Hits()
	e.learn(f, b, how)
	switch {
	case how == panicked:
		a.Panics++
	case how == spent || how == ran && len(b) > encodeMax:
		a.Spent++
	case how == refused:
		a.Refused++
	case string(b) == string(e.honest):
		a.Same++
		return false
	case !e.new(b):
		a.Same++
	default:
		f.Bytes = b
		a.Made = append(a.Made, f)
	}
	return true
}

// countAt adds to a count, and makes the list of counts longer if it has none there. Other numbers come from no honest process.
func countAt(counts []int, at, n int) []int {
	if at < 0 || at > numberMax {
		return counts
	}
	for len(counts) <= at {
		counts = append(counts, 0)
	}
	counts[at] += n
	return counts
}

// new reports whether no earlier run made these bytes.
func (e *encoding) new(b []byte) bool {
	h := maphash.Bytes(e.seed, b)
	old := e.seen[h]
	e.seen[h] = true
	return !old
}

// ending is how a run of the encoder ended.
type ending uint8

const (
	ran ending = iota
	refused
	panicked
	spent
)

// run encodes a value. If f is not nil, its fault is on, and it is switched off before
// anything else happens.
func (e *encoding) run(t term.Term, budget int64, f *made) (b []byte, how ending) {
	how = panicked
	e.caught.Store(false)
	hook.Reset(budget)
	if f != nil {
		defer e.on(f)()
		e.timed(f)
		defer e.timed(nil)
	}
	defer func() {
		switch r := recover(); {
		case r == encodeSpent || r == encodeLarge:
			how = spent
		case r != nil || e.caught.Load():
			how = panicked
		}
	}()
	if !e.builder.Build(t, unsafe.Pointer(&b)) {
		return nil, refused
	}
	return b, ran
}

// begin records which answer is being made; nil means none.
func (e *encoding) begin(a *encodeAnswer, skip []made) {
	e.mu.Lock()
	e.now, e.skip = a, skip
	e.mu.Unlock()
}

// timed records which fault is on, and since when.
func (e *encoding) timed(f *made) {
	e.mu.Lock()
	e.fault, e.began = f, time.Now()
	e.mu.Unlock()
}

// watch answers in place of an encoder that a fault has blocked.
func (e *encoding) watch(last func(answer []byte)) {
	for range time.Tick(encodeStuck / 5) {
		e.mu.Lock()
		if e.now != nil && e.fault != nil && time.Since(e.began) > encodeStuck+encodeShare*e.usual {
			a := *e.now
			a.Stuck, a.Spoilt = e.fault, true
			if text, err := json.Marshal(a); err == nil {
				last(text)
			}
		}
		e.mu.Unlock()
	}
}

// sameFault reports whether two runs have the same fault, whenever it is on.
func (m made) sameFault(o made) bool {
	return m.Package == o.Package && m.Site == o.Site && m.Variant == o.Variant
}

// on switches a fault on, and returns the function that switches it off.
func (e *encoding) on(f *made) (off func()) {
	for _, g := range hook.Gates {
		if g.Path != f.Package {
			continue
		}
		if f.K > 0 {
			g.SwitchOnce(f.Site, f.Variant, f.K)
		} else {
			g.SwitchFault(f.Site, f.Variant, true)
		}
		return func() { g.SwitchFault(f.Site, f.Variant, false) }
	}
	return func() {}
}
