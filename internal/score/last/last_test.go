//go:build go1.25

package last

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/score"
)

// The last run is the newest one in a related folder, whatever its flags were.
func TestFind(t *testing.T) {
	root := t.TempDir()
	begin := time.Now().Add(-time.Hour)
	for i, r := range []struct{ work, dir, set string }{
		{"m-1", "/m", "first"}, {"m-2", "/m", "second"}, {"m-3", "/m/sub", "sub"}, {"mm-1", "/mm", "other"}, {"x-1", "/x", "damaged"},
	} {
		work := filepath.Join(root, r.work)
		if err := Save(work, Run{Dir: filepath.FromSlash(r.dir), Score: score.File{Set: r.set}}); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(work, folder, runFile)
		if r.set == "damaged" {
			os.WriteFile(file, []byte(`{"dir":"/x`), 0o666)
		}
		at := begin.Add(time.Duration(i) * time.Minute)
		os.Chtimes(file, at, at)
	}
	for _, c := range []struct{ dir, want string }{
		{"/m/sub", "sub"}, {"/m/sub/deep", "sub"}, {"/m/other", "second"}, {"/m", "sub"}, {"/mm", "other"}, {"/mmm", ""}, {"/x", ""}, {"/", "other"},
	} {
		r, err := Find(root, filepath.FromSlash(c.dir))
		if r.Score.Set != c.want || errors.Is(err, ErrNone) != (c.want == "") {
			t.Errorf("%s: %q %v, want %q", c.dir, r.Score.Set, err, c.want)
		}
	}
}

func TestApplied(t *testing.T) {
	root := t.TempDir()
	a := Applied{Dir: filepath.FromSlash("/m"), Key: "12345678", File: "a.go", Before: "x", After: "y"}
	if err := a.Save(filepath.Join(root, "m-1", folder)); err != nil {
		t.Fatal(err)
	}
	all := AllApplied(root, filepath.FromSlash("/m/sub"))
	if len(all) != 1 || all[0].After != "y" || !strings.Contains(all[0].path, "m-1") {
		t.Fatalf("%+v", all)
	}
	if err := all[0].Remove(); err != nil || len(AllApplied(root, filepath.FromSlash("/m"))) != 0 {
		t.Error(err)
	}
}
