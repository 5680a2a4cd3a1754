//go:build go1.25

package allele

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// known48 is a property with a known bug, for large numbers with the digit 8. fails is the bug, and other another one.
func known48(fails, other func(in uint16) bool) func(t *T, in uint16) {
	return func(t *T, in uint16) {
		if in > 1000 && in%10 == 8 {
			t.Known("issue 48")
		}
		if fails(in) {
			t.Errorf("%d is wrong", in)
		}
		if other(in) {
			panic("another bug")
		}
	}
}

func eights(in uint16) bool { return in > 1000 && in%10 == 8 }
func never(uint16) bool     { return false }

// A failure of a run that is about a known bug is counted apart: it neither fails the test nor counts as passed. The
// search goes on and reports other bugs, and does not shrink them to the known one.
func TestKnown(t *testing.T) {
	r := record(t, "TestX", func(t testing.TB) { Check(t, known48(eights, never), Tests(1000)) })
	if r.failed {
		t.Errorf("failed:\n%s", r.text())
	}
	r = record(t, "TestX", func(t testing.TB) {
		Check(t, known48(eights, func(in uint16) bool { return in > 500 && in%3 == 0 }), Tests(1000), Seed(1))
	})
	r.has(t, "panicked: another bug", "known: issue 48   failed 1")
	if strings.Contains(r.text(), "is wrong") {
		t.Errorf("the known bug is reported:\n%s", r.text())
	}
}

// The name of a known bug is printed in one line, and cannot do anything to a terminal. The first name counts.
func TestKnownNames(t *testing.T) {
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in uint16) {
			if eights(in) {
				t.Known("red \x1b[31m\n and\xff" + strings.Repeat("long", 100))
				t.Known("another")
				t.Fail()
			} else if in > 60_000 {
				t.Error("large")
			}
		}, Tests(1000), Seed(1))
	})
	if strings.Contains(r.text(), "\x1b") || !utf8.ValidString(r.text()) || strings.Contains(r.text(), "another") {
		t.Errorf("%q", r.text())
	}
	r.has(t, `known: red \x1b[31m and`, "...   failed ")
}

// A Check with nothing but known bugs has checked nothing.
func TestKnownVacuous(t *testing.T) {
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in uint32) {
			t.Known("issue 48")
			if in > 1000 {
				t.Fatal("wrong")
			}
		})
	})
	if !r.failed {
		t.Errorf("not failed:\n%s", r.text())
	}
	r.has(t, " inputs were discarded or about known bugs; none passed", "known: issue 48   did not fail ", "known: issue 48   failed ", "Call t.Known for fewer inputs, or fix the bug")
}

// A known bug that no run shows any more is reported.
func TestKnownFixed(t *testing.T) {
	r := record(t, "TestX", func(t testing.TB) { Check(t, known48(never, never), Tests(1000)) })
	if r.failed {
		t.Errorf("failed:\n%s", r.text())
	}
	r.has(t, "note: known: issue 48: no failure in ", " about it; if the bug is fixed, remove t.Known")
}

// A bug without a name is known, too.
func TestKnownUnnamed(t *testing.T) {
	r := record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in uint16) {
			t.Known("")
			t.Fatal("wrong")
		})
	})
	r.has(t, "vacuous: ", "known: a bug without a name   failed ")
}

// A stored case of a known bug does not fail the test, and is not said to check nothing. An Assume that discards the
// input comes before the known bug.
func TestKnownCase(t *testing.T) {
	inEmptyPackage(t)
	r := recordHere(t, "TestX", func(t testing.TB) { Check(t, known48(never, eights), Tests(1000), Seed(3)) })
	if r.failed {
		t.Fatalf("a known panic failed:\n%s", r.text())
	}
	dir := filepath.Join("testdata", "allele", "TestX")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "fail-1.case")
	if err := os.WriteFile(file, []byte("// allele case 1\n// test     TestX\n\nuint16(1008)\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r = recordHere(t, "TestX", func(t testing.TB) { Check(t, known48(eights, never), Tests(100)) })
	if r.failed || strings.Contains(r.text(), "checks nothing") {
		t.Errorf("failed:\n%s", r.text())
	}
	r = recordHere(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in uint16) {
			if in > 1000 {
				t.Known("issue 48")
			}
			t.Assume(in < 1000)
		}, Tests(100))
	})
	r.has(t, "checks nothing: it was discarded by known_test.go:")
}

// A mistake in the property is no known bug.
func TestKnownMisuse(t *testing.T) {
	r := record(t, "TestX", func(outer testing.TB) {
		Check(outer, func(t *T, in uint16) {
			t.Known("issue 48")
			outer.FailNow()
		})
	})
	if !r.failed {
		t.Errorf("not failed:\n%s", r.text())
	}
}

// A known bug that is replayed skips the test.
func TestKnownReplay(t *testing.T) {
	for _, c := range []struct {
		fails func(uint16) bool
		want  string
	}{
		{eights, "the property fails for this input, which is known: issue 48"},
		{never, "the property does not fail for this input, although that is known: issue 48; if the bug is fixed, remove t.Known"},
	} {
		text := ""
		t.Run("replay", func(t *testing.T) {
			Replay(t, func(t *testing.T) {
				r := recordHere(t, t.Name(), func(t testing.TB) { Check(t, known48(c.fails, never)) })
				text = r.text()
			}, uint16(1008))
		})
		if !strings.Contains(text, c.want) {
			t.Errorf("%q, want %q", text, c.want)
		}
	}
}
