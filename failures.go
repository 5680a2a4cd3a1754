package allele

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/filelock"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
)

// failures is what is known of the ways in which a property fails: a sign each.
//
// A campaign shows each of them once. The processes of one property share a file of
// lines to agree on who does:
//
//	claimed 4711 panic tree.(*Tree).Insert tree.go:31   // process 4711 looks into it
//	told panic tree.(*Tree).Insert tree.go:31           // and has shown it
//
// A claim holds while its process lives; one that died in between has left the
// failure to whoever meets it next. If the file cannot be read, locked or written,
// everybody shows what they find: twice is better than never.
type failures struct {
	going bool   // the search goes on after one
	file  string // empty if this process is alone

	known   map[string]bool // sign -> flaky
	others  map[string]int  // signs that others look into -> runs that failed so
	strange map[string]int  // signs in the search -> runs that had a known one when looked at
	shown   int             // different ones, here
	over    int             // runs that failed in a way that is known
	firm    bool            // one was not flaky
	blocks  []string        // what is shown at the end, if the search goes on
}

const (
	// distinctMax is how many failures one process deals with: nobody mends more of
	// them before the next campaign, and each takes as long as thousands of runs.
	distinctMax = 50
	// strangeMax is how often a sign is looked into that turns out to be another, known
	// one. There should be none: see T.Helper.
	strangeMax = 3
	// knownMax is how much is read of the file, which may hold anything.
	knownMax = 1 << 20
	// The lock of the file is held for a few lines. Who waits longer than this for it
	// does without.
	lockWait  = 2 * time.Second
	lockPause = 2 * time.Millisecond
)

func newFailures(j *job.Job) failures {
	return failures{going: j.Search.KeepGoing, file: j.Claims,
		known: map[string]bool{}, others: map[string]int{}, strange: map[string]int{}}
}

// passOver reports whether a run failed in a way that is known, and counts it then.
// It is asked for every run that fails, and must be cheap. What somebody else looks
// into is asked for again now and then: that process may have died of it.
func (k *failures) passOver(sign string) bool {
	flaky, known := k.known[sign]
	if k.others[sign] > 0 {
		k.others[sign]++
		known = k.others[sign]&(k.others[sign]-1) != 0
	}
	if !known && k.strange[sign] < strangeMax {
		return false
	}
	k.count(flaky)
	return true
}

// count takes a failing run that is not shown.
func (k *failures) count(flaky bool) {
	k.over++
	k.firm = k.firm || !flaky
}

// old reports whether a failure was shown by somebody.
func (k *failures) old(sign string) bool {
	lines, done := k.open()
	defer done()
	return lines.of(sign) == toldBefore
}

// claim reports whether a failure is for this process to show.
func (k *failures) claim(sign string) bool {
	if _, known := k.known[sign]; known {
		return false
	}
	lines, done := k.open()
	defer done()
	switch lines.of(sign) {
	case toldBefore:
		k.known[sign] = false
		return false
	case claimedElsewhere:
		k.others[sign] = max(1, k.others[sign])
		return false
	}
	delete(k.others, sign)
	lines.add(fmt.Sprintf("claimed %d %s", os.Getpid(), sign))
	return true
}

// show counts a failure that is shown.
func (k *failures) show(f finding) {
	k.known[f.sign] = f.flaky
	k.shown++
	k.firm = k.firm || !f.flaky
}

// tell says to other processes that a failure was shown. The command has heard of it
// by then: who dies before that has shown nothing.
func (k *failures) tell(sign string) {
	lines, done := k.open()
	defer done()
	lines.add("told " + sign)
}

