//go:build go1.25

package allele

import (
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/proc/job"
)

// setJob sets the job of this process, which may also be one that no command sends.
func setJob(t *testing.T, j job.Job) {
	old := currentJob
	t.Cleanup(func() { currentJob = old })
	currentJob = func() (*job.Job, error) { return &j, nil }
}

// keepGoing runs a Check with -keep-going and returns the first line of each report.
func keepGoing(t *testing.T, f func(t testing.TB)) (headlines []string, r *recorder) {
	t.Helper()
	setJob(t, job.Job{Search: job.Params{KeepGoing: true}})
	r = record(t, "TestX", f)
	for _, l := range r.lines {
		headlines = append(headlines, site.ReplaceAllString(strings.TrimSpace(strings.SplitN(strings.TrimSpace(l), "\n", 2)[0]), ""))
	}
	return headlines, r
}

var site = regexp.MustCompile(` \(\w+\.go:\d+\)`)

func lists(t *testing.T, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A helper that is called from two lines has two failures, also in a search, where calls
// of Helper are not recorded.
func TestKeepsGoingThroughHelpers(t *testing.T) {
	got, r := keepGoing(t, func(t testing.TB) {
		Check(t, func(t *T, in uint8) {
			small := func(max uint8) {
				t.Helper()
				if in > max {
					t.Errorf("above %d", max)
				}
			}
			if in%2 == 0 {
				small(100)
			} else {
				small(200)
			}
		}, Seed(1))
	})
	if len(got) != 2 || !strings.Contains(r.text(), "above 100") || !strings.Contains(r.text(), "above 200") {
		t.Errorf("%q", got)
	}
	r.has(t, "saved")
	if files, _ := filepath.Glob("testdata/allele/TestX/*.case"); len(files) != 2 {
		t.Errorf("%q", files)
	}
}

// The search goes on to its end, however runs fail. Known failures cost next to nothing.
func TestKeepsGoingAfterAnyFailure(t *testing.T) {
	runs := 0
	got, _ := keepGoing(t, func(t testing.TB) {
		Check(t, func(t *T, in uint16) {
			runs++
			switch in % 5 {
			case 0:
				t.Error("first")
			case 1:
				t.Fatal("second")
			case 2:
				panic("third")
			case 3:
				runtime.Goexit()
			}
		}, Seed(3), Tests(300))
	})
	if len(got) != 4 || runs < 1400 {
		t.Errorf("%d runs, %q", runs, got)
	}
}

// The verdict on a property that always fails is failed, not vacuous.
func TestKeepsGoingIsNotVacuous(t *testing.T) {
	got, _ := keepGoing(t, func(t testing.TB) { Check(t, func(t *T, in int) { t.Error("always") }) })
	lists(t, got, "property failed: always")
}

// A flaky failure is reported once and not stored.
func TestKeepsGoingFlaky(t *testing.T) {
	odd := false
	got, _ := keepGoing(t, func(t testing.TB) {
		Check(t, func(t *T, in int) {
			if odd = !odd; odd {
				t.Error("now and then")
			}
		})
	})
	lists(t, got, "flaky: property failed: now and then")
	if files, _ := filepath.Glob("testdata/allele/*/*"); len(files) != 0 {
		t.Errorf("%q", files)
	}
}

// All seeds are run, each failure is reported once, and the search goes on.
func TestKeepsGoingAfterSeeds(t *testing.T) {
	got, _ := keepGoing(t, func(t testing.TB) {
		Check(t, func(t *T, in int) {
			if in == 7 || in == 8 {
				t.Error("seven")
			}
			if in == 9 {
				t.Error("nine")
			}
			if in < -5 {
				t.Error("negative")
			}
		}, Example(7), Example(8), Example(9), Example(1), Seed(1))
	})
	lists(t, got, "property failed: seven", "property failed: nine", "property failed: negative")
}

// One process reports at most 50 failures.
func TestKeepsGoingToABound(t *testing.T) {
	got, r := keepGoing(t, func(t testing.TB) {
		Check(t, func(t *T, in uint8) {
			// As many places as there are inputs.
			t.runner().words.Lock()
			t.extra().at = fmt.Sprint("x.go:", in)
			t.runner().words.Unlock()
			t.Error("here")
		}, Tests(1000))
	})
	if len(got) != 50+1 {
		t.Errorf("%d", len(got))
	}
	r.has(t, "the search stops after 50 different failures; fix some of them first")
}

// A property that fails the enclosing test ends the search, also with -keep-going.
func TestKeepsGoingOuterT(t *testing.T) {
	got, _ := keepGoing(t, func(outer testing.TB) {
		Check(outer, func(t *T, in uint8) {
			if in > 3 {
				t.Error("first")
			}
			if in == 100 {
				outer.Fatal("wrong t")
			}
		})
	})
	lists(t, got, "wrong t", "property failed: first", "the property failed the enclosing test; use the t passed to the property")
}
