//go:build go1.25

package job_test

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/proc/job"
)

// Decode returns the job that was encoded, with all fields.
func TestRoundTrip(t *testing.T) {
	seed := uint64(7)
	sent := job.Job{Version: job.Version, Mode: job.Search, Property: "TestTree#2", Events: "out", Claims: "known", Corpus: "dir", Skip: []string{"a", "b\nc"},
		Wires: job.Wires{Slot: "slot", Pipes: []uintptr{3, 4}}, Limits: job.Limits{Run: time.Second, Steps: 5, Memory: 1 << 30, Temp: "tmp", Slow: []string{"1 2"}},
		Commands: job.Commands{GoTest: "g", Test: "t", Show: "s", Name: "n"}, Program: job.Program{Sites: 9, Hash: "5f", Operands: "x.operands", Encoder: "x.test", Faults: "list"},
		Search: job.Params{Default: true, Strategy: job.Random, Tests: 10, Budget: time.Minute, Seed: &seed, Dict: "words", Log: "log", Fresh: true, Past: job.Past{Searches: 5, Worker: 3},
			Others: job.Others{Worker: 1, Inbox: "in", Outbox: "out", Host: 5}, Save: true, KeepGoing: true, Isolate: true,
			Guide: job.Guide{Faults: "faults", State: "state", Died: []int{3}},
			Experiment: &job.Experiment{Strategy: []byte(`{"Name":"x"}`), Scratch: true, Encoder: &job.Encoder{Slice: "none", Paper: true, Always: true},
				Guide: job.Mu2{Prune: "none", Pure: true, Half: true}}},
		Confirm: job.Dead{Slot: "dead", Hung: true}, Repeat: job.Repeat{Tries: 100, Last: "last", Reading: 1, Long: true},
		Text: job.Text{Request: "request", To: "text", Case: "case", Inputs: 10, Uniform: true}}
	got, err := job.Decode(sent.Encode())
	if err != nil || !reflect.DeepEqual(*got, sent) {
		t.Errorf("%v\n got %+v\nwant %+v", err, got, sent)
	}
	whole(t, reflect.ValueOf(sent), "Job")
}

// whole fails if the round trip above leaves a field out.
func whole(t *testing.T, v reflect.Value, path string) {
	for i := range v.NumField() {
		f, name := v.Field(i), path+"."+v.Type().Field(i).Name
		switch {
		case f.IsZero():
			t.Errorf("TestRoundTrip does not set %s", name)
		case f.Kind() == reflect.Struct:
			whole(t, f, name)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"version":2,"mode":"serch","property":"TestX"}`, `unknown mode "serch"; the modes are list, show, search`},
		{`{"version":2,"mode":"","property":"TestX"}`, `unknown mode ""`},
		{`{"version":2}`, `unknown mode ""`},
		{`{"version":3,"mode":"search"}`, "has version 3, but this test binary supports version 2"},
		{`{"mode":"search"}`, "has version 0"},
		{`{"version":2,"mode":"search","property":"TestX","shards":3}`, `unknown field "shards"`},
		{`{"version":2,"mode":"search","property":"TestX","search":{"test":3}}`, `unknown field "test"`},
		{`{"version":2,"mode":"search"}`, "mode search needs a property"},
		{`{"version":2,"mode":"confirm","property":"TestX"}`, "needs a slot to confirm"},
		{`{"version":2,"mode":"reduce","property":"TestX"}`, "needs a corpus"},
		{`{"version":2,"mode":"dist","property":"TestX"}`, "needs a file to write to"},
		{`{"version":2,"mode":"list"}`, "mode list needs a file for events"},
		{`{"version":2,"mode":"confirm","property":"TestX","confirm":{"slot":"x"}}`, "needs a file for events"},
		{`{"version":2,"mode":"list"} {}`, "after top-level value"},
		{`run`, "is not a job"},
		{``, "is not a job"},
	} {
		if j, err := job.Decode(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %+v, %v; want %s", c.text, j, err, c.want)
		}
	}
}

func TestCurrent(t *testing.T) {
	if j, err := job.Current(); err != nil || j.Mode != job.Plain {
		t.Errorf("without the variable: %+v, %v", j, err)
	}
	t.Setenv(job.Variable, job.Job{Mode: job.List, Events: "out"}.Encode())
	if j, err := job.Current(); err != nil || j.Mode != job.List {
		t.Errorf("with it: %+v, %v", j, err)
	}
	t.Setenv(job.Variable, "serch")
	if _, err := job.Current(); err == nil {
		t.Error("invalid text is accepted as a job")
	}
	if len(job.Environ()) != len(os.Environ()) {
		t.Error("a process without a job must pass on its environment unchanged")
	}
}
