//go:build go1.25

package filelock

import (
	"os"
	"os/exec"
	"testing"
)

// A lock belongs to one open file until that is closed.
func TestLock(t *testing.T) {
	path := t.TempDir() + "/file"
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first, second := open(), open()
	defer second.Close()
	held, able := Lock(first)
	if !able {
		t.Skip("there are no locks on this system")
	}
	if !held {
		t.Error("not held, although the file was not locked")
	}
	if held, able := Lock(second); held || !able {
		t.Errorf("held %v, able %v, while the first file has the lock", held, able)
	}
	first.Close()
	if held, _ := Lock(second); !held {
		t.Error("not held, although the first file was closed")
	}
}

func TestEnded(t *testing.T) {
	if Ended(os.Getpid()) {
		t.Error("this process has not ended")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if !Ended(cmd.Process.Pid) {
		t.Error("a process that was waited for has ended")
	}
}
