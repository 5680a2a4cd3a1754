//go:build go1.25

package share

import (
	"path/filepath"
	"testing"

	"github.com/allele-go/allele/internal/proc"
)

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
func TestNoBoxes(t *testing.T) {
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
}
