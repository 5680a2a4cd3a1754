//go:build go1.25

package allele

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A stored case of another Check of the package is run too, if it is an input of this one: the
// Check that it belongs to may have been renamed, split or reordered.
func TestBorrowedCases(t *testing.T) {
	check := func(t testing.TB) {
		Check(t, func(t *T, in invoice) {
			t.Assume(in.Price != 5)
			if in.Price == 73214 {
				t.Error("unlucky")
			}
		})
	}
	for _, c := range []struct {
		name, file, text string
		found            bool
	}{
		{"a test that was renamed", "TestOld/fail-1.case", "// test TestOld\n// verdict failed\n\ninvoice{Price: 73214, Name: `a`}", true},
		{"another Check of the test", "TestX#2/fail-1.case", "// test TestX#2\n// shrunk 1\n\ninvoice{Price: 73214}", true},
		{"a case that a person wrote", "TestOld%2Fsub/mine.case", "invoice{Price: 73_214}", true},
		{"inputs of another type", "TestOld/fail-1.case", "order{Price: 73214, Count: 1}", false},
		{"another type with the same field", "TestOld/fail-1.case", "&order{Price: 73214}", false},
		{"a file that is no case", "TestOld/fail-1.case", "?", false},
		{"a case that passed", "TestOld/keep-1.case", "// test TestOld\n// verdict passed\n\ninvoice{Price: 73214}", false},
		{"a case that an assumption discards", "TestOld/fail-1.case", "invoice{Price: 5}", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			inEmptyPackage(t)
			file := filepath.Join("testdata", "allele", c.file)
			os.MkdirAll(filepath.Dir(file), 0o777)
			os.WriteFile(file, []byte(c.text), 0o666)
			r := recordHere(t, "TestX", check)
			if !c.found {
				if r.failed || len(r.lines) > 0 {
					t.Errorf("failed is %v\n%s", r.failed, r.text())
				}
				return
			}
			r.has(t, "property failed: unlucky", "from     testdata/allele/"+c.file)
			stored, _ := filepath.Glob("testdata/allele/TestX/fail-*.case")
			if len(stored) != 1 || !strings.Contains(read(t, stored[0]), "invoice{Price: 73214}") {
				t.Errorf("stored %v", stored)
			}
			if got := read(t, file); got != c.text {
				t.Errorf("the borrowed case is changed:\n%s", got)
			}
		})
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Only cases that existed when the test binary started are borrowed. Otherwise the result of a test
// would depend on whether another test has failed before it.
func TestBorrowedFromTheStart(t *testing.T) {
	write(t, map[string]string{"a.case": "9500"})
	check := func(t testing.TB) {
		Check(t, func(t *T, in int) {
			if in > 9000 && t.Name() == "TestX" || in == 9001 {
				t.Error("large")
			}
		}, Range(-9500, 9500))
	}
	if r := recordHere(t, "TestX", check); !r.failed {
		t.Fatal(r.text())
	}
	if stored, _ := filepath.Glob("testdata/allele/TestX/fail-*.case"); len(stored) != 1 {
		t.Fatal(stored)
	}
	if r := recordHere(t, "TestY", check); r.failed {
		t.Error(r.text())
	}
}

// The borrowed inputs do not change which inputs a Check generates.
func TestBorrowedChangesNothing(t *testing.T) {
	inputs := func(t *testing.T) (all []int) {
		recordHere(t, "TestX", func(t testing.TB) {
			Check(t, func(t *T, in int) { all = append(all, in) }, Tests(50))
		})
		return all
	}
	inEmptyPackage(t)
	without := inputs(t)
	inEmptyPackage(t)
	os.MkdirAll("testdata/allele/TestOld", 0o777)
	os.WriteFile("testdata/allele/TestOld/a.case", []byte("73214"), 0o666)
	with := inputs(t)
	if len(with) != len(without)+1 || with[0] != 73214 {
		t.Fatalf("%v\n%v", without, with)
	}
	for i, x := range without {
		if with[i+1] != x {
			t.Errorf("run %d: %d, want %d", i, with[i+1], x)
		}
	}
}
