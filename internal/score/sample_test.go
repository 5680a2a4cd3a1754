//go:build go1.25

package score

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/site"
)

// pair returns two packages with so many faults in total, whose lines begin at a number.
func pair(n, line int) []Package {
	all := []Package{{Path: "a"}, {Path: "b"}}
	for i := range n {
		p := &all[i%2]
		p.Faults = append(p.Faults, site.Fault{ID: i + line, Site: i, Package: p.Path, File: "/m/" + p.Path + ".go", Line: line + i, Func: "f",
			From: fmt.Sprint(i % 7), To: "y"})
	}
	return all
}

// places returns which faults are left, by their place after the first line.
func places(all []Package, line int) (left []int) {
	for _, p := range all {
		for _, f := range p.Faults {
			left = append(left, f.Line-line)
		}
	}
	slices.Sort(left)
	return left
}

// A sample has the same faults in every run, also if code is added above them; a larger one contains it, and it is not
// the beginning of the code.
func TestDraw(t *testing.T) {
	var before []int
	for _, n := range []int{1, 10, 25, 60, 99} {
		first, moved := pair(100, 1), pair(100, 501)
		s := Draw(first, n)
		Draw(moved, n)
		drawn := places(first, 1)
		if s == nil || s.Drawn != n || s.Of != 100 || len(drawn) != n {
			t.Fatalf("%d: %+v, %d faults", n, s, len(drawn))
		}
		if !slices.Equal(drawn, places(moved, 501)) {
			t.Errorf("%d: other faults after lines were added", n)
		}
		for _, i := range before {
			if !slices.Contains(drawn, i) {
				t.Errorf("%d: fault %d was in the smaller sample", n, i)
			}
		}
		if sum := 0; n == 25 {
			for _, i := range drawn {
				sum += i
			}
			if mean := sum / n; mean < 35 || mean > 65 {
				t.Errorf("the mean place is %d: %v", mean, drawn)
			}
		}
		before = drawn
	}
	if all := pair(100, 1); Draw(all, 100) != nil || len(places(all, 1)) != 100 {
		t.Error("all faults are no sample")
	}
}

// If time ends the run, the score is that of the faults before the first one that was not judged.
func TestJudged(t *testing.T) {
	for open, want := range map[int]string{5: "100 faults, no sample", 12: "12 faults, sample 12 of 100", 99: "99 faults, sample 99 of 100"} {
		all := pair(100, 1)
		order := drawOrder(all)
		for i := range all {
			p := &all[i]
			for _, f := range p.Faults {
				at := slices.Index(order, f.ID)
				p.Results = append(p.Results, Result{Verdict: fate.Verdict{Fault: f.ID, Kind: fate.Survived}, Open: at == open || at > open+20})
			}
		}
		s := Judged(all, nil, time.Minute)
		got := fmt.Sprintf("%d faults, no sample", len(all[0].Results)+len(all[1].Results))
		if s != nil {
			got = fmt.Sprintf("%d faults, sample %d of %d", len(all[0].Results)+len(all[1].Results), s.Drawn, s.Of)
		}
		if got != want {
			t.Errorf("%d: %s, want %s", open, got, want)
		}
	}
}

// The interval is that of Wilson. The values are those of Newcombe, "Two-sided confidence intervals for the single
// proportion", 1998, table I.
func TestWilson(t *testing.T) {
	for _, c := range []struct {
		part, whole int
		low, high   float64
	}{{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}} {
		if low, high := wilson(c.part, c.whole); math.Abs(low-c.low) > 5e-5 || math.Abs(high-c.high) > 5e-5 {
			t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", c.part, c.whole, low, high, c.low, c.high)
		}
	}
}

// With a sample, -min needs the lower end of the interval.
func TestSampleThreshold(t *testing.T) {
	sum := Summary{Faults: 100, Killed: 80, Score: percent(80, 100)}
	for _, c := range []struct {
		min    float64
		sample *Sample
		ok     bool
	}{{80, nil, true}, {80, &Sample{Drawn: 100, Of: 1000}, false}, {71.1, &Sample{Drawn: 100, Of: 1000}, true}, {71.2, &Sample{Drawn: 100, Of: 1000}, false}} {
		if wrong := (Threshold{Min: c.min, Survivors: -1, Sample: c.sample}).Check(sum); (len(wrong) == 0) != c.ok {
			t.Errorf("-min %v with %+v: %v", c.min, c.sample, wrong)
		}
	}
}
