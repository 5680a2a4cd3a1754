package agent

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/fleet/distil"
	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/internal/campaign/bundle"
)

// Jobs are not signed. An agent runs no programs for them but those of the bundle that it was ordered to run.
func TestJobsOfOtherBundles(t *testing.T) {
	dir := t.TempDir()
	m := bundle.Manifest{Packages: []bundle.Package{{Path: "p", Hash: "1", Binary: "bin/evil", Dir: "."}},
		Properties: []bundle.Property{{Package: "p", Name: "TestX", Test: "TestX"}}}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"evil", "agent/bundles/old"} {
		folder := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, manifestFile), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	a := &Agent{config: Config{Dir: filepath.Join(dir, "agent")}}
	a.now.Bundle = "new"
	for _, name := range []string{"old", "../../evil", "../bundles/old", ""} {
		_, err := a.distil(t.Context(), distil.Job{Bundle: name, Package: "p", Property: "TestX"})
		if err == nil || !strings.Contains(err.Error(), "another bundle") {
			t.Errorf("bundle %q: %v", name, err)
		}
	}
}

// A job that cannot be read, and a job under the ID of another, are errors that say which.
func TestNoJobs(t *testing.T) {
	j := distil.Job{Bundle: "b", Package: "p", Property: "TestX"}
	text, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ id, text, want string }{
		{j.ID(), "{", "this is no job: unexpected end of JSON input"},
		{"other", string(text), "this is no job: its ID is " + j.ID() + ", not other"},
	} {
		if err := (&Agent{}).do(t.Context(), jet.Lease{ID: c.id, Data: []byte(c.text)}); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
