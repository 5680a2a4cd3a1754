//go:build go1.25 && unix

package child_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/child"
	"github.com/allele-go/allele/internal/proc/job"
)

const shape = 0x1234

// TestMain makes this binary the child that answers questions.
func TestMain(m *testing.M) {
	if how := os.Getenv("CHILD_TEST"); how != "" {
		serve(how)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func serve(how string) {
	j, err := job.Current()
	if err != nil || how == "dies" {
		os.Exit(3)
	}
	var trouble error
	if how == "refuses" {
		trouble = errors.New("no comparisons here")
	}
	s, err := child.Greet(j.Wires, shape, trouble)
	for err == nil {
		var q []byte
		if q, err = s.Next(); err == nil {
			err = s.Answer(bytes.ToUpper(q))
		}
	}
}

func start(how string, shape uint64) (*proc.Process, error) {
	return child.Start(proc.Config{Path: os.Args[0], Env: []string{"CHILD_TEST=" + how}, Hang: 20 * time.Second,
		Job: &job.Job{Mode: job.Cases, Property: "TestX"}}, shape)
}

func TestAsks(t *testing.T) {
	p, err := start("serves", shape)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{"one", "", "three"} {
		if a, ok := p.Ask([]byte(q)); !ok || string(a) != strings.ToUpper(q) {
			t.Errorf("%q: %q, %v", q, a, ok)
		}
	}
	if d := p.Close(); d.Kind != proc.Ended || d.Code != 0 {
		t.Errorf("it ended with %+v", d)
	}
}

// Start returns the child's reason, or how the child died.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		how   string
		shape uint64
		want  string
	}{
		{"refuses", shape, "refused: no comparisons here"},
		{"serves", shape + 1, "has other input types"},
		{"dies", shape, "did not start: exit code 3"},
	} {
		p, err := start(c.how, c.shape)
		if err == nil || err.Error() != c.want || p != nil {
			t.Errorf("%s: %v, want %s", c.how, err, c.want)
		}
	}
}
