package formats

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A target is read as allele run has written it. A field that this version does not know is an error.
func TestTargets(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"jq.json":    `{"format": "json", "findings": "/f", "args": ["jq", ".", "@@"], "timeout": 5000000000, "disk": 7, "vacuous": true, "hint": "h"}`,
		"newer.json": `{"format": "json", "args": ["jq"], "later": 1}`,
		".new-1":     "",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	all := maps.Collect(Targets(dir))
	if names := slices.Sorted(maps.Keys(all)); !slices.Equal(names, []string{"jq", "newer"}) {
		t.Fatalf("targets %v", names)
	}
	jq, err := readTarget(all["jq"])
	if err != nil {
		t.Fatal(err)
	}
	if jq.Format != "json" || jq.Findings != "/f" || !slices.Equal(jq.Program.Args, []string{"jq", ".", "@@"}) ||
		jq.Program.Timeout != 5*time.Second || jq.Program.Disk != 7 || !jq.AllowVacuous || jq.Hint != "h" {
		t.Errorf("%+v", jq)
	}
	if _, err := readTarget(all["newer"]); err == nil || !strings.Contains(err.Error(), "later") {
		t.Errorf("a field that is not known: %v", err)
	}
}
