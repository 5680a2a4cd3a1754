//go:build go1.25

package score

import (
	"fmt"
	"sync"
	"time"

	"github.com/allele-go/allele/internal/words"
)

// Pace is what the command does, how fast faults are judged, and so how long it will take. Several goroutines may use it.
//
//	p.Doing("builds the tests")    // before there are packages
//	p.Begin([]int{40, 2425})       // so many faults are in each package
//	p.Set(i, progress, now)
//	p.Text(now)                    // 312 of 2,465 faults judged · 240 killed · about 8m left (pace of the last 290 faults)
type Pace struct {
	mu       sync.Mutex
	doing    string
	packages []Progress
	since    time.Time // when the first fault was judged in this run
	before   int       // faults judged then, by earlier runs
}

const (
	// paceMin is how many faults must be judged, and paceWait how long that must take, before their pace says something
	// about the others.
	paceMin  = 10
	paceWait = 2 * time.Second
)

// Doing says what is done before faults are judged.
func (p *Pace) Doing(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.doing = what
}

// Begin begins with the faults of some packages.
func (p *Pace) Begin(faults []int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.packages = make([]Progress, len(faults))
	for i, n := range faults {
		p.packages[i].Total = n
	}
}

// Set replaces what is known about a package.
func (p *Pace) Set(i int, at Progress, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if tested := p.packages[i].Test != "" && at.Test == ""; tested && p.since.IsZero() {
		p.since, p.before = now, p.sum().Judged
	}
	p.packages[i] = at
}

// sum adds up the packages.
func (p *Pace) sum() (s Progress) {
	for _, at := range p.packages {
		s.Total += at.Total
		s.Judged += at.Judged
		s.Killed += at.Killed
		if at.Test != "" {
			s.Member, s.Test, s.Tested, s.Tests = at.Member, at.Test, at.Tested, at.Tests
		}
	}
	return s
}

// Left returns how long it will take to judge the rest, if that can be said, and how many faults say it.
func (p *Pace) Left(now time.Time) (left time.Duration, by int, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	sum := p.sum()
	by = sum.Judged - p.before
	took := now.Sub(p.since)
	if p.since.IsZero() || by < paceMin || took < paceWait {
		return 0, by, false
	}
	return time.Duration(float64(took) / float64(by) * float64(sum.Total-sum.Judged)), by, true
}

// Text says in a line what is done and how long it will take.
func (p *Pace) Text(now time.Time) string {
	left, by, ok := p.Left(now)
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.sum()
	text := ""
	if s.Judged > 0 || !p.since.IsZero() {
		text = fmt.Sprintf("%s of %s judged · %s killed", words.Group(s.Judged), words.Count(s.Total, "fault"), words.Group(s.Killed))
	}
	switch {
	case ok && left > 0:
		text += fmt.Sprintf(" · about %s left at the pace of these %s", span(left), words.Count(by, "fault"))
	case s.Test != "":
		if text != "" {
			text += " · "
		}
		text += "runs the tests without a fault: " + s.nth()
	case text == "":
		text = p.doing
	}
	return text
}

// nth says which test runs.
func (p Progress) nth() string {
	if p.Tests == 0 {
		return fmt.Sprintf("input %s", words.Group(p.Tested+1))
	}
	return fmt.Sprintf("test %s of %s, %s", words.Group(min(p.Tested+1, p.Tests)), words.Group(p.Tests), words.Printable(p.Test))
}

// Progress is how far a package has been judged.
type Progress struct {
	Total  int
	Judged int // faults that need no further member
	Killed int
	Member string // the name of the member that is asked

	// Test runs without a fault now, and is "" when faults are judged. Tested tests have done so, of Tests; that is 0 if
	// it is not known.
	Test          string
	Tested, Tests int
}

// State says in a few words what is done with a package.
func (p Progress) State() string {
	switch {
	case p.Test == "":
		return p.Member
	case p.Tests == 0:
		return "no fault: input " + words.Group(p.Tested+1)
	}
	return fmt.Sprintf("no fault: test %s of %s", words.Group(min(p.Tested+1, p.Tests)), words.Group(p.Tests))
}

// span writes a time without more digits than an estimate has.
func span(d time.Duration) string {
	switch {
	case d >= 2*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()+0.5))
	case d >= 2*time.Minute:
		return fmt.Sprintf("%d min", int(d.Minutes()+0.5))
	}
	return fmt.Sprintf("%d s", max(1, int(d.Seconds()+0.5)))
}
