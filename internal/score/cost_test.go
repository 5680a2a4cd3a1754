//go:build go1.25

package score

import (
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/site"
)

// After a slow run, the tests that took most are named, with what leaving them out would save and lose.
func TestSlowTests(t *testing.T) {
	m := &Member{Kind: Tests, Name: "example.com/a"}
	m.Ask = func(faults []site.Fault, to Answer) error {
		for _, f := range faults {
			v := fate.Verdict{Fault: f.ID, Kind: fate.Killed, By: fate.ByTest, Test: "TestQuick"}
			if f.ID == 2 {
				v.Test = "TestSlow"
			}
			to.Verdict(v)
		}
		to.Spent("TestQuick", time.Second)
		to.Spent("TestSlow", 80*time.Second)
		to.Spent("TestUseless", 30*time.Second)
		return nil
	}
	p := Package{Path: "example.com/a", Faults: faults(4), Members: []*Member{m}}
	p.Judge(Run{})
	r := Report{Packages: []Package{p}}
	if got := Text(r, Style{}); strings.Contains(got, "slow") {
		t.Errorf("a fast run:\n%s", got)
	}
	r.Slow = true
	want := "slow tests  TestSlow took 80 s of 111 s of CPU time, and killed 1 fault that no\n" +
		"            cheaper test kills; without it: -skip '^TestSlow$'\n" +
		"            TestUseless took 30 s of 111 s of CPU time, and killed 0 faults that\n" +
		"            no cheaper test kills; without it: -skip '^TestUseless$'\n"
	if got := Text(r, Style{}); !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
