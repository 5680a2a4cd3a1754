//go:build go1.25

package cache

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/allele-go/allele/internal/filelock"
)

// A command removes the temporary folder of a command that was killed, and not of one that
// runs.
func TestSweep(t *testing.T) {
	work := t.TempDir()
	running, err := makeTemp(work)
	if err != nil {
		t.Fatal(err)
	}
	defer running.Remove()
	if _, able := filelock.Lock(running.lock); !able {
		t.Skip("there are no locks on this system")
	}
	dead := filepath.Join(work, "run-dead")
	for _, name := range []string{"exchange-1/in-0", tempLock} {
		file := filepath.Join(dead, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	young := filepath.Join(work, "run-young") // it is about to take its lock
	if err := os.Mkdir(young, 0o777); err != nil {
		t.Fatal(err)
	}
	next, err := makeTemp(work)
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]bool{dead: false, young: true, running.Path: true, next.Path: true} {
		if exists(dir) != want {
			t.Errorf("%s: there %v, want %v", filepath.Base(dir), !want, want)
		}
	}
	if next.Remove(); exists(next.Path) {
		t.Error("it is still there after the end")
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
