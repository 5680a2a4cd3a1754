//go:build go1.25

package exchange

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/ops/proc"
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
	var clients []*Client
	for i := range 3 {
		s, err := proc.NewSlot(filepath.Join(dir, proc.SlotName(i)))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Remove()
		slots, clients = append(slots, s), append(clients, Dial(r.Boxes(i)))
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
	clients[0].Send(Case{Trace: 7, Verdict: 2, Path: []uint32{1, 2}, Term: []byte("x")})
	clients[0].Send(Case{Path: make([]uint32, pathMax+1)}) // too long
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

// A delivered message that cannot be read counts, so that nobody waits for it forever.
func TestReceiveDamaged(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in")
	c := Dial(in, in+"out")
	box, err := proc.OpenBox(in)
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	good := Case{Trace: 1, Term: []byte("y")}.Encode()
	for _, data := range [][]byte{{1, 2}, good.Data} {
		if ok, err := box.Put(data); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	if got := c.Receive(5); len(got) != 1 || string(got[0].Term) != "y" || c.Waiting(5) || !c.Waiting(6) {
		t.Errorf("%v, %d received", got, c.received)
	}
}

// Without boxes, a worker has nobody to share with, and says so in all its methods.
func TestNoRelay(t *testing.T) {
	for _, names := range [][2]string{{"", ""}, {"x", ""}, {"", "x"}, {filepath.Join("none", "in"), filepath.Join("none", "out")}} {
		if c := Dial(names[0], names[1]); c != nil {
			t.Errorf("%q: %v", names, c)
		}
	}
	var c *Client
	c.Send(Case{})
	if sent, received := c.Counts(); sent != 0 || received != 0 || c.Waiting(3) {
		t.Error(sent, received)
	}
	var r *Relay
	r.Attach(0, nil)
	r.Close()
	if _, err := NewRelay(filepath.Join(os.DevNull, "none"), 1, NewMemory()); err == nil {
		t.Error("a relay without a folder")
	}
}
