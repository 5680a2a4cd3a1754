package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/allele-go/allele/internal/ops/filelock"
)

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// A command removes what one that was killed has left, and nothing of one that runs.
func TestSweep(t *testing.T) {
	work := t.TempDir()
	running := &campaign{work: work}
	if err := running.makeTemp(); err != nil {
		t.Fatal(err)
	}
	defer running.removeTemp()
	if _, able := filelock.Lock(running.tempLock); !able {
		t.Skip("there are no locks on this system")
	}
	dead := filepath.Join(work, "run-dead")
	for _, name := range []string{"mail-1/in-0", tempLock} {
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
	next := &campaign{work: work}
	if err := next.makeTemp(); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]bool{dead: false, young: true, running.temp: true, next.temp: true} {
		if exists(dir) != want {
			t.Errorf("%s: there %v, want %v", filepath.Base(dir), !want, want)
		}
	}
	if next.removeTemp(); exists(next.temp) {
		t.Error("it is still there after the end")
	}
}
