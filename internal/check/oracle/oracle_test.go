//go:build go1.25

package oracle_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/check/oracle"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/search/engine"
)

func ended(v engine.Verdict) oracle.Run {
	return oracle.Run{Outcome: property.Outcome{Verdict: v}}
}

// The runs with a fault, by what happens in them.
func runs() map[string]oracle.Run {
	saw := func(n uint64, labels ...property.Label) oracle.Run {
		r := ended(engine.Passed)
		r.Shown = property.Shown{Observed: []property.Observed{{Digest: n}}, Labels: labels}
		return r
	}
	failed := func(f func(*oracle.Run)) oracle.Run {
		r := ended(engine.Failed)
		f(&r)
		return r
	}
	caught, large := saw(1), saw(1)
	caught.Caught, large.Large = "index out of range\ngoroutine 7", "99999999"
	return map[string]oracle.Run{
		"same":      saw(1),
		"value":     saw(2),
		"label":     saw(1, property.Label{Name: "kind", Value: "x"}),
		"discarded": ended(engine.Discarded),
		"fails": failed(func(r *oracle.Run) {
			r.At, r.Logs = "x_test.go:7", []property.Line{{Text: "log"}, {Text: "want 1", Fails: true}}
		}),
		"panics":    failed(func(r *oracle.Run) { r.Panic = &property.Panic{Text: "boom"} }),
		"overflows": failed(func(r *oracle.Run) { r.Cut = &property.Cut{After: "9 steps", Overflow: "f"} }),
		"dies":      failed(func(r *oracle.Run) { r.Death = &property.Death{Death: proc.Death{Text: "out of memory"}} }),
		"budget":    failed(func(r *oracle.Run) { r.Cut = &property.Cut{After: "9 steps"} }),
		"hangs":     failed(func(r *oracle.Run) { r.Hung = true }),
		"caught":    caught,
		"large":     large,
	}
}

// Every cell of the table in the package comment.
func TestCompare(t *testing.T) {
	table := []struct{ original, faulty, want string }{
		{"passed", "fails", "killed by property (x_test.go:7: want 1)"},
		{"passed", "panics", "killed by panic (boom)"},
		{"passed", "caught", "killed by panic (index out of range)"},
		{"passed", "dies", "killed by panic (out of memory)"},
		{"passed", "overflows", "killed by panic (stack overflow)"},
		{"passed", "budget", "killed by budget (9 steps)"},
		{"passed", "large", "killed by budget (a slice of size 99999999)"},
		{"passed", "value", "killed by difference (observed value 1)"},
		{"passed", "label", "killed by difference (1 labels instead of 0)"},
		{"passed", "discarded", "killed by difference (the run was discarded)"},
		{"passed", "same", "survived"},
		{"passed", "hangs", "no verdict (the run had not ended after a long time)"},
		{"discarded", "same", "survived"},
		{"discarded", "value", "survived"},
		{"discarded", "label", "survived"},
	}
	for name := range runs() {
		switch name {
		case "same", "value", "label":
		default:
			table = append(table, struct{ original, faulty, want string }{"discarded", name, "survived"})
		}
		table = append(table, struct{ original, faulty, want string }{"failed", name, "no verdict (the original run failed)"})
	}
	originals := map[string]oracle.Run{"passed": runs()["same"], "discarded": ended(engine.Discarded), "failed": ended(engine.Failed)}
	if len(table) != len(originals)*len(runs()) {
		t.Errorf("%d rows, want one for each of %d pairs", len(table), len(originals)*len(runs()))
	}
	differs := func(a, b property.Shown) (string, error) { return a.Differs(b, nil), nil }
	for _, row := range table {
		got := said(oracle.Compare(originals[row.original], runs()[row.faulty], differs))
		if got != row.want {
			t.Errorf("%s, then %s: %s, want %s", row.original, row.faulty, got, row.want)
		}
	}
}

func said(r oracle.Result) string {
	s := fate.Verdict{Kind: r.Kind, By: r.By, Detail: r.Detail}.String()
	return s
}

func TestComparePanics(t *testing.T) {
	broken := func(a, b property.Shown) (string, error) {
		return "", errors.New("allele.Compare: the function panicked: no order")
	}
	got := said(oracle.Compare(runs()["same"], runs()["same"], broken))
	if want := "no verdict (allele.Compare: the function panicked: no order)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The reason of a verdict is one line of limited length.
func TestLongReason(t *testing.T) {
	long := strings.Repeat("é", 200)
	for text, want := range map[string]string{
		"one\ntwo": "one", long[:2*120]: long[:2*120], long: long[:2*117] + "...",
	} {
		broken := func(a, b property.Shown) (string, error) { return "", errors.New(text) }
		if got := oracle.Compare(runs()["same"], runs()["same"], broken).Detail; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// A case whose original runs differ kills by other means than a difference.
func TestCase(t *testing.T) {
	all := runs()
	differs := func(a, b property.Shown) (string, error) { return a.Differs(b, nil), nil }
	for _, c := range []struct {
		name          string
		second, third string // further original runs: before the fault is judged, and to confirm a difference
		faulty        string
		want          string
	}{
		{"stable", "same", "same", "value", "killed by difference (observed value 1)"},
		{"stable discard", "same", "same", "discarded", "killed by difference (the run was discarded)"},
		{"differs before", "value", "same", "value", "survived"},
		{"differs later", "same", "value", "value", "survived"},
		{"differs, and the fault panics", "value", "same", "panics", "killed by panic (boom)"},
		{"differs, and the property fails", "value", "same", "fails", "killed by property (x_test.go:7: want 1)"},
		{"differs, and the run is discarded", "value", "same", "discarded", "survived"},
		{"fails now and then", "fails", "same", "panics", "no verdict (the original run failed)"},
		{"is discarded now and then", "discarded", "same", "panics", "no verdict (the original run failed)"},
	} {
		k := oracle.NewCase(all["same"], differs)
		k.Again(all[c.second])
		got := said(k.Judge(all[c.faulty], func() oracle.Run { return all[c.third] }))
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
