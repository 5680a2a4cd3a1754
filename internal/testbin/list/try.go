//go:build go1.25

package list

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/launch"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/store/strays"
	"github.com/allele-go/allele/internal/testbin/cache"
	"github.com/allele-go/allele/internal/words"
)

// TryMax is how long the tests of a package may take that are run to find out whether they
// call Check.
const TryMax = 10 * time.Second

// tried is what is stored about a test binary.
type tried struct {
	Binary string   // identifies it, and the environment
	Call   []string // tests that call Check
	Not    []string // tests that do not, and skipped nothing
	Late   []string // tests that took too long, and called no Check until then
}

// ran is which tests of a package have run in list mode.
type ran struct {
	tests   []string // top-level tests that ran to their end
	skipped []string // tests and subtests that were skipped
	unsure  []string // tests that crashed or took too long when they were tried
}

// try lists the properties of tests of which only a run can tell whether they call Check. pick
// returns the tests that may have a property that matches.
func (p *Lister) try(t build.Test, pick func([]string) []string) (events []event.Event) {
	if !p.Suites || p.Judging {
		return nil
	}
	maybe, owners := slices.Clone(t.Maybe), strays.Owners(p.Folder(t.Path))
	for _, test := range owners {
		if !slices.Contains(t.Names, test) && !slices.Contains(maybe, test) {
			maybe = append(maybe, test)
		}
	}
	maybe = pick(maybe)
	if len(maybe) == 0 {
		return nil
	}
	known := p.readTried(t.Path)
	of := p.ranOf(t.Path)
	var call, open []string
	for _, test := range maybe {
		// A test with stored cases has called Check before, and one that the user names is meant to.
		sure := !slices.Contains(owners, test) && !p.asked(test)
		switch {
		case slices.Contains(known.Call, test):
			call = append(call, test)
		case sure && slices.Contains(known.Not, test):
			of.tests = append(of.tests, test)
		case sure && slices.Contains(known.Late, test):
			of.unsure = append(of.unsure, test)
		default:
			open = append(open, test)
		}
	}
	if len(call) > 0 {
		more, err := p.listTests(t.Path, call)
		if events = append(events, more...); err != nil {
			of.unsure = append(of.unsure, call...)
		}
	}
	if len(open) == 0 {
		return events
	}
	more := p.tryTests(t.Path, open, &known)
	p.writeTried(t.Path, known)
	return append(events, more...)
}

// asked reports whether the user has named a test, so that it may take its time.
func (p *Lister) asked(test string) bool { return p.Match != nil && p.Match.MatchString(test) }

// tryTests runs tests in list mode, together, and one by one if that fails.
func (p *Lister) tryTests(pkg string, tests []string, known *tried) (events []event.Event) {
	end := time.Now().Add(TryMax)
	together := TryMax / 2
	if slices.ContainsFunc(tests, p.asked) {
		end, together = time.Now().Add(AskMax), AskMax/2
	}
	if p.Tell != nil {
		p.Tell(fmt.Sprintf("ran %s of %s to find out which call allele.Check: %s",
			words.Count(len(tests), "test"), pkg, strings.Join(tests, ", ")))
	}
	events, ok := p.tryOnce(pkg, tests, together, known)
	for i := 0; !ok && i < len(tests); i++ {
		more, ended := []event.Event(nil), false
		if left := time.Until(end); left > 0 { // each has the same share of it
			more, ended = p.tryOnce(pkg, tests[i:i+1], left/time.Duration(len(tests)-i), known)
		}
		if events = append(events, more...); !ended {
			p.ranOf(pkg).unsure = append(p.ranOf(pkg).unsure, tests[i])
		}
	}
	return events
}

