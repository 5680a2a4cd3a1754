package endless

import (
	"strings"
	"testing"
)

const passed = `property                                  runs      /s  passed   paths
scratch.TestFar                          1,050      51   100 %       2  ok
    1,016 runs took more than 5,000,000 steps and ended; -steps sets this limit
`

const failed = `property                                  runs      /s  passed   paths
scratch.TestRing                            12       3   100 %       8  FAILED
--- FAIL: TestRing (TIME)
    all_test.go:10: property did not end: it was stopped after 5,000,000 steps
        Without this limit, it had not ended after 2s.

        counterexample, shrunk in 11 runs:

            in := []byte{0x00, 0x00}

            func TestRing_46cf58(t *testing.T) {
            }
METER TIME
FAIL
    hottest: loop in Ring, endless.go:5
`

// A result has the counts of a property that passed, and the parts of a failure that must
// not change.
func TestRead(t *testing.T) {
	if r := read(passed); !r.ok || r.runs != 1050 || r.long != 1016 || r.report != "" {
		t.Errorf("%+v", r)
	}
	r, again := read(strings.ReplaceAll(failed, "TIME", "4.53s")), read(strings.ReplaceAll(failed, "TIME", "9s"))
	if r.ok || r.runs != 12 || r.long != 0 || !stopped.MatchString(r.report) || r != again {
		t.Errorf("%+v\n%+v", r, again)
	}
}

// There are as many programs as the pages say.
func TestPrograms(t *testing.T) {
	if long, endless := programs(long), programs(endless); len(long) != 20 || len(endless) != 11 {
		t.Errorf("%d long programs, %d endless ones", len(long), len(endless))
	}
}
