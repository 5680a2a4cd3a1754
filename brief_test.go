//go:build go1.25

package allele

import (
	"bytes"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/check/finding"
	"github.com/allele-go/allele/internal/proc/event"
)

// A report fits into an event with its counterexample and the lines after it, whatever the property writes. The report of the test is whole.
func TestBriefReport(t *testing.T) {
	long := strings.Repeat("12345 ", 40_000)
	for _, c := range []struct {
		name, short string // in the report for an event
		run         func(*T)
	}{
		{"short", "property failed: no (brief_test.go:", func(t *T) { t.Error("no") }},
		{"a long line", " more bytes, which the replay line prints (brief_test.go:", func(t *T) { t.Errorf("[%s]", long) }},
		{"many lines", " more bytes, which the replay line prints\n", func(t *T) { t.Error("no\n" + strings.Repeat("x\n", 60_000)) }},
		{"many messages", " messages left out\n", func(t *T) {
			for i := range 900 {
				t.Log(i, long[:100])
			}
			t.Error("no")
		}},
		{"messages after the error", " messages left out\n", func(t *T) {
			t.Error("no")
			for range 900 {
				t.Log(long[:100])
			}
		}},
		{"a panic", " more bytes, which the replay line prints (brief_test.go:", func(*T) { panic(long) }},
	} {
		p, r := prepared(t, func(t *T, _ bool) { c.run(t) }, "TestBrief")
		x, err := p.World.Read(reflect.ValueOf(true))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{"", "some.case"} {
			f := finding.NewHandler(p).New(x, r.One(x, true), finding.History{Run: 7})
			f.File = file
			whole, brief := finding.Text(p, f), finding.Brief(p, f)
			for _, line := range []string{c.short, "\ncounterexample:\n", "\nrun 7, seed ", "\nreplay   "} {
				if !strings.Contains(sent(t, brief), line) {
					t.Errorf("%s: no %q in %.300s ... %q", c.name, line, brief, brief[max(0, len(brief)-300):])
				}
			}
			if short := c.name == "short"; (whole == brief) != short || strings.Contains(whole, "which the replay line") {
				t.Errorf("%s: %d and %d bytes", c.name, len(whole), len(brief))
			}
		}
	}
}

// An input that is in no file is cut too, if it does not fit into an event.
func TestBriefInput(t *testing.T) {
	p, r := prepared(t, func(t *T, in []int) { t.Error("no") }, "TestBriefInput")
	x, err := p.World.Read(reflect.ValueOf(slices.Repeat([]int{12345}, 20_000)))
	if err != nil {
		t.Fatal(err)
	}
	f := finding.NewHandler(p).New(x, r.One(x, true), finding.History{Run: 7})
	f.Unsaved = os.ErrPermission
	whole, brief := finding.Text(p, f), sent(t, finding.Brief(p, f))
	if len(whole) < 100_000 || !strings.Contains(brief, " more bytes\n\nrun 7, seed ") || !strings.Contains(brief, "\nnot saved: ") || strings.Contains(brief, "as test") {
		t.Errorf("%d and %d bytes, the end is %q", len(whole), len(brief), brief[len(brief)-300:])
	}
}

// sent returns the text of a report as an event has it.
func sent(t *testing.T, text string) string {
	line, err := event.Line(event.Event{Body: event.Found{Text: text}})
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range event.Read(bytes.NewReader(line)) {
		if err != nil {
			t.Fatal(err)
		}
		text = e.Body.(event.Found).Text
	}
	return text
}
