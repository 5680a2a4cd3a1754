package spool

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/campaign/transport"
)

func failure(n int) transport.Failure {
	return transport.Failure{Key: transport.Key{byte(n >> 8), byte(n)}, Worker: "w", Data: fmt.Append(nil, "failure ", n)}
}

// A failure stays until it is reported, however often that fails, and also if the spool is opened again.
func TestSend(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if err := s.Add(failure(i)); err != nil {
			t.Fatal(err)
		}
	}
	if s, err = Open(dir); err != nil || s.Len() != 5 {
		t.Fatalf("%d failures after opening again, %v", s.Len(), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var mu sync.Mutex
	tries, got := 0, map[string]int{}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Send(ctx, func(_ context.Context, f transport.Failure) error {
			mu.Lock()
			defer mu.Unlock()
			if tries++; tries%3 != 0 {
				return errors.New("down")
			}
			got[string(f.Data)]++
			return nil
		})
	}()
	await(t, func() bool { return s.Len() == 0 })
	if err := s.Add(failure(7)); err != nil { // while it sends
		t.Fatal(err)
	}
	await(t, func() bool { return s.Len() == 0 })
	cancel()
	<-ended
	for data, n := range got {
		if n != 1 {
			t.Errorf("%s was reported %d times", data, n)
		}
	}
	if len(got) != 6 {
		t.Errorf("reported: %v", got)
	}
}

func await(t *testing.T, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not after a minute")
		}
	}
}

// A file that is no failure is kept for a person, and does not stop the others.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "00"+ext), []byte("no failure"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Add(failure(1)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go s.Send(ctx, func(context.Context, transport.Failure) error { return nil })
	await(t, func() bool { return s.Len() == 0 })
	cancel()
	if _, err := os.Stat(filepath.Join(dir, "00.damaged")); err != nil {
		t.Error(err)
	}
}

// A process that is killed while it adds failures loses none that it has added.
func TestKilled(t *testing.T) {
	if dir := os.Getenv("SPOOL_TEST"); dir != "" {
		add(dir)
	}
	for range 5 {
		dir := t.TempDir()
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), "SPOOL_TEST="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(100*time.Millisecond, func() { cmd.Process.Kill() })
		added := 0
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "added") {
				added++
			}
		}
		cmd.Wait() // it was killed
		s, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if s.Len() < added {
			t.Errorf("%d of %d failures", s.Len(), added)
		}
		for _, file := range s.files() {
			if _, err := read(file); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
		if parts, _ := filepath.Glob(filepath.Join(dir, "part-*")); len(parts) > 0 {
			t.Errorf("left: %q", parts)
		}
	}
}

// add adds failures until the process is killed, and says so.
func add(dir string) {
	s, err := Open(dir)
	for i := 0; err == nil; i++ {
		if err = s.Add(failure(i)); err == nil {
			fmt.Println("added", i)
		}
	}
	fmt.Println(err)
	os.Exit(1)
}
