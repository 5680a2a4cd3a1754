//go:build go1.25

package chart

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/proc/dist"
	"github.com/allele-go/allele/internal/testkit"
	"github.com/allele-go/allele/internal/words"
)

// html is the example of the thesis, with typical numbers.
func html() dist.Dist {
	bins := func(counts ...int) (all []dist.Bin) {
		for i, n := range counts {
			if n > 0 {
				all = append(all, dist.Bin{From: i, To: i, Inputs: n})
			}
		}
		return all
	}
	way := func(label, kind string, odds float64, n ...float64) dist.Way {
		w := dist.Way{Name: "Html." + label, Label: label, Kind: kind, Odds: odds}
		for i := 0; i < len(n); i += 2 {
			w.Counts = append(w.Counts, dist.Pair{Predicted: n[i], Seen: n[i+1]})
		}
		return w
	}
	return dist.Dist{Package: "example.com/html", Property: "TestSimplify", Type: "html.Html", Seed: 7, Size: 20, Depth: 10, Wanted: 10_000, Goal: "allele.Distribution{}", Views: []dist.View{
		{Name: dist.Declared, How: "as the Check declares: sizes from 1 to 20 are split among fields", Inputs: 10_000, Cells: dist.Pair{Predicted: 4.57, Seen: 10.2}, Sizes: bins(0, 500, 800, 1500, 3000, 4200), Depths: bins(0, 4000, 6000)},
		{Name: dist.Even, How: "equal odds for all constructors of a type, at most 10 levels deep", Exact: true, Inputs: 10_000, Cells: dist.Pair{Predicted: 4.57, Seen: 4.58}, Sizes: bins(0, 5000, 3000, 1500, 500), Depths: bins(0, 9996, 4)},
		{Name: dist.Tuned, How: "allele.Distribution{}, at most 10 levels deep", Exact: true, Inputs: 10_000, Cells: dist.Pair{Predicted: 41.7, Seen: 41.1}, Sizes: []dist.Bin{{From: 1, To: 1, Inputs: 1000}, {From: 30, To: 30, Inputs: 4000}, {From: 64, To: 79, Inputs: 5000}}, Depths: bins(0, 1000, 9000)},
	}, Types: []dist.Type{{Name: "Html", Ways: []dist.Way{
		way("Text", dist.Constructor, 0.2, 0.946, 1.5, 0.946, 0.955, 7, 6.91),
		way("Single", dist.Constructor, 0.2, 0.946, 1.47, 0.946, 0.933, 7, 6.89),
		way("Tag", dist.Constructor, 0.3, 0.893, 2.67, 0.893, 0.896, 10, 9.85),
		way("Simplify#1", dist.Pattern, 0.1, 0.893, 0, 0.893, 0.888, 1300, 1280),
	}}, {Name: "Point", Ways: []dist.Way{way("Point", dist.Constructor, 1, 1, 1, 1, 1, 1, 1)}}}}
}

// many has 500 constructors, and more types than a table has room for.
func many() dist.Dist {
	d := html()
	d.Property, d.Maps = "TestMany", true
	d.Types[0].Ways = nil
	for i := range 500 {
		n := dist.Pair{Predicted: 1, Seen: 1 + float64(i%7)}
		d.Types[0].Ways = append(d.Types[0].Ways, dist.Way{Name: fmt.Sprint("Html.Constructor", i), Label: fmt.Sprint("Constructor", i), Kind: dist.Builder, Counts: []dist.Pair{n, n, n}})
	}
	for i := range 14 {
		t := html().Types[0]
		t.Name = fmt.Sprint("Another", i)
		d.Types = append(d.Types, t)
	}
	return d
}

// single has nothing to choose.
func single() dist.Dist {
	d := html()
	d.Property, d.Types, d.Notes = "TestPoint", d.Types[1:], []string{"the type has only 4 values; a search simply tries each of them once"}
	return d
}

