//go:build go1.25 && linux

package proc

import (
	"os"
	"os/exec"
	"testing"
)

// The family is this process and its descendants, with the memory that each uses.
func TestFamily(t *testing.T) {
	cmd := exec.Command("sh", "-c", "sh -c 'echo $$; read x'; true")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 10)); err != nil { // now the inner shell runs
		t.Fatal(err)
	}
	family := Family()
	in.Close()
	cmd.Wait()
	if len(family) < 3 || family[os.Getpid()] < 1<<20 || family[cmd.Process.Pid] == 0 {
		t.Errorf("own number %d, child %d: %v", os.Getpid(), cmd.Process.Pid, family)
	}
	if family := Family(); family[cmd.Process.Pid] != 0 {
		t.Errorf("a process that has exited: %v", family)
	}
	if n := MachineMemory(); n < 64<<20 {
		t.Errorf("the machine has %d bytes", n)
	}
}
