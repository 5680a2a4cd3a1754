//go:build go1.25

package corpus

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// Compact can drop entries, and does not touch a segment that is being written.
func TestCompact(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, "a:passed b:discarded")
	w, err := Create(dir, "example.com/tree", "TestInsert")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(Entry{Input: "c", Verdict: "discarded", Run: 3}); err != nil {
		t.Fatal(err)
	}
	keep(t, dir, "d:passed e:discarded")
	if err := Compact(dir, func(e Entry) bool { return e.Verdict == "passed" }); err != nil {
		t.Fatal(err)
	}
	if err := w.Add(Entry{Input: "f", Verdict: "passed", Run: 4}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := show(read(t, dir)); got != "a:passed@1 d:passed@1 c:discarded@3 f:passed@4 runs:4 b1" {
		t.Error(got)
	}
	if got := files(t, dir); len(got) != 2 {
		t.Errorf("left: %v", got)
	}
}

// Compact rewrites a segment if one entry is dropped, also if the segment has no line
// with progress: it then has no more lines than a segment that needs no rewriting.
func TestCompactDropsOne(t *testing.T) {
	dir := t.TempDir()
	w, err := Create(dir, "example.com/tree", "TestInsert")
	if err != nil {
		t.Fatal(err)
	}
	for _, input := range []string{"a", "b"} {
		if err := w.Add(Entry{Input: input, Verdict: "passed", Run: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := Compact(dir, func(e Entry) bool { return e.Input == "b" }); err != nil {
		t.Fatal(err)
	}
	if c := read(t, dir); len(c.Entries) != 1 || c.Entries[0].Input != "b" {
		t.Error(show(c))
	}
}

// Compact merges a segment that its writer did not close if the writer has exited, and
// removes the unfinished file of a Compact that was killed.
func TestCompactAfterCrash(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, "a:passed | b:passed")
	list, err := segments(dir, segmentExt)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if err := os.Rename(s.path(), s.owned(gone(t)).path()); err != nil {
			t.Fatal(err)
		}
	}
	half := list[0].owned(gone(t))
	half.ext = tmpExt
	if err := os.WriteFile(half.path(), []byte("allele"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Compact(dir, nil); err != nil {
		t.Fatal(err)
	}
	if got, want := files(t, dir), 1; len(got) != want {
		t.Errorf("left: %v", got)
	}
	if got := show(read(t, dir)); got != "a:passed@1 b:passed@2 runs:2 b2" {
		t.Error(got)
	}
}

// gone returns the owner name of a process that has exited.
func gone(t *testing.T) string {
	t.Helper()
	c := child(t, "nothing", "")
	if _, err := io.Copy(io.Discard, c.out); err != nil {
		t.Fatal(err)
	}
	c.cmd.Wait()
	_, host, _ := strings.Cut(self(), "-")
	return fmt.Sprintf("%d-%s", c.cmd.Process.Pid, host)
}

// Compact leaves a segment of another host, where it cannot know whether the process is
// alive, and a locked one on a system without locks.
func TestCompactLeavesOthers(t *testing.T) {
	owners := []string{self(), "1-ffffffff", "nonsense"}
	if os.Getenv("ALLELE_SHARED") == "off" {
		owners = append(owners, flocked)
	}
	for _, owner := range owners {
		dir := t.TempDir()
		keep(t, dir, "a:passed | b:passed | c:passed")
		list, err := segments(dir, segmentExt)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(list[1].path(), list[1].owned(owner).path()); err != nil {
			t.Fatal(err)
		}
		if err := Compact(dir, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(list[1].owned(owner).path()); err != nil || len(files(t, dir)) != 2 {
			t.Errorf("%s: %v", owner, files(t, dir))
		}
	}
}

// The steps of Compact: the merged segment gets its name, then the old segments are
// removed, the oldest first. The corpus is the same after each step.
func TestCompactSteps(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, "a:passed b:passed | c:passed a:discarded | b:cut | a:cut d:passed")
	want := "a:cut@1 b:cut@2 c:passed@3 d:passed@7 runs:7 b4"
	list, err := segments(dir, segmentExt)
	if err != nil {
		t.Fatal(err)
	}
	c := read(t, dir)
	if err := write(dir, list[0].number, c); err != nil {
		t.Fatal(err)
	}
	for step := 0; ; step++ {
		if got := show(read(t, dir)); got != want {
			t.Errorf("after step %d: %s, want %s", step, got, want)
		}
		if step == len(list) {
			break
		}
		if err := os.Remove(list[step].path()); err != nil {
			t.Fatal(err)
		}
	}
}

// If a segment cannot be removed, the later ones are not removed either.
func TestCompactStopsAtWhatStays(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, "a:passed | a:discarded | a:cut")
	r := newReader()
	list, err := segments(dir, segmentExt)
	if err != nil {
		t.Fatal(err)
	}
	claims := claimWhole(list, r)
	// A folder that is not empty cannot be removed, not even by root.
	stays := claims[1].path()
	if err := os.Rename(stays, stays+"~"); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(stays, "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := merge(dir, claims, &r.corpus); err == nil {
		t.Error("no error")
	}
	for _, c := range claims {
		c.release()
	}
	if got := show(read(t, dir)); got != "a:cut@1 runs:3 b3" {
		t.Error(got)
	}
	if got := files(t, dir); len(got) != 4 { // merged, the two names of the one that stays, and the last
		t.Errorf("left: %v", got)
	}
}

// Two races that are too rare to wait for: another process has removed the file that was
// just locked, and a folder was listed while Compact changed it.
func TestRareRaces(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if !stillAt(f, name) {
		t.Error("the file is there")
	}
	if err := os.Rename(name, name+"~"); err != nil || stillAt(f, name) {
		t.Error("the file was removed", err)
	}
	if err := os.WriteFile(name, nil, 0o666); err != nil || stillAt(f, name) {
		t.Error("another file has the name", err)
	}
	for _, row := range []struct {
		name, before, after string
		want                bool
	}{
		{"nothing changed", "000001-1.corpus", "000001-1.corpus", true},
		{"a writer began", "000001-1.corpus", "000001-1.corpus 000002-1.flock.corpus", true},
		{"segments were merged", "000001-1.corpus", "000001-1.corpus 000001-2.corpus", false},
		{"a segment was removed", "000001-1.corpus 000002-1.corpus", "000001-1.corpus", false},
		{"a writer ended", "000001-1.flock.corpus", "000001-1.corpus", false},
	} {
		if got := settled(named(row.before), named(row.after)); got != row.want {
			t.Errorf("%s: %v", row.name, got)
		}
	}
}

func named(names string) (list []segment) {
	for _, name := range strings.Fields(names) {
		s, _ := parseName("", name)
		list = append(list, s)
	}
	return list
}

// With writers, readers and Compact at the same time, Read finds all entries that were
// added before.
func TestAtOnce(t *testing.T) {
	dir := t.TempDir()
	var mu sync.Mutex
	added := 0 // entries 1 to added exist
	var work, aside sync.WaitGroup
	done := make(chan bool)
	until := func(do func()) {
		aside.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					do()
				}
			}
		})
	}
	for range 2 {
		// The test must leave the readers moments in which the folder does not change, on a
		// slow machine too: half of the time nobody compacts.
		until(func() {
			start := time.Now()
			if err := Compact(dir, nil); err != nil {
				t.Error(err)
			}
			time.Sleep(2*time.Millisecond + 3*time.Since(start))
		})
		until(func() {
			mu.Lock()
			want := added
			mu.Unlock()
			c, err := Read(dir)
			if err != nil || len(c.Entries) < want || c.Damaged > 0 {
				t.Errorf("%d of %d cases, %v, %v", len(c.Entries), want, c.Problems, err)
			}
		})
	}
	for range 2 {
		work.Go(func() {
			for range 60 {
				w, err := Create(dir, "p", "TestX")
				if err != nil {
					t.Error(err)
					return
				}
				for range 5 {
					mu.Lock()
					if err := w.Add(Entry{Input: fmt.Sprint(added + 1)}); err != nil {
						t.Error(err)
					}
					added++
					mu.Unlock()
				}
				if err := w.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	work.Wait()
	close(done)
	aside.Wait()
	if c := read(t, dir); len(c.Entries) != added {
		t.Errorf("%d of %d cases", len(c.Entries), added)
	}
}