// wild has extreme numbers, and names that would clear the screen.
func wild() dist.Dist {
	d := html()
	d.Property, d.Type = "Test\x1b[2J<script>alert(1)</script>", "struct { "+strings.Repeat("Field int; ", 30)+"}"
	d.Views = d.Views[:2]
	d.Views[1].Cut, d.Wanted = 12, 20_000
	t := &d.Types[0]
	t.Name, t.Ways = "map[string]struct { A, B, C int; \x1b[2J <b> }", t.Ways[:3]
	for i := range t.Ways {
		t.Ways[i].Counts = t.Ways[i].Counts[:2]
		t.Ways[i].Label = strings.Repeat("長い名前", 8) + fmt.Sprint(i)
	}
	t.Ways[0].Counts[1] = dist.Pair{Predicted: math.MaxFloat64, Seen: 123_456}
	t.Ways[1].Counts[1] = dist.Pair{Predicted: 1e17, Seen: 0.0001}
	d.Types = d.Types[:1]
	return d
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		file  string
		dist  dist.Dist
		style Style
	}{
		{"html-80", html(), Style{Command: "TestSimplify"}},
		{"html-120", html(), Style{Columns: 120, Command: "TestSimplify"}},
		{"html-colour", html(), Style{Columns: 80, Colour: true, Command: "TestSimplify"}},
		{"many-80", many(), Style{Command: "TestMany ./all"}},
		{"single-80", single(), Style{Command: "TestPoint"}},
		{"wild-80", wild(), Style{Command: "TestWild"}},
		{"narrow", html(), Style{Columns: 20, Command: "TestSimplify"}},
	} {
		text := Text(c.dist, c.style)
		testkit.Golden(t, "testdata/"+c.file+".txt", []byte(text))
		for line := range strings.Lines(text) {
			if n := words.Width(strings.TrimSuffix(line, "\n")); n > max(80, c.style.Columns) && !c.style.Colour {
				t.Errorf("%s: a line of %d columns: %s", c.file, n, line)
			}
			if strings.Contains(line, "\x1b[2J") {
				t.Errorf("%s: %q", c.file, line)
			}
		}
	}
	if all := Text(many(), Style{All: true}); strings.Count(all, "Constructor") < 500 || strings.Contains(all, "-all") {
		t.Error("not all are shown")
	}
}

// Tuned odds are suggested only if they help: a constructor is rare without them, and the
// inputs do not get smaller.
func TestSuggestion(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(d *dist.Dist)
		want string
	}{
		{"a constructor is never generated", func(d *dist.Dist) {}, "try write page"},
		{"a constructor is rare", func(d *dist.Dist) { d.Types[0].Ways[3].Counts[0].Seen = 0.2 }, "try write page"},
		{"the inputs get smaller", func(d *dist.Dist) { d.Views[2].Cells.Seen = 1.9 }, "page"},
		{"nothing is rare", func(d *dist.Dist) { d.Types[0].Ways[3].Counts[0].Seen = 2 }, "page"},
		{"the odds do not change it", func(d *dist.Dist) { d.Types[0].Ways[3].Counts[2].Seen = 0 }, "page"},
		{"the Check is tuned", func(d *dist.Dist) { d.Views = d.Views[:2] }, "write page"},
		{"nothing to choose", func(d *dist.Dist) { *d = single() }, "page"},
	} {
		d := html()
		c.edit(&d)
		var got []string
		for _, s := range next(d, len(d.Types) > 1, "TestX") {
			got = append(got, s.word)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
}

func TestPage(t *testing.T) {
	for name, d := range map[string]dist.Dist{"html": html(), "many": many(), "single": single(), "wild": wild()} {
		page, err := Page(d)
		if err != nil {
			t.Fatal(err)
		}
		testkit.Golden(t, "testdata/"+name+".html", page)
		for _, bad := range []string{"<script", "src=", "href=", "url(", "ZgotmplZ", "NaN", "Inf"} {
			if strings.Contains(string(page), bad) {
				t.Errorf("%s: %s in the page", name, bad)
			}
		}
	}
}

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{
		{0, "0"}, {0.0001, "<0.001"}, {0.0123, "0.012"}, {0.9994, "0.999"}, {0.9996, "1.00"}, {9.994, "9.99"}, {9.995, "10.0"}, {9.996, "10.0"}, {99.94, "99.9"}, {99.95, "100"}, {99.96, "100"},
		{1234.5, "1,235"}, {99_999, "99,999"}, {123_456, "123k"}, {4.2e7, "42.0M"}, {998_999_999.5, "999M"}, {999e6, "1e09"}, {2e12, "2e12"}, {2e102, "2e102"}, {math.MaxFloat64, "huge"},
	} {
		if got := number(c.x); got != c.want || len(got) > digits-1 {
			t.Errorf("%v: %s, wanted %s", c.x, got, c.want)
		}
	}
}

