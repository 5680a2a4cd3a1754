//go:build go1.25 && (linux || darwin)

package corpus

import (
	"fmt"
	"io"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// fillDisk adds entries until the disk is full, prints the error, frees space, and
// continues.
func fillDisk(dir string) error {
	signal.Ignore(syscall.SIGXFSZ)
	w, err := Create(dir, "p", "TestX")
	if err != nil {
		return err
	}
	n := 0
	add := func() error {
		n++
		return w.Add(Entry{Input: fmt.Sprint(n), Why: strings.Repeat("why ", 50)})
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	room := limit.Cur
	for range 3 {
		limit.Cur = uint64(w.end) + 1000
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			return err
		}
		for err = nil; err == nil; {
			err = add()
		}
		fmt.Println(n, err)
		if info, err := w.file.Stat(); err != nil || info.Size() != w.end {
			return fmt.Errorf("%d bytes, %d are good: %v", info.Size(), w.end, err)
		}
		limit.Cur = room
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			return err
		}
		if err := add(); err != nil {
			return err
		}
	}
	return w.Close()
}

// A full disk loses only the entries that did not fit. Later entries are saved.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	c := child(t, "disk", dir)
	out, _ := io.ReadAll(c.out)
	if err := c.cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	refused := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		n, text, _ := strings.Cut(line, " ")
		refused[n] = true
		for _, want := range []string{"save an input in " + dir, "file too large", "free some disk space", "XDG_CACHE_HOME"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q does not contain %q", text, want)
			}
		}
	}
	corpus := read(t, dir)
	for _, e := range corpus.Entries {
		if refused[e.Input] {
			t.Errorf("%s was rejected and is in the corpus", e.Input)
		}
	}
	if len(refused) != 3 || corpus.Damaged > 0 || len(corpus.Entries) < 9 {
		t.Errorf("%d rejected, %d in the corpus, %v", len(refused), len(corpus.Entries), corpus.Problems)
	}
}
