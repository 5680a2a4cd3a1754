package formats

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/program"
)

// A finding has the shortest input, a report and a script that fails again.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	target := &Target{Format: "sh", Findings: dir, Mutator: "zzuf",
		Program: program.Program{Args: []string{"sh", "-c", "kill -SEGV $$", "it's", "@@"}, Suffix: ".sh"}}
	f := finding{program.Failure{Name: "sh", Result: program.Result{Code: -11}}, "sh"}
	for _, input := range []string{"four", "longer", "zzz", "two", "two more"} {
		if err := f.keep(target, []byte(input), []byte("encoded "+input)); err != nil {
			t.Fatal(err)
		}
	}
	at := filepath.Join(dir, f.id())
	for file, want := range map[string]string{"input.sh": "two", "encoded.sh": "encoded two", "report.txt": f.Error() + "\n"} {
		if got, err := os.ReadFile(filepath.Join(at, file)); string(got) != want {
			t.Errorf("%s: %q, %v", file, got, err)
		}
	}
	err := exec.Command(filepath.Join(at, "replay.sh")).Run()
	if err == nil || !strings.Contains(err.Error(), "segmentation fault") {
		t.Errorf("replay: %v", err)
	}
	entries, _ := os.ReadDir(at)
	if len(entries) != 4 {
		t.Errorf("files %v", entries)
	}
	other := finding{program.Failure{Name: "sh", Result: program.Result{Code: -6}}, "sh"}
	if other.id() == f.id() || other.Sign() == f.Sign() {
		t.Error("two signals are one finding")
	}
	if (finding{program.Failure{Name: "dash", Result: f.Result}, "sh"}).id() == f.id() || (finding{f.Failure, "lua"}).id() == f.id() {
		t.Error("two programs, or two formats, are one finding")
	}
}
