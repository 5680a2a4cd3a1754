//go:build go1.25

package corpus

import (
	"strings"
	"testing"
)

// A failed write that could not be truncated either damages no other entry: the next
// lines overwrite it, whether they are shorter or longer.
func TestTornAndNotTruncated(t *testing.T) {
	for _, size := range []int{1, 10, 100, 150, 1000} {
		dir := t.TempDir()
		w, err := Create(dir, "p", "TestX")
		if err != nil {
			t.Fatal(err)
		}
		for _, input := range []string{"a", "b", "c"} {
			torn := `5f00c2ab {"case":{"input":"` + strings.Repeat("x", size)
			if _, err := w.file.WriteAt([]byte(torn), w.end); err != nil {
				t.Fatal(err)
			}
			if err := w.Add(Entry{Input: input, Verdict: "passed"}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		c := read(t, dir)
		c.Damaged = 0 // an incomplete line may remain at the end
		if got := show(c); got != "a:passed@0 b:passed@0 c:passed@0 runs:0 " {
			t.Errorf("%d bytes: %s", size, got)
		}
	}
}

// Add returns an error before a segment is too long to be read.
func TestLongSegment(t *testing.T) {
	w, err := Create(t.TempDir(), "p", "TestX")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.max = w.end + 150
	if err := w.Add(Entry{Input: "a"}); err != nil {
		t.Fatal(err)
	}
	if err := w.Add(Entry{Input: "b"}); err == nil || !strings.Contains(err.Error(), "too long to be read") {
		t.Error(err)
	}
}

// Each writer in a folder has a file of its own, also after another one has finished.
func TestOneFileEach(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, "a:passed")
	_, before := first(t, dir)
	for range 2 {
		w, err := Create(dir, "p", "TestX")
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		if err := w.Add(Entry{Input: "b"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, after := first(t, dir); string(before) != string(after) || len(files(t, dir)) != 3 {
		t.Errorf("%s became %s; files %v", before, after, files(t, dir))
	}
	if err := Compact(dir, nil); err != nil || len(files(t, dir)) != 3 {
		t.Errorf("%v; files %v, and two are being written", err, files(t, dir))
	}
}
