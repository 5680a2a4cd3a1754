//go:build go1.25

package score

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/site"
)

// verdictOf reads a verdict such as "killed/budget" or "survived".
func verdictOf(id int, text string) fate.Verdict {
	kind, by, _ := strings.Cut(text, "/")
	v := fate.Verdict{Fault: id, Kind: strings.ReplaceAll(kind, "-", " "), By: by}
	if v.Kind == fate.NoVerdict {
		v.Detail = "timeout"
	}
	return v
}

// member returns a member with verdicts about the faults 0, 1, ... The name "tests" is that of
// ordinary tests. "?" is a fault that the member does not answer about.
func member(name string, verdicts ...string) *Member {
	m := &Member{Kind: Property, Name: name}
	if name == "tests" {
		m.Kind = Tests
	}
	m.Ask = func(faults []site.Fault, to Answer) error {
		slices.SortFunc(faults, comparePlaces) // they come in the order of samples
		for _, f := range faults {
			if verdicts[f.ID] != "?" {
				to.Verdict(verdictOf(f.ID, verdicts[f.ID]))
			}
		}
		return nil
	}
	return m
}

func faults(n int) (all []site.Fault) {
	for i := range n {
		all = append(all, site.Fault{ID: i, Site: i, File: "/m/a.go", Line: i + 1, Col: 1, From: "x", To: "y"})
	}
	return all
}

func show(p *Package, r Result) string {
	text := strings.Replace(r.Verdict.String(), " by ", "/", 1)
	if r.Member >= 0 {
		text += " by " + p.Members[r.Member].Name
	}
	if r.Others > 0 {
		text += fmt.Sprintf(" +%d", r.Others)
	}
	if r.Unsure != "" {
		text += " unsure " + r.Unsure
	}
	return text
}

func TestMerge(t *testing.T) {
	for _, c := range []struct{ what, suite, want string }{
		{"no tests", "", "not reached (there are no tests)"},
		{"one kill is enough", "A=survived tests=killed/test", "killed/test by tests"},
		{"the first kill counts", "A=killed/difference tests=killed/test", "killed/difference by A"},
		{"properties are asked first", "tests=killed/test Z=killed/property", "killed/property by Z"},
		{"another kill replaces one by budget", "A=killed/budget tests=killed/test", "killed/test by tests"},
		{"a kill by budget is a kill", "A=killed/budget B=survived", "killed/budget by A"},
		{"survived says more than not infected", "A=not-infected B=survived", "survived by B"},
		{"not infected says more than not reached", "A=not-reached B=not-infected", "not infected by B"},
		{"others with the same verdict", "A=survived B=survived C=not-reached", "survived by A +1"},
		{"nobody reaches it", "A=not-reached tests=not-reached", "not reached by A +1"},
		{"no verdict is left out", "A=no-verdict B=survived", "survived by B unsure A: timeout"},
		{"no verdict does not matter for a kill", "A=no-verdict B=killed/panic", "killed/panic by B"},
		{"a member without verdict may reach it", "A=not-reached B=no-verdict", "no verdict (timeout) by B"},
		{"no verdict at all", "A=no-verdict B=no-verdict", "no verdict (timeout) by A +1"},
		{"no answer", "A=? B=not-reached", "no verdict (the tests ended without a verdict) by A"},
	} {
		p := &Package{Faults: faults(1)}
		for word := range strings.FieldsSeq(c.suite) {
			name, verdict, _ := strings.Cut(word, "=")
			p.Members = append(p.Members, member(name, verdict))
		}
		p.Judge(Run{})
		if got := show(p, p.Results[0]); got != c.want {
			t.Errorf("%s: %s: %s, want %s", c.what, c.suite, got, c.want)
		}
	}
}

// all merges complete tables: the slow twin of Judge, which does not ask about what is
// decided.
func all(members []*Member, verdicts map[string][]string, id int) string {
	best, name := fate.Verdict{}, ""
	for _, m := range members {
		if v := verdictOf(id, verdicts[m.Name][id]); rank(v) > rank(best) {
			best, name = v, m.Name
		}
	}
	return best.String() + " " + name
}

// The result depends neither on the order of the members nor on what was asked.
func TestOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	words := []string{"killed/property", "killed/difference", "killed/panic", "killed/budget", "killed/test",
		"survived", "not-infected", "not-reached", "no-verdict"}
	const n = 30
	for range 200 {
		names := []string{"A", "B", "C", "tests"}
		verdicts := map[string][]string{}
		for _, name := range names {
			for range n {
				verdicts[name] = append(verdicts[name], words[rnd.IntN(len(words))])
			}
		}
		var first []Result
		for range 3 {
			rnd.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
			p := &Package{Faults: faults(n)}
			for _, name := range names {
				p.Members = append(p.Members, member(name, verdicts[name]...))
			}
			p.Judge(Run{})
			for i, r := range p.Results {
				want := all(p.Members, verdicts, i)
				if got := r.Verdict.String() + " " + p.Members[r.Member].Name; got != want {
					t.Fatalf("fault %d: %s, want %s", i, got, want)
				}
			}
			if first != nil && !slices.Equal(first, p.Results) {
				t.Fatalf("%v: another order, another result", names)
			}
			first = p.Results
		}
	}
}

