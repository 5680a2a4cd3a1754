package page

import (
	"strings"
	"testing"
)

func TestNormal(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		{"time of a test", "--- PASS: TestX (0.01s)", "--- PASS: TestX (12.50s)", true},
		{"another test", "--- PASS: TestX (0.01s)", "--- PASS: TestY (0.01s)", false},
		{"time of a package", "ok  \texample.com/x\t0.012s", "ok  \texample.com/x\t1.012s", true},
		{"a package that was not run again", "ok  \texample.com/x\t0.012s", "ok   example.com/x  (cached)", true},
		{"time of a build", "built 1 package · 9 sites · 1 property        1.7s", "built 1 package · 9 sites · 1 property       300ms", true},
		{"sites", "built 1 package · 9 sites · 1 property 1.7s", "built 1 package · 8 sites · 1 property 1.7s", false},
		{"minutes", "1 property · 2 workers · 1m00s", "1 property · 2 workers · 59.9s", true},
		{"speed", "x.TestX    1,000     17k   100 %     293  ok", "x.TestX    1,000    1.2M   100 %     293  ok", true},
		{"runs", "x.TestX    1,000     17k   100 %     293  ok", "x.TestX    1,001     17k   100 %     293  ok", false},
		{"paths", "x.TestX    1,000     17k   100 %     293  ok", "x.TestX    1,000     17k   100 %     294  ok", false},
		{"shares of labels", "    size   12   100 %", "    size   13   100 %", false},
		{"a change of state", "  0:00  x.TestX  running", "  0:01  x.TestX  running", true},
		{"seeds", "run 7, seed 35: 6 passed", "run 7, seed 36: 6 passed", false},
		{"blanks elsewhere", "a  b", "a b", false},
		{"stacks", "goroutine 7 [running]: f(0xc000012345) +0x1d", "goroutine 18 [running]: f(0xc0000aaaa) +0x2e", true},
		{"an endless run", "    Without this limit, it had not ended when it used 512 MB of memory.", "    Without this limit, it had not ended after 10s.", true},
		{"small numbers in hexadecimal", "x{0x1}", "x{0x2}", false},
	} {
		if got := normal(c.a) == normal(c.b); got != c.same {
			t.Errorf("%s: same is %v:\n%s\n%s", c.name, got, normal(c.a), normal(c.b))
		}
	}
}

func TestSlowLines(t *testing.T) {
	const output = "built 1 package\n  0:25  x.TestX  shrinks a failure · 110 runs · 4 paths\n  0:01  builds the tests with faults · 90 MB\n\tx.TestX  FAILED \n\n"
	if got, want := strings.Join(Lines(output), "|"), "built 1 package|    x.TestX  FAILED"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMerge(t *testing.T) {
	for _, c := range []struct{ name, shown, got, want string }{
		{"the same", "a|b", "a|b", "a|b"},
		{"nothing shown", "", "a", "a"},
		{"nothing printed", "a", "", ""},
		{"only times differ", "a 1.0s|b", "a 2.0s|b", "a 1.0s|b"},
		{"old times stay beside what is new", "a 1.0s|b", "a 2.0s|c", "a 1.0s|c"},
		{"any lines", "...|c|...", "a|b|c", "...|c|..."},
		{"any lines in the middle", "a|...|a|b", "a|a|c|a|b", "a|...|a|b"},
		{"a line that is gone", "...|c", "a|b", "a|b"},
		{"elisions stay between lines that are there", "a|...|d|e", "a|b|c|d|f", "a|...|d|f"},
		{"at the end too", "a|b|...", "x|b|c|d", "x|b|..."},
	} {
		split := func(s string) []string { return Lines(strings.ReplaceAll(s, "|", "\n")) }
		if got := strings.Join(Merge(split(c.shown), split(c.got)), "|"); got != c.want {
			t.Errorf("%s: %s, wanted %s", c.name, got, c.want)
		}
	}
}

func TestLines(t *testing.T) {
	if got := strings.Join(Lines("        \n    \tin := 1\t\nok\tx\n\n"), "|"); got != "|        in := 1|ok\tx" {
		t.Errorf("%q", got)
	}
}

func TestShowsFailure(t *testing.T) {
	for line, want := range map[string]bool{
		"--- FAIL: TestX (0.00s)":                       true,
		"    --- FAIL: TestX/y (0.00s)":                 true,
		"FAIL\texample.com/x\t0.1s":                     true,
		"x.TestX   1,000   17k   100 %   293  FAILED 2": true,
		"FAILED     x.TestX  1 distinct failure, above": true,
		"a property is VACUOUS if it checks nothing":    false,
		"PASS": false,
	} {
		if got := ShowsFailure([]string{"a", line}); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}