// open takes the file, if there is one.
func (k *failures) open() (lines knownLines, done func()) {
	if k.file == "" {
		return knownLines{}, func() {}
	}
	f, err := os.OpenFile(k.file, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return knownLines{}, func() {}
	}
	for end := time.Now().Add(lockWait); ; time.Sleep(lockPause) {
		if held, able := filelock.Lock(f); held || !able || time.Now().After(end) {
			break
		}
	}
	data, err := io.ReadAll(io.LimitReader(f, knownMax))
	if err != nil || len(data) == knownMax {
		f.Close()
		return knownLines{}, func() {}
	}
	return knownLines{f, string(data)}, func() { f.Close() }
}

// knownLines is the file while it is held. The zero value is no file.
type knownLines struct {
	file *os.File
	text string
}

type standing int

const (
	unheard standing = iota
	toldBefore
	claimedElsewhere
)

// of is how far a failure is. Lines that say something else are passed over, and so
// is one without an end: who wrote it died.
func (l knownLines) of(sign string) (s standing) {
	for line := range strings.Lines(l.text) {
		words, whole := strings.CutSuffix(line, "\n")
		if whole && words == "told "+sign {
			return toldBefore
		}
		claim, _ := strings.CutPrefix(words, "claimed ")
		who, what, _ := strings.Cut(claim, " ")
		if pid, err := strconv.Atoi(who); whole && err == nil && what == sign && pid > 0 && pid != os.Getpid() && !filelock.Ended(pid) {
			s = claimedElsewhere
		}
	}
	return s
}

// add appends a line, in one write so that it is there or not.
func (l knownLines) add(line string) {
	if l.file == nil {
		return
	}
	if l.text != "" && !strings.HasSuffix(l.text, "\n") {
		line = "\n" + line
	}
	l.file.WriteString(line + "\n") // or it is shown twice
}

// goOn reports whether the search goes on after what was shown.
func (c *check) goOn() bool {
	k := &c.failures
	if k.shown >= distinctMax && k.going {
		c.block(fmt.Sprintf("allele: these are %d different failures, and the search ends here: mend some of them first", k.shown))
	}
	return k.going && k.shown < distinctMax
}

// report shows a finding, in the test and to the command: the property may have
// closed where tests print. If the search goes on the test hears of it at the end,
// because a property that fails the test itself is known by that.
func (c *check) report(f finding) {
	c.t.Helper()
	text := c.failure(f)
	c.block(text)
	c.failures.show(f)
	switch c.job.Mode {
	case job.Confirm, job.Multicore:
		return // they have an event of their own, and tell then
	case job.Search:
		c.emit(c.event(f, text))
	}
	c.failures.tell(f.sign)
}

// block shows a text, now or at the end.
func (c *check) block(text string) {
	c.t.Helper()
	if c.said != "" {
		c.said += "\n\n"
	}
	c.said += text
	if !c.failures.going {
		c.t.Error(text)
		return
	}
	c.failures.blocks = append(c.failures.blocks, text)
}

// flush shows what was kept for the end.
func (c *check) flush() {
	c.t.Helper()
	for _, text := range c.failures.blocks {
		c.t.Error(text)
	}
	c.failures.blocks = nil
	if n := c.failures.over; n > 0 {
		c.say("%s failed in ways that are known", count(n, "more run"))
	}
}

// event tells the command of a finding.
func (c *check) event(f finding, text string) event.Event {
	e := event.Event{Kind: event.Found, Property: c.name, Verdict: event.Failed, Sign: f.sign, Failures: c.failures.shown,
		Run: f.run, Case: f.stored(), Death: f.outcome.kind(), Input: c.inputText(f.term), Text: text, Traced: c.watch != nil}
	if f.flaky {
		e.Kind, e.Verdict = event.Flaky, event.Unstable
	}
	if c.watch != nil && f.flaky {
		e.Parted = c.watch.parted
	}
	if c.watch != nil && e.Death == proc.Cut {
		e.Hot = c.watch.hot
	}
	return e
}

// sum is the verdict on a property of which runs have failed.
func (k *failures) sum() (verdict event.Verdict, any bool) {
	if k.firm {
		return event.Failed, true
	}
	return event.Unstable, k.shown+k.over > 0
}
