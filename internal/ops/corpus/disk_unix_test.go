//go:build linux || darwin

package corpus

import (
	"fmt"
	"io"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// fillDisk adds cases until there is no room, prints the error, makes room, and
// goes on.
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

// A full disk costs the cases that did not fit, and nothing after them.
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
		for _, want := range []string{"keep a case in " + dir, "file too large", "free some space", "XDG_CACHE_HOME"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q does not say %q", text, want)
			}
		}
	}
	corpus := read(t, dir)
	for _, e := range corpus.Entries {
		if refused[e.Input] {
			t.Errorf("%s was refused and is there", e.Input)
		}
	}
	if len(refused) != 3 || corpus.Damaged > 0 || len(corpus.Entries) < 9 {
		t.Errorf("%d refused, %d there, %v", len(refused), len(corpus.Entries), corpus.Problems)
	}
}