// tryOnce runs tests in one process. ok is false if the process crashed or took too long. A test
// that fails is an ordinary test, and go test reports it.
func (p *Lister) tryOnce(pkg string, tests []string, limit time.Duration, known *tried) (events []event.Event, ok bool) {
	d, events, err := p.ask(pkg, tests, limit)
	if err != nil || d.Kind != proc.Ended || !allTests.MatchString(d.Out) {
		if d.Kind == proc.Hang && len(tests) == 1 && len(events) == 0 {
			known.Late = with(known.Late, tests[0]) // a crash may have been an accident
		}
		return events, false
	}
	now := outcomes(d)
	for _, test := range tests {
		under := func(name string) bool { return topTest(name) == test }
		switch {
		case slices.ContainsFunc(events, func(e event.Event) bool { return under(testOf(e)) }):
			known.Call = with(known.Call, test)
		case slices.Contains(now.tests, test) && !slices.ContainsFunc(now.skipped, under):
			known.Not = with(known.Not, test)
		}
	}
	return events, true
}

// with returns a list that contains a text.
func with(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// ranOf returns what is known about the tests of a package.
func (p *Lister) ranOf(pkg string) *ran {
	if p.ran == nil {
		p.ran = map[string]*ran{}
	}
	if p.ran[pkg] == nil {
		p.ran[pkg] = &ran{}
	}
	return p.ran[pkg]
}

var (
	// outcome matches the line of package testing about a test that has ended.
	outcome = regexp.MustCompile(`--- (PASS|FAIL|SKIP): (\S+) \(\d`)
	// allTests matches the line after all tests have ended.
	allTests = regexp.MustCompile(`(?m)^(PASS|FAIL)\r?$`)
	// shortened matches a line of package proc.
	shortened = regexp.MustCompile(`(?m)^\.\.\. \d+ bytes left out \.\.\.$`)
)

// outcomes returns which tests have run, by what package testing printed. A text that is not complete
// shows nothing.
func outcomes(d proc.Death) (r ran) {
	if !allTests.MatchString(d.Out) || shortened.MatchString(d.Out) {
		return ran{}
	}
	for _, m := range outcome.FindAllStringSubmatch(d.Out, -1) {
		if m[1] == "SKIP" {
			r.skipped = append(r.skipped, m[2])
		}
		if topTest(m[2]) == m[2] {
			r.tests = append(r.tests, m[2])
		}
	}
	return r
}

// note records which tests have run.
func (r *ran) note(more ran) {
	r.tests, r.skipped = append(r.tests, more.tests...), append(r.skipped, more.skipped...)
}

// topTest returns the top-level test of a subtest.
func topTest(name string) string {
	top, _, _ := strings.Cut(name, "/")
	return top
}

// triedFile returns the file with what was found out about the test binary of a package.
func (p *Lister) triedFile(pkg string) string {
	return filepath.Join(p.Work, "tried", filepath.FromSlash(pkg)+".json")
}

// readTried reads what earlier commands found out about this test binary. The file is a cache: if
// anything is wrong with it, the tests are run again.
func (p *Lister) readTried(pkg string) tried {
	// A test may depend on variables, for example on whether there is a database.
	variables := os.Environ()
	slices.Sort(variables)
	around := sha256.Sum256([]byte(strings.Join(variables, "\n")))
	fresh := tried{Binary: fmt.Sprintf("%s %x", p.BuiltAs(pkg), around)}
	data, err := os.ReadFile(p.triedFile(pkg))
	var t tried
	if err != nil || json.Unmarshal(data, &t) != nil || t.Binary != fresh.Binary {
		return fresh
	}
	return t
}

func (p *Lister) writeTried(pkg string, t tried) {
	data, err := json.Marshal(t)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(p.triedFile(pkg)), 0o777)
	}
	if err == nil {
		_, err = cache.Replace(p.triedFile(pkg), string(data))
	}
	if err != nil {
		fmt.Fprintln(p.Stderr, "allele test: the same tests will be run again to list their properties:", err)
	}
}

// Unsure returns the tests of a package that were not listed to the end, because they crashed or took
// too long when they were tried. open is true if one of them has stored cases, and none of the
// properties belongs to it.
func (p *Lister) Unsure(pkg string, properties []launch.Property) (tests []string, open bool) {
	tests = p.ranOf(pkg).unsure
	if len(tests) == 0 {
		return nil, false
	}
	for _, owner := range strays.Owners(p.Folder(pkg)) {
		found := slices.ContainsFunc(namesOf(properties, pkg), func(name string) bool { return topTest(name) == owner })
		open = open || !found && slices.Contains(tests, owner)
	}
	return tests, open
}
