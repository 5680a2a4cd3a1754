//go:build go1.25

package exchange

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/share"
)

// A relay delivers the case of a worker to the others, once. A worker without a process gets it
// when it has one.
func TestRelay(t *testing.T) {
	dir := t.TempDir()
	r, err := NewRelay(dir, 3, NewMemory())
	if err != nil {
		t.Fatal(err)
	}
	var slots []*proc.Slot
	var clients []*share.Client
	for i := range 3 {
		s, err := proc.NewSlot(filepath.Join(dir, proc.SlotName(i)))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Remove()
		slots, clients = append(slots, s), append(clients, share.Dial(r.Boxes(i)))
	}
	r.Attach(0, slots[0])
	if slots[0].HasOthers() {
		t.Error("the first worker is not alone")
	}
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	if err := r.Start(); err != nil {
		t.Fatal("a second start:", err)
	}
	r.Attach(1, slots[1])
	if !slots[0].HasOthers() || !slots[1].HasOthers() {
		t.Error("the workers do not know that they have others")
	}
	clients[0].Send(share.Case{Trace: 7, Verdict: 2, Path: []uint32{1, 2}, Term: []byte("x")})
	clients[0].Send(share.Case{Path: make([]uint32, share.PathMax+1)}) // too long
	wait(t, func() bool { return clients[1].Waiting(slots[1].Messages()) })
	if got := fmt.Sprint(clients[1].Receive(slots[1].Messages())); got != "[{7 2 false [1 2]  [120]}]" {
		t.Errorf("worker 1 got %s", got)
	}
	if clients[1].Waiting(slots[1].Messages()) || clients[0].Waiting(slots[0].Messages()) {
		t.Error("there are more messages")
	}
	r.Attach(2, slots[2])
	wait(t, func() bool { return clients[2].Waiting(slots[2].Messages()) })
	if got := clients[2].Receive(slots[2].Messages()); len(got) != 1 {
		t.Errorf("worker 2 got %v", got)
	}
	for i, want := range []string{"1 0", "0 1", "0 1"} {
		if got := fmt.Sprintln(clients[i].Counts()); got != want+"\n" {
			t.Errorf("worker %d: sent and received %s, want %s", i, got, want)
		}
	}
	in, out := r.in, r.out
	r.Close()
	for i := range in {
		if in[i].Close() == nil || out[i].Close() == nil {
			t.Errorf("boxes of worker %d are open", i)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "exchange-*")); len(left) > 0 || err != nil {
		t.Error(left, err)
	}
}

func wait(t *testing.T, done func() bool) {
	t.Helper()
	for range 200 {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("nothing was delivered")
}

// Without workers, a relay does nothing.
func TestNoRelay(t *testing.T) {
	var r *Relay
	r.Attach(0, nil)
	r.Close()
	if _, err := NewRelay(filepath.Join(os.DevNull, "none"), 1, NewMemory()); err == nil {
		t.Error("a relay without a folder")
	}
}
