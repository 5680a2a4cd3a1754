//go:build go1.25

package allele

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/proc/dist"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
)

// A page is a recursive type with four constructors. It is the example of the thesis.
type (
	page interface{ isPage() }
	word struct{ S string }
	rule struct{}
	mark struct{ In page }
	pair struct{ L, R page }
)

func (word) isPage() {}
func (rule) isPage() {}
func (mark) isPage() {}
func (pair) isPage() {}

var pages = Variants[page](word{}, rule{}, mark{}, pair{})

// counted returns the distribution that a Check reports.
func counted[In any](t *testing.T, inputs int, opts ...Option) dist.Dist {
	t.Helper()
	return countedFor[In](t, job.Text{Inputs: inputs}, opts...)
}

func countedFor[In any](t *testing.T, text job.Text, opts ...Option) dist.Dist {
	t.Helper()
	to := filepath.Join(t.TempDir(), "dist")
	text.To = to
	_, events := runJob(t, job.Job{Mode: job.Dist, Text: text}, nil, func(t testing.TB) {
		Check(t, func(*T, In) { panic("an input was run") }, opts...)
	})
	if len(events) != 1 || events[0].Body != (event.Answered{}) {
		t.Fatalf("%+v", events)
	}
	data, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	d, err := dist.Decode(data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	return d
}

// The predicted counts match the generated counts with even odds and with tuned odds.
// Where a size is split among fields they do not match, and are not marked as exact.
func TestDistPredictedIsSeen(t *testing.T) {
	d := counted[page](t, 20000, pages)
	if len(d.Views) != 3 || d.Types[0].Name != "page" || len(d.Types[0].Ways) != 4 {
		t.Fatalf("%+v", d)
	}
	for i, v := range d.Views {
		worst := math.Abs(v.Cells.Off())
		for _, w := range d.Types[0].Ways {
			worst = max(worst, math.Abs(w.Counts[i].Off()))
		}
		t.Logf("%s: %.1f %% off, %.1f cells", v.Name, 100*worst, v.Cells.Seen)
		if v.Exact != (v.Name != dist.Declared) || v.Exact != (worst < 0.05) || v.Inputs != 20_000 {
			t.Errorf("%s: %.1f %% off, %d inputs, exact %t", v.Name, 100*worst, v.Inputs, v.Exact)
		}
	}
	odds := 0.0
	for _, w := range d.Types[0].Ways {
		odds += w.Odds
	}
	if math.Abs(odds-1) > 1e-9 {
		t.Errorf("odds add up to %v", odds)
	}
}

// lines lists the views and the constructors of a distribution.
func lines(d dist.Dist) string {
	var b strings.Builder
	for _, v := range d.Views {
		fmt.Fprintf(&b, "%s: %s\n", v.Name, v.How)
	}
	for _, t := range d.Types {
		fmt.Fprintf(&b, "%s:", t.Name)
		for _, w := range t.Ways {
			fmt.Fprintf(&b, " %s", w.Label)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Values are shown as they were declared, with the names that Proportions takes.
func TestDistValues(t *testing.T) {
	d := counted[[]string](t, 100, Values("debug", strings.Repeat("x", 99)))
	var got []string
	for _, w := range d.Types[len(d.Types)-1].Ways {
		got = append(got, w.Name+" = "+w.Value)
	}
	if want := []string{`string.value0 = "debug"`, `string.value1 = "` + strings.Repeat("x", 39) + "..."}; !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// A builder that refuses all arguments is not called by any view, as its note says.
func TestDistDropped(t *testing.T) {
	d := counted[[]account](t, 100, Builder(newAccount, Partial{}), Builder(newRichAccount, Partial{}))
	if !strings.Contains(strings.Join(d.Notes, "\n"), "newRichAccount rejected all 32 trial inputs, so it is not called") {
		t.Errorf("%q", d.Notes)
	}
	for _, w := range d.Types[len(d.Types)-1].Ways {
		for i, c := range w.Counts {
			if called := strings.HasSuffix(w.Name, ".newAccount"); called != (c.Seen > 0) {
				t.Errorf("%s, %s: seen %v", w.Name, d.Views[i].Name, c.Seen)
			}
		}
	}
}

func TestDistViews(t *testing.T) {
	for _, c := range []struct {
		name string
		got  dist.Dist
		want string
	}{
		{"a goal of its own", counted[page](t, 100, pages, Distribution{MeanSize: 7}, Size(8)), `
declared: as the Check declares: allele.Distribution{MeanSize: 7}, at most 4 levels deep
even: equal odds for all constructors of a type, at most 4 levels deep
page: word rule mark pair
`},
		{"one level", counted[page](t, 100, pages, Distribution{}, Size(2)), `
declared: as the Check declares: allele.Distribution{}, at most 1 level deep
even: equal odds for all constructors of a type, at most 1 level deep
page: word rule mark pair
`},
		{"nothing to choose", counted[struct{ A, B int }](t, 100), `
declared: as the Check declares: sizes from 1 to 20 are split among fields
even: equal odds for all constructors of a type, at most 10 levels deep
tuned: allele.Distribution{}, at most 10 levels deep
struct { A int; B int }: 0
`},
		{"a list of pointers", counted[map[int]*tree](t, 100), `
declared: as the Check declares: sizes from 1 to 20 are split among fields
even: equal odds for all constructors of a type, at most 10 levels deep
tuned: allele.Distribution{}, at most 10 levels deep
*allele.tree: nil &
`},
	} {
		if got := lines(c.got); got != c.want[1:] {
			t.Errorf("%s:\n%s\nwant%s", c.name, got, c.want)
		}
	}
	if !counted[map[int]*tree](t, 10).Maps || counted[page](t, 10, pages).Maps {
		t.Error("Maps is wrong")
	}
}

// Counting ends early if the inputs are huge.
func TestDistEnds(t *testing.T) {
	type wide struct{ A, B, C, D, E, F, G, H *wide }
	d := counted[*wide](t, 500, Size(60))
	for _, v := range d.Views[1:2] {
		t.Logf("%s: %d inputs, %d cut, %.0f cells, predicted %g", v.Name, v.Inputs, v.Cut, v.Cells.Seen, v.Cells.Predicted)
		if v.Inputs >= d.Wanted || v.Cut == 0 {
			t.Errorf("%s: %d inputs, %d cut", v.Name, v.Inputs, v.Cut)
		}
	}
	huge := counted[*wide](t, 1, Size(2000))
	if i := slices.IndexFunc(huge.Types[0].Ways, func(w dist.Way) bool { return w.Counts[1].Predicted == math.MaxFloat64 }); i < 0 {
		t.Error("no prediction reached the largest number")
	}
}

// Types and constructors also have their names in Go code, if they have any there. With
// Uniform the goal of the Check is ignored.
func TestDistNamesForGo(t *testing.T) {
	type pageHere interface{ page }
	for _, c := range []struct {
		what string
		d    dist.Dist
		want string
	}{
		{"a type of the package", counted[page](t, 1, pages), "page: word rule mark pair"},
		{"a type inside a function", counted[pageHere](t, 1, Variants[pageHere](word{}, rule{})), ": word rule"},
		{"a pointer", counted[*int](t, 1), ": "},
	} {
		var names []string
		for _, w := range c.d.Types[0].Ways {
			names = append(names, w.Weight)
		}
		if got := c.d.Types[0].Go + ": " + strings.TrimSpace(strings.Join(names, " ")); got != c.want {
			t.Errorf("%s: %q, wanted %q", c.what, got, c.want)
		}
	}
	even := job.Text{Inputs: 1, Uniform: true}
	wanted, uniform := countedFor[page](t, even, pages, Distribution{Proportions: map[string]float64{"word": 1, "pair": 5}}), countedFor[page](t, even, pages)
	for i, w := range uniform.Types[0].Ways {
		if got := wanted.Types[0].Ways[i].Odds; got != w.Odds {
			t.Errorf("%s: odds of %v, wanted %v", w.Label, got, w.Odds)
		}
	}
}
