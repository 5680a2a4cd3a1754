//go:build go1.25

package dist

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

func small() Dist {
	return Dist{Property: "TestX", Type: "T", Views: []View{{Name: Declared, Inputs: 3, Sizes: []Bin{{0, 0, 1}, {2, 2, 2}}, Depths: []Bin{{1, 1, 3}}}},
		Types: []Type{{Name: "T", Ways: []Way{{Name: "T.A", Label: "A", Kind: Constructor, Odds: 1, Counts: []Pair{{1, 1}}}}}}}
}

func TestThereAndBack(t *testing.T) {
	data, err := Encode(small())
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(data)
	want := small()
	want.Format = Format
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v %v", got, err)
	}
}

// A number that JSON cannot represent becomes the largest that it can.
func TestInfinite(t *testing.T) {
	d := small()
	d.Types[0].Ways[0].Counts[0].Predicted = math.Inf(1)
	d.Views[0].Cells.Predicted = math.NaN()
	data, err := Encode(d)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Decode(data); err != nil || got.Types[0].Ways[0].Counts[0].Predicted != math.MaxFloat64 {
		t.Errorf("%+v %v", got, err)
	}
}

// A test binary may have another version of the library, or not use it at all.
func TestDecodeRefuses(t *testing.T) {
	_, err := Decode(make([]byte, BytesMax+1))
	if want := fmt.Sprintf("the distribution has %d bytes; the limit is %d", BytesMax+1, BytesMax); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	for _, c := range []struct {
		want   string
		change func(*Dist)
	}{
		{"0 views; want 1 to 4", func(d *Dist) { d.Views = nil }},
		{"5 views; want 1 to 4", func(d *Dist) { d.Views = make([]View, 5) }},
		{"it has 0 inputs", func(d *Dist) { d.Views[0].Inputs = 0 }},
		{"do not add up to 4 inputs", func(d *Dist) { d.Views[0].Inputs = 4 }},
		{"do not add up to 3 inputs", func(d *Dist) { d.Views[0].Depths = []Bin{{-1, 1, 3}} }},
		{"do not add up to 3 inputs", func(d *Dist) { d.Views[0].Depths = []Bin{{2, 1, 3}} }},
		{"do not add up to 3 inputs", func(d *Dist) { d.Views[0].Depths = []Bin{{1, 5, 1}, {3, 9, 2}} }},
		{"do not add up to 3 inputs", func(d *Dist) { d.Views[0].Depths = []Bin{{1, 1, math.MaxInt}, {2, 2, math.MaxInt}} }},
		{`"A": it has 0 counts and odds of 1; want 1 counts, and odds from 0 to 1`, func(d *Dist) { d.Types[0].Ways[0].Counts = nil }},
		{`odds of 2`, func(d *Dist) { d.Types[0].Ways[0].Odds = 2 }},
		{`"A": a count is negative`, func(d *Dist) { d.Types[0].Ways[0].Counts[0].Seen = -1 }},
		{"a text has 501 bytes; the limit is 500", func(d *Dist) { d.Notes = []string{strings.Repeat("x", 501)} }},
	} {
		d := small()
		c.change(&d)
		data, err := Encode(d)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decode(data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, wanted %s", err, c.want)
		}
	}
	for _, c := range []struct{ data, want string }{
		{"", "unexpected end"}, {"[]", "cannot unmarshal"}, {`{"v":1,"views":3}`, "cannot unmarshal"}, {`{"v":1,"seed":1e400}`, "cannot unmarshal"},
	} {
		if _, err := Decode([]byte(c.data)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, wanted %s", c.data, err, c.want)
		}
	}
	if _, err := Decode([]byte(`{"v":2}`)); !errors.Is(err, ErrNewer) {
		t.Error(err)
	}
}

// Bins are adjacent, and each doubling has four.
func TestHistogram(t *testing.T) {
	var h Histogram
	next := 0
	for n := range 5000 {
		h.Add(n)
	}
	for i, b := range h.bins {
		if b.From != next {
			t.Fatalf("bin %d begins at %d, the one before ends before %d", i, b.From, next)
		}
		next = b.To + 1
		if i >= binsExact && (i-binsExact)%binsDouble == 0 && b.From != binsExact<<((i-binsExact)/binsDouble) {
			t.Errorf("bin %d begins at %d", i, b.From)
		}
	}
	if bins := h.Bins(); badBins(bins, 5000) {
		t.Error(bins)
	}
}
