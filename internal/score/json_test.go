//go:build go1.25

package score

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

func TestJSON(t *testing.T) {
	r := example(t)
	data, err := Encode(r, relative)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Golden(t, filepath.Join("testdata", "report.json"), data)
	f, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	if g, err := Decode(again); err != nil || len(g.Packages) != len(r.Packages) || g.Summary.Killed != r.Summary().Killed {
		t.Errorf("%v %+v", err, g.Summary)
	}
}

func TestDecodeRejects(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{"", "read a score: unexpected end of JSON input"},
		{"[]", "cannot unmarshal array"},
		{"{}", "there is no version"},
		{`{"version":0}`, "there is no version"},
		{`{"version":-1}`, "there is no version"},
		{`{"version":2,"summary":7}`, "version 2: written by a newer allele"},
		{`{"version":1,"summary":7}`, "cannot unmarshal number"},
		{`{"version":1,"packages":[{"path":"p","faults":[{"id":3,"verdict":"dead"}]}]}`, `fault 3 of p: unknown verdict "dead"`},
		{`{"version":1,"packages":[{"path":"p","faults":[{"id":3,"verdict":"killed"}]}]}`, `unknown verdict "killed" ""`},
		{strings.Repeat("[", 100_000), "exceeded max depth"},
	} {
		_, err := Decode([]byte(c.data))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60s: %v, want %s", c.data, err, c.want)
		}
	}
	if _, err := Decode([]byte(`{"version":2}`)); !errors.Is(err, ErrNewer) {
		t.Error(err)
	}
}

// Decode accepts or rejects damaged data, and does not panic.
func TestDecodeDamaged(t *testing.T) {
	data, err := Encode(example(t), relative)
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		Decode(damage(rnd, data))
	}
}
