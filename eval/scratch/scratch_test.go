package scratch

import "testing"

const failed = `built 1 package · 114 sites · 1 property                               400ms
property                                      runs      /s  passed   paths
scratch.TestRBHard                          28,241    105k     9 %   1,330  FAILED
    kept 681 inputs
=== RUN   TestRBHard
            	in := RBKey{
            		Tree: &RB{
            			R: &RB{K: 4},
            		},
            	}
            	allele.Replay(t, TestRBHard, in)
--- FAIL: TestRBHard (0.27s)
FAIL
METER 250000000
`

func TestRead(t *testing.T) {
	run, err := read(failed)
	if err != nil || !run.Failed || run.Runs != 28241 || run.CPU != 0.25 || run.Wall != 0.27 || run.Literals() != 3 {
		t.Errorf("%+v, %d literals, %v", run, run.Literals(), err)
	}
	if _, err := read("scratch.TestX  -  -  CRASHED"); err == nil {
		t.Error("a crash is read as a run")
	}
}
