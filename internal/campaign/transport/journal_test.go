//go:build go1.25

package transport

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func testKey(n int) (k Key) {
	binary.BigEndian.PutUint64(k[8:], uint64(n))
	return k
}

// A process that is killed while it appends leaves a part of a record, of any length. The records before it are intact,
// and the next process goes on.
func TestTornRecord(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, recordsName)
	offer := func(n int) {
		t.Helper()
		x, err := Dir(folder)
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		if won, err := x.Offer(t.Context(), Case{Key: testKey(n), Worker: "a", Data: []byte("data")}); !won || err != nil {
			t.Fatalf("offer %d: won %v, %v", n, won, err)
		}
	}
	offer(0)
	one, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	offer(1)
	two, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for cut := len(one); cut < len(two); cut++ {
		if err := os.WriteFile(file, two[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		offer(1)
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, two) {
			t.Fatalf("cut at %d of %d: %d bytes, %v", cut, len(two), len(got), err)
		}
	}
	// The length of the file is right, and the last bytes are not: they did not reach the disk.
	for _, lost := range []int{3, len(two) - len(one)} {
		if err := os.WriteFile(file, append(bytes.Clone(two[:len(two)-lost]), make([]byte, lost)...), 0o666); err != nil {
			t.Fatal(err)
		}
		offer(1)
	}
}

// A damaged record in the middle of a file is an error that says where, and no call gets past it.
func TestDamagedRecord(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, recordsName)
	x, err := Dir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if _, err := x.Offer(t.Context(), Case{Key: testKey(100 + i), Worker: "a"}); err != nil {
			t.Fatal(err)
		}
	}
	x.Close()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for at := range 2 * len(data) / 3 {
		damaged := bytes.Clone(data)
		damaged[at] ^= 0x40
		if err := os.WriteFile(file, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		x, err := Dir(folder)
		if err != nil {
			t.Fatal(err)
		}
		_, err = x.Offer(t.Context(), Case{Key: testKey(9), Worker: "a"})
		x.Close()
		if want := fmt.Sprintf("is damaged at byte %d:", at/(len(data)/3)*(len(data)/3)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("byte %d: %v, want an error with %q", at, err, want)
		}
	}
}

// TestWriter is a process that offers cases until it is killed.
func TestWriter(t *testing.T) {
	folder := os.Getenv("TRANSPORT_WRITER")
	if folder == "" {
		t.Skip("this is a process of another test")
	}
	x, err := Dir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; ; i++ {
		worker := fmt.Sprint(os.Getpid())
		won, err := x.Offer(context.Background(), Case{Key: testKey(i), Worker: worker, Data: bytes.Repeat([]byte{'x'}, i%5000)})
		if err != nil {
			t.Fatal(err)
		}
		if won {
			fmt.Printf("won %d\n", i)
		}
	}
}

func hasText(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Size() > 0
}

// Processes that are killed at any moment lose no case that they have won, and no case has two winners.
func TestKilledWriters(t *testing.T) {
	folder := t.TempDir()
	won := map[int]bool{}
	for round := range 8 {
		var writers []*exec.Cmd
		var outputs []string
		for i := range 2 {
			out, err := os.Create(filepath.Join(t.TempDir(), fmt.Sprint(round, i)))
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			cmd := exec.Command(os.Args[0], "-test.run=^TestWriter$")
			cmd.Env = append(os.Environ(), "TRANSPORT_WRITER="+folder)
			cmd.Stdout = out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			writers, outputs = append(writers, cmd), append(outputs, out.Name())
		}
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
			if slices.ContainsFunc(outputs, hasText) {
				break // a busy machine may need long to start a process
			}
		}
		time.Sleep(time.Duration(10+17*round) * time.Millisecond)
		for i, cmd := range writers {
			cmd.Process.Kill() // it has not exited
			cmd.Wait()         // killed
			text, err := os.ReadFile(outputs[i])
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				var n int
				if _, err := fmt.Sscanf(line, "won %d\n", &n); err != nil {
					continue // a part of a line
				}
				if won[n] {
					t.Errorf("case %d was won twice", n)
				}
				won[n] = true
			}
		}
	}
	if len(won) == 0 {
		t.Fatal("no writer has won a case")
	}
	d, err := openDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	err = d.change(t.Context(), func(s *state) []record {
		for n := range won {
			if _, known := s.owners[testKey(n)]; !known {
				t.Errorf("case %d is lost", n)
			}
		}
		if len(s.cases) < len(won) {
			t.Errorf("%d cases, and %d were won", len(s.cases), len(won))
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	t.Logf("%d cases won", len(won))
}