// A member is asked only about faults that no other has killed.
func TestAsksOnlyWhatIsLeft(t *testing.T) {
	var asked []string
	watch := func(m *Member) *Member {
		ask := m.Ask
		m.Ask = func(faults []site.Fault, to Answer) error {
			text := m.Name
			slices.SortFunc(faults, comparePlaces) // which are asked about in the order of samples
			for _, f := range faults {
				text += fmt.Sprint(" ", f.ID)
			}
			asked = append(asked, text)
			return ask(faults, to)
		}
		return m
	}
	p := &Package{Faults: faults(4), Members: []*Member{
		watch(member("tests", "", "", "killed/test", "survived")),
		watch(member("A", "killed/property", "survived", "killed/budget", "not-reached")),
		watch(member("B", "", "killed/panic", "survived", "not-reached")),
	}}
	p.Judge(Run{})
	if got, want := strings.Join(asked, "; "), "A 0 1 2 3; B 1 2 3; tests 2 3"; got != want {
		t.Errorf("asked %s, want %s", got, want)
	}
}

func TestProgress(t *testing.T) {
	var got []string
	p := &Package{Faults: faults(3), Members: []*Member{
		member("A", "killed/property", "killed/budget", "survived"),
		member("tests", "", "killed/test", "not-reached"),
	}}
	p.Judge(Run{Show: func(p Progress) { got = append(got, fmt.Sprintf("%s %d/%d %d", p.Member, p.Judged, p.Total, p.Killed)) }})
	want := "A 0/3 0, A 1/3 1, A 1/3 2, A 1/3 2, tests 1/3 2, tests 2/3 2, tests 3/3 2"
	if got := strings.Join(got, ", "); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// After an interrupt there is no score: faults that were killed are decided first.
func TestInterrupt(t *testing.T) {
	stopped := false
	a := member("A", "killed/property", "survived", "survived")
	ask := a.Ask
	a.Ask = func(faults []site.Fault, to Answer) error {
		slices.SortFunc(faults, comparePlaces)
		ask(faults[:2], to)
		stopped = true
		return ErrStopped
	}
	b := member("tests", "", "", "")
	b.Ask = func([]site.Fault, Answer) error { panic("asked after an interrupt") }
	p := &Package{Faults: faults(3), Members: []*Member{a, b}}
	p.Judge(Run{Stopped: func() bool { return stopped }})
	s := p.Summary()
	if s.Killed != 1 || s.Why[NotJudged] != 2 || s.Score != nil || p.Cached {
		t.Errorf("%+v", s)
	}
}

// A test binary may write verdicts about anything.
func TestStrangeVerdicts(t *testing.T) {
	p := &Package{Faults: faults(2), Members: []*Member{{Kind: Property, Name: "A",
		Ask: func(_ []site.Fault, to Answer) error {
			for _, v := range []fate.Verdict{
				{Fault: 7, Kind: fate.Killed, By: fate.ByTest}, {Fault: -1, Kind: fate.Survived},
				{Fault: 0, Kind: "dead"}, {Fault: 0, Kind: fate.Killed}, {Fault: 0, Kind: fate.Killed, By: "magic"},
				{Fault: 0, Kind: fate.Survived, Runs: -5},
				{Fault: 0, Kind: fate.Survived}, {Fault: 0, Kind: fate.Killed, By: fate.ByTest},
			} {
				to.Verdict(v)
			}
			return errors.New("the process died\nat once")
		}}}}
	p.Judge(Run{})
	got := show(p, p.Results[0]) + "; " + show(p, p.Results[1])
	if want := "survived by A; no verdict (the process died\nat once) by A"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if why := p.Summary().Why; why["the process died"] != 1 {
		t.Errorf("%q", why)
	}
}

func TestSummary(t *testing.T) {
	for _, c := range []struct{ verdicts, want string }{
		{"killed/test", "100.0 % 100.0 % 100.0 %"},
		{"killed/test killed/budget not-reached no-verdict", "66.6 % 33.3 % 100.0 %"},
		{"survived not-infected not-reached killed/panic", "25.0 % 25.0 % 33.3 %"},
		{"no-verdict", "- - -"},
		{"not-reached", "0.0 % 0.0 % -"},
		{strings.Repeat("killed/test ", 1999) + "survived", "99.9 % 99.9 % 99.9 %"}, // not 100.0
	} {
		list := strings.Fields(c.verdicts)
		p := Package{Faults: faults(len(list)), Members: []*Member{member("A", list...)}}
		p.Judge(Run{})
		s := Report{Packages: []Package{p}}.Summary()
		if got := fmt.Sprint(s.Score, " ", s.NoBudget, " ", s.OfReached); got != c.want {
			t.Errorf("%.60s: %s, want %s", c.verdicts, got, c.want)
		}
	}
}

func TestThreshold(t *testing.T) {
	s := Summary{Faults: 10, Killed: 6, Survived: 2, NotReached: 1, NoVerdict: 1}.scored()
	for _, c := range []struct {
		least     float64
		survivors int
		want      string
	}{
		{0, -1, ""},
		{66.66, 3, ""},
		{66.6667, 2, "-min: the score is 66.6 %, want at least 66.6667 %; -max-survivors: 3 faults were not killed, want at most 2"},
	} {
		if got := strings.Join(Threshold{Min: c.least, Survivors: c.survivors}.Check(s), "; "); got != c.want {
			t.Errorf("%v %d: %s, want %s", c.least, c.survivors, got, c.want)
		}
	}
	if got := (Threshold{Min: 100}).Check(Summary{}.scored()); got != nil {
		t.Errorf("without faults: %s", got)
	}
}
