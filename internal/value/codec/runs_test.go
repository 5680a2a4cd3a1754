//go:build go1.25

package codec_test

import (
	"testing"

	"github.com/allele-go/allele/internal/value/codec"
)

func TestRuns(t *testing.T) {
	for _, c := range []struct {
		text string
		want codec.Runs
		back string
	}{
		{"", codec.Runs{}, ""},
		{"isolated", codec.Runs{Isolated: true, Tries: 1}, "isolated"},
		{"  isolated   1 times ", codec.Runs{Isolated: true, Tries: 1}, "isolated"},
		{"isolated 100 times", codec.Runs{Isolated: true, Tries: 100}, "isolated 100 times"},
		{"isolated 99999999 times", codec.Runs{Isolated: true, Tries: 10_000}, "isolated 10000 times"},
	} {
		if got, err := codec.ParseRuns(c.text); err != nil || got != c.want || got.String() != c.back {
			t.Errorf("%q: %+v, %v, %q", c.text, got, err, got.String())
		}
	}
	for _, text := range []string{"in a process of its own", "isolated -1 times", "isolated 0 times", "isolated 3", "3 times", "isolated x times", "isolated 3 times or so"} {
		if got, err := codec.ParseRuns(text); err == nil {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}
