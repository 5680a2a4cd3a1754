//go:build go1.25

package property

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/search/engine"
)

// An outcome is plain data: it is the same after encoding and decoding, except for the
// fields that are valid in one process only.
func TestOutcomeEncoding(t *testing.T) {
	for _, o := range []Outcome{
		{},
		{Verdict: engine.Discarded, Rejected: Rejected{By: "a_test.go:7   t.Assume(ok)", Known: Known{"issue 48", true}}},
		{Verdict: engine.Failed, Hung: true, Logs: []Line{{"a.go:1", "words", true, 3}}, At: "a.go:1", Panic: &Panic{"boom", "stack"}, Outer: "outer",
			Cut: &Cut{"5 steps", "stack", "a.F", 7, time.Second, 1 << 20}, Death: &Death{proc.Death{Kind: proc.Exit, Code: 3}, time.Second, []uint32{1, 2}, 1 << 30}},
	} {
		data, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		var got Outcome
		if err := json.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, o) {
			t.Errorf("%v\n got %+v\nwant %+v", err, got, o)
		}
	}
	if err := json.Unmarshal([]byte(`{"Verdict":"maybe"}`), &Outcome{}); err == nil {
		t.Error("an unknown verdict was accepted")
	}
}

func TestKind(t *testing.T) {
	for _, c := range []struct {
		name string
		o    Outcome
		want proc.Kind
	}{
		{"the property called Error", Outcome{}, proc.Failed},
		{"panic", Outcome{Panic: &Panic{Text: "boom"}}, proc.Panic},
		{"os.Exit(0) is a panic in a test", Outcome{Panic: &Panic{Text: "unexpected call to os.Exit(0) during test"}}, proc.Exit},
		{"too many steps", Outcome{Cut: &Cut{}}, proc.Cut},
		{"the deadline of the test", Outcome{Hung: true, Cut: &Cut{}}, proc.Hang},
		{"a process that died", Outcome{Death: &Death{Death: proc.Death{Kind: proc.Memory}}}, proc.Memory},
	} {
		if got := c.o.Kind(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
