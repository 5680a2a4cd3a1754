//go:build go1.25

package proc_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/allele-go/allele/internal/proc"
)

func open(t *testing.T, path string) *proc.Box {
	t.Helper()
	b, err := proc.OpenBox(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// Next returns the messages in order, as soon as they are complete.
func TestBox(t *testing.T) {
	path := filepath.Join(t.TempDir(), "box")
	to, from := open(t, path), open(t, path)
	if got := from.Next(); len(got) > 0 {
		t.Errorf("%q", got)
	}
	sent := 0
	for round := range 50 {
		for range round % 4 {
			if ok, err := to.Put(fmt.Appendf(nil, "message %d", sent)); !ok || err != nil {
				t.Fatal(ok, err)
			}
			sent++
		}
		for i, m := range from.Next() {
			if want := fmt.Sprintf("message %d", sent-round%4+i); string(m) != want {
				t.Errorf("%q, want %q", m, want)
			}
		}
	}
	if ok, err := to.Put(make([]byte, 2<<20)); ok || err != nil {
		t.Error("a message that is too large was accepted", err)
	}
	large := bytes.Repeat([]byte("x"), 900_000)
	to.Put(large)
	to.Put([]byte("last"))
	var got [][]byte
	for range 5 {
		got = append(got, from.Next()...)
	}
	if len(got) != 2 || !bytes.Equal(got[0], large) || string(got[1]) != "last" {
		t.Errorf("%d messages", len(got))
	}
}

// Next does not panic on a damaged box.
func TestDamagedBox(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	path := filepath.Join(t.TempDir(), "box")
	for range 2000 {
		data := make([]byte, r.IntN(64))
		for i := range data {
			data[i] = byte(r.IntN(4)) // small lengths now and then
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		b, err := proc.OpenBox(path)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			b.Next()
		}
		b.Close()
	}
}
