//go:build go1.25

package proc

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// journals renders what the journals of processes that have died contain for a Check.
func journals(t *testing.T, path, name string) string {
	t.Helper()
	j, left, err := NewJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Remove()
	var b strings.Builder
	for _, file := range left {
		if u, ok := Died(file, name); ok {
			fmt.Fprintf(&b, "run %d of %+v:", u.Run, u.Search)
			for _, in := range u.Inputs {
				fmt.Fprintf(&b, " %d=%s", in.Run, bytes.TrimRight(in.Data, "."))
			}
			u.Close(true)
		}
	}
	return b.String()
}

// dies makes the journal look like that of a process that has died.
func (j *Journal) dies() {
	unshare(j.mem) // which also refers to the locked file
	j.file.Close()
}

// A process that has died leaves what it was running. A process that ends normally, or still
// runs, leaves nothing.
func TestJournal(t *testing.T) {
	if !Shared() {
		t.Skip("processes cannot share memory")
	}
	search := Search{Seed: 7, Size: 8, Tests: 9}
	for _, c := range []struct {
		name, want string
		process    func(j *Journal)
	}{
		{"in a run", "run 12 of {Seed:7 Size:8 Tests:9}:", func(j *Journal) { j.Enter("TestX", search).Run(12); j.dies() }},
		{"with inputs", "run 3 of {Seed:7 Size:8 Tests:9}: 2=b 1=a", func(j *Journal) {
			e := j.Enter("TestX", search)
			e.Begin(1, []byte("a..............."))
			e.Begin(2, []byte("b..............."))
			e.Run(3)
			j.dies()
		}},
		{"not in the search", "run 0 of {Seed:7 Size:8 Tests:9}: 0=a", func(j *Journal) {
			j.Enter("TestX", search).Begin(0, []byte("a..............."))
			j.dies()
		}},
		{"before a run", "", func(j *Journal) { j.Enter("TestX", search); j.dies() }},
		{"after the Check", "", func(j *Journal) { e := j.Enter("TestX", search); e.Run(1); e.Leave(); j.dies() }},
		{"in another Check", "", func(j *Journal) { j.Enter("TestXY", search).Run(1); j.dies() }},
		{"in two Checks", "run 2 of {Seed:7 Size:8 Tests:9}:", func(j *Journal) {
			j.Enter("TestY", search).Run(1)
			j.Enter("TestX", search).Run(2)
			j.dies()
		}},
		{"normally", "", func(j *Journal) { j.Enter("TestX", search).Run(1); j.Remove() }},
		{"not at all", "", func(j *Journal) { j.Enter("TestX", search).Run(1); t.Cleanup(j.Remove) }},
		{"damaged", "", func(j *Journal) {
			j.Enter("TestX", search).Run(1)
			j.file.WriteAt(bytes.Repeat([]byte{255}, 4096), 8)
			j.dies()
		}},
		{"truncated", "", func(j *Journal) { j.Enter("TestX", search).Run(1); os.Truncate(j.path, 100); j.dies() }},
	} {
		path := JournalPath(t.TempDir(), "/home/me/x", "example.com/x")
		j, _, err := NewJournal(path)
		if err != nil {
			t.Fatal(err)
		}
		c.process(j)
		if got := journals(t, path, "TestX"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got := journals(t, path, "TestX"); got != "" {
			t.Errorf("%s: the second time %q", c.name, got)
		}
	}
}

// The last inputs are kept, however large they are, unless they are larger than an entry allows.
func TestJournalSizes(t *testing.T) {
	if !Shared() {
		t.Skip("processes cannot share memory")
	}
	path := JournalPath(t.TempDir(), "/x", "x")
	j, _, err := NewJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	e := j.Enter("TestX", Search{})
	for run := 1; run <= 1000; run++ {
		e.Begin(run, bytes.Repeat([]byte{byte(run)}, run*16%3000))
	}
	e.Begin(1001, make([]byte, inputMax+1))
	e.Begin(1002, bytes.Repeat([]byte{42}, inputMax))
	j.dies()
	u, ok := Died(path+"0"+journalSuffix, "TestX")
	if !ok || u.Run != 1002 || len(u.Inputs) < 2 || len(u.Inputs[0].Data) != inputMax || u.Inputs[0].Data[inputMax-1] != 42 {
		t.Fatal(ok, u.Run, len(u.Inputs))
	}
	for _, in := range u.Inputs[1:min(5, len(u.Inputs))] {
		if len(in.Data) != in.Run*16%3000 || len(in.Data) > 0 && in.Data[0] != byte(in.Run) {
			t.Errorf("run %d has %d bytes", in.Run, len(in.Data))
		}
	}
	u.Close(true)
	if files, _ := filepath.Glob(path + "*"); len(files) != 0 {
		t.Errorf("left behind: %q", files)
	}
}

// A link or a file of two names may belong to somebody else, so it is not a journal.
func TestJournalIsPrivate(t *testing.T) {
	if !Shared() {
		t.Skip("processes cannot share memory")
	}
	path := JournalPath(t.TempDir(), "/x", "x")
	j, _, err := NewJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	j.Enter("TestX", Search{}).Run(1)
	j.dies()
	if err := os.Link(j.path, path+"1"+journalSuffix); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(j.path, path+"2"+journalSuffix); err != nil {
		t.Fatal(err)
	}
	last, left, err := NewJournal(path)
	if err != nil || len(left) != 0 {
		t.Fatalf("%q, %v", left, err)
	}
	if _, _, err := NewJournal(path); err == nil {
		t.Error("a fifth process has a journal")
	}
	last.Remove()
}
