//go:build go1.25

package score

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/site"
)

// Report is the result for all packages.
type Report struct {
	Packages    []Package
	Declined    map[string]int // reason -> number of places that could not be made faulty
	Set         string         // the set of operators
	Since       string         // the revision, if only faults on changed lines were judged
	Stale       []string       // directives that accept no fault any more, with their places
	Interrupted bool
	Slow        bool    // it took long, so the tests that cost most are named
	Sample      *Sample // if only some of all faults were drawn
}

// Sample says that only some faults count: those that were drawn, of how many.
type Sample struct {
	Drawn int           `json:"drawn"`
	Of    int           `json:"of"`
	For   time.Duration `json:"forNanos,omitempty"` // the time that ended before more faults were judged, or 0
	Low   *Percent      `json:"low"`                // the 95 % interval of the score of all faults; nil if there is no score
	High  *Percent      `json:"high"`
}

// Package is the faults of a package and the suite that judges them.
type Package struct {
	Path    string
	Faults  []site.Fault
	Members []*Member
	Err     error          // why the package could not be judged
	Keys    map[int]string // ID of a fault -> its key; Judge makes those of Faults if there are none

	// Accepted are faults that the user has accepted. They are not among Faults.
	Accepted []Accepted

	Results []Result // what became of each of Faults; Judge sets it
	Cached  bool     // all verdicts were in the cache; Judge sets it
}

// Accepted is a fault that the user has accepted, with a directive in the source.
type Accepted struct {
	Fault  site.Fault
	Reason string
}

func (p *Package) key(f site.Fault) string { return p.Keys[f.ID] }

// Kind is what a member of a suite is.
type Kind string

// The kinds of members.
const (
	Property Kind = "property" // a property, with its corpus and stored cases
	Tests    Kind = "tests"    // the ordinary tests and examples of a package
)

// Member is a part of a suite that judges faults.
type Member struct {
	Kind Kind
	Name string // of the property; of ordinary tests the import path of their package
	// Key is a hash of everything that the verdicts depend on. Verdicts of a member without
	// a key are not cached.
	Key string
	// Ledger identifies the member across edits: with "" its verdicts hold for one program only.
	Ledger string
	// Searched says that a search has run the property. If it has saved no inputs, there are
	// so few that it ran all of them.
	Searched bool
	// Ask judges faults. An error means that faults without a verdict cannot be judged, and
	// ErrStopped that they were not judged because the user has interrupted the command.
	Ask func(faults []site.Fault, to Answer) error

	mu       sync.Mutex
	verdicts map[int]fate.Verdict // ID of a fault -> verdict of this member
	left     map[string]string    // tests that are left out, with the reason
	empty    bool                 // there are no tests or inputs
	spent    map[string]time.Duration
	reused   Reused
}

// Reused says how many verdicts of an earlier program were used again, and why others were not.
type Reused struct {
	Verdicts int            `json:"verdicts"`
	Again    map[string]int `json:"again,omitempty"` // reason -> number of faults that were judged again
}

// Answer receives what a member finds out. Several goroutines may call its functions.
type Answer struct {
	Verdict func(fate.Verdict)     // a fault is judged
	Left    func(test, why string) // a test does not take part
	Empty   func()                 // there are no tests or inputs
	Seen    func(Progress)         // how far the member is; its verdicts may not be final
	Spent   func(test string, cpu time.Duration)

	// Base is a file for what the member does without faults, or "". The next run uses it if this one is interrupted.
	// Faults are those that it is about: the same in both runs.
	Base   string
	Faults []site.Fault

	// Ledger is a file with verdicts that an edit may leave as they are, or "". If Fresh is true, it is only written.
	Ledger string
	Fresh  bool
	Reused func(Reused)
}

// Result is what became of a fault in the whole suite.
type Result struct {
	fate.Verdict
	Member int    // index of the member that decided it, or -1
	Others int    // number of other members with the same verdict, if it is not a kill
	Unsure string // the first member that has no verdict, and why, if others have one
	Open   bool   // not judged yet, because the user has interrupted the command
}

// Reached reports whether the place of the fault was evaluated, as far as is known.
func (r Result) Reached() bool {
	return r.Kind == fate.Killed || r.Kind == fate.Survived || r.Kind == fate.NotInfected
}

// Alive reports whether the suite is too weak for the fault.
func (r Result) Alive() bool {
	return r.Kind == fate.Survived || r.Kind == fate.NotInfected || r.Kind == fate.NotReached
}

// ranks orders verdicts by what they tell. A member that does not reach a place says nothing
// about another member that has no verdict, so only all members together can say that a place
// is not reached.
var ranks = map[string]int{fate.NotReached: 1, fate.NoVerdict: 2, fate.NotInfected: 3, fate.Survived: 4, fate.Killed: 6}

func rank(v fate.Verdict) int {
	if v.Kind == fate.Killed && v.By == fate.ByBudget {
		return ranks[fate.Killed] - 1
	}
	return ranks[v.Kind]
}

// decided reports whether no other member needs to be asked about a fault.
func decided(v fate.Verdict) bool { return rank(v) == ranks[fate.Killed] }

// order sorts the members: first properties, whose inputs run fast, and then tests. The
// result depends on this order alone, and not on the order in which members were listed.
func order(members []*Member) []*Member {
	return slices.SortedStableFunc(slices.Values(members), func(a, b *Member) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
}

// merge combines the verdicts of all members about a fault.
func (p *Package) merge(id int) Result {
	best := Result{Verdict: fate.Verdict{Fault: id, Kind: fate.NotReached, Detail: "there are no tests"}, Member: -1}
	for _, m := range order(p.Members) {
		v, ok := m.verdict(id)
		if !ok {
			best.Open = true
			continue
		}
		if v.Kind == fate.NoVerdict && best.Unsure == "" {
			best.Unsure = m.Name + ": " + cmp.Or(v.Detail, "no reason given")
		}
		switch {
		case best.Member < 0 || rank(v) > rank(best.Verdict):
			best = Result{Verdict: v, Member: slices.Index(p.Members, m), Unsure: best.Unsure, Open: best.Open}
		case rank(v) == rank(best.Verdict):
			best.Others++
		}
		if decided(v) {
			break
		}
	}
	return best.settled()
}

// settled removes what does not matter for the verdict.
func (r Result) settled() Result {
	if r.Kind == fate.Killed {
		r.Others, r.Unsure, r.Open = 0, "", false
	}
	if r.Open {
		return Result{Verdict: fate.Verdict{Fault: r.Fault, Kind: fate.NoVerdict, Detail: NotJudged}, Member: -1, Open: true}
	}
	if r.Kind == fate.NoVerdict {
		r.Unsure = ""
	}
	return r
}

// NotJudged is the reason why a fault has no verdict if the user has interrupted the command.
const NotJudged = "not judged yet"

func (m *Member) verdict(id int) (fate.Verdict, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.verdicts[id]
	return v, ok
}
