//go:build go1.25

package fate_test

import (
	"testing"

	"github.com/allele-go/allele/internal/fate"
)

func TestVerdictString(t *testing.T) {
	for _, c := range []struct {
		v    fate.Verdict
		want string
	}{
		{fate.Verdict{Kind: fate.Survived, Tests: 3}, "survived"},
		{fate.Verdict{Kind: fate.Killed, By: fate.ByTest, Test: "TestParse"}, "killed by test: TestParse"},
		{fate.Verdict{Kind: fate.Killed, By: fate.ByPanic, Test: "TestParse", Detail: "index out of range"},
			"killed by panic: TestParse (index out of range)"},
		{fate.Verdict{Kind: fate.NoVerdict, Detail: "timeout"}, "no verdict (timeout)"},
	} {
		if got := c.v.String(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
