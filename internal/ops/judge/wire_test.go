//go:build go1.25

package judge

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/suite"
)

// The types of the command and of the test binary are the same, field by field.
func TestWire(t *testing.T) {
	for _, c := range []struct{ ours, theirs any }{
		{request{}, suite.Request{}},
		{fault{}, suite.Fault{}},
		{line{}, suite.Line{}},
	} {
		compare(t, reflect.TypeOf(c.ours), reflect.TypeOf(c.theirs))
	}
	for _, c := range [][2]string{
		{variable, suite.Variable}, {modeBaseline, suite.ModeBaseline}, {modeJudge, suite.ModeJudge}, {modeOff, suite.ModeOff},
		{begin, suite.Begin}, {start, suite.Start}, {note, suite.Note}, {judged, suite.Judged}, {check, suite.Check}, {good, suite.Good},
		{polluted, suite.Polluted}, {busy, suite.Busy}, {stuck, suite.Stuck}, {tested, suite.Tested}, {done, suite.Done}, {killer, suite.Killer},
		{bootSpent, suite.BootSpent},
	} {
		if c[0] != c[1] {
			t.Errorf("%q is %q in the test binary", c[0], c[1])
		}
	}
	if noFault != suite.NoFault {
		t.Error("noFault differs")
	}
}

func compare(t *testing.T, a, b reflect.Type) {
	if a.NumField() != b.NumField() {
		t.Errorf("%v has %d fields, %v has %d", a, a.NumField(), b, b.NumField())
		return
	}
	for i := range a.NumField() {
		x, y := a.Field(i), b.Field(i)
		if x.Name != y.Name || x.Tag != y.Tag || x.Type.Kind() != y.Type.Kind() {
			t.Errorf("%v.%s differs from %v.%s", a, x.Name, b, y.Name)
		}
	}
}