// The most frequent ways are shown, in the order of the type if they are equally frequent.
func TestMostFrequentWays(t *testing.T) {
	var ways []dist.Way
	for i := range waysMost + 5 {
		seen := 0.25
		if i >= waysMost {
			seen = 0.5
		}
		ways = append(ways, dist.Way{Label: fmt.Sprint(i), Counts: []dist.Pair{{Seen: 0.125}, {Seen: seen}}})
	}
	shown, _, _ := tables(dist.Dist{Types: []dist.Type{{Name: "T", Ways: ways}}}, false)
	var got []string
	for _, w := range shown[0].Ways {
		got = append(got, w.Label)
	}
	if want := "20 21 22 23 24 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14"; strings.Join(got, " ") != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for x, want := range map[float64]int{-0.5: -1, 0: 0, 0.5: 1} {
		if got := order(x); got != want {
			t.Errorf("%v: %d", x, got)
		}
	}
}

// A type with one way is shown by its name, unless the way is a function.
func TestOnly(t *testing.T) {
	for want, w := range map[string]dist.Way{"T": {Label: "x", Kind: dist.Constructor}, "newT": {Label: "newT", Kind: dist.Builder}} {
		if got := only(dist.Type{Name: "T", Ways: []dist.Way{w}}); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := only(dist.Type{Name: "T", Ways: []dist.Way{{Label: "a", Kind: dist.Builder}, {Label: "b"}}}); got != "T" {
		t.Error(got)
	}
}

// One type that is left out is worth a line.
func TestHidden(t *testing.T) {
	for more, want := range []bool{false, true, true} {
		if got := (&printer{dist: html()}).hidden(more); got != want {
			t.Errorf("%d more types: %v", more, got)
		}
	}
}

// Twice as often is enough.
func TestHelped(t *testing.T) {
	for seen, want := range map[float64]bool{0.124: false, 0.125: true, 0.126: true} {
		way := func(name string, declared, tuned float64) dist.Way {
			return dist.Way{Name: name, Counts: []dist.Pair{{Seen: declared}, {Seen: tuned}}}
		}
		d := dist.Dist{Views: []dist.View{{Name: dist.Declared}, {Name: dist.Tuned}},
			Types: []dist.Type{{Ways: []dist.Way{way("T.A", 0.0625, seen), way("T.B", 0.9375, 1-seen)}}}}
		if w, ok := helped(d); ok != want || ok && w.Name != "T.A" {
			t.Errorf("%v: %s %v", seen, w.Name, ok)
		}
	}
}

// Ranges cover everything between the least and the largest, once.
func TestRanges(t *testing.T) {
	for _, c := range []struct {
		least, largest int
		want           string
	}{
		{0, 0, "0"},
		{3, 5, "3 4 5"},
		{1, 20, "0-1 2-3 4-5 6-7 8-9 10-11 12-13 14-15 16-17 18-19 20"},
		{0, 63, "0-3 4-7 8-11 12-15 16-19 20-23 24-27 28-31 32-35 36-39 40-43 44-47 48-51 52-55 56-59 60-63"},
		{1, 100, "1 2-3 4-7 8-15 16-31 32-63 64-127"},
		{70, 1000, "64-127 128-255 256-511 512-1023"},
	} {
		var got []string
		for _, r := range ranges(c.least, c.largest) {
			got = append(got, r.String())
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%d to %d: %v, wanted %s", c.least, c.largest, got, c.want)
		}
	}
}
