//go:build go1.25 && linux

package program

import (
	"os"
	"testing"
)

// A folder that somebody has removed, such as a job that cleans the folder for temporary files, is created again.
func TestFolderRemoved(t *testing.T) {
	programs := map[string]*Program{"file": {Args: []string{"cat", "@@"}}, "input": {Args: []string{"cat"}}}
	if _, err := os.Stat("/usr/bin/afl-cc"); err == nil {
		programs["server"] = &Program{Args: []string{compile(t, "afl-cc", "edges"), "@@"}, Failed: Result.Crashed}
	}
	for name, p := range programs {
		for i, input := range []string{"a", "bug!"} {
			r := run(t, p, input)
			if r.Stdout != input && name != "server" || r.Crashed() != (name == "server" && i == 1) {
				t.Errorf("%s: %q: %+v", name, input, r)
			}
			if err := os.RemoveAll(p.folder.path); err != nil {
				t.Fatal(err)
			}
		}
		p.Close()
	}
}
