//go:build go1.25

package build

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/source/load"
)

// The user's replacements stay, except for the version in use, which is read from
// the copy.
func TestRedirects(t *testing.T) {
	m := &load.Module{Path: "m", Version: "v1.0.0"}
	all, this, other := version{Path: "m"}, version{"m", "v1.0.0"}, version{"m", "v0.9.0"}
	for _, c := range []struct {
		name string
		user []version
		want string
	}{
		{"nothing is replaced", nil, `m v1.0.0 => "copy"`},
		{"this version is replaced", []version{this}, `m v1.0.0 => "copy"`},
		{"all versions are replaced", []version{all}, `"m" => "copy"`},
		{"another version is replaced", []version{other}, `m v0.9.0 => user v2.0.0; m v1.0.0 => "copy"`},
		{"this version and all versions", []version{all, this}, `"m" => user v2.0.0; m v1.0.0 => "copy"`},
		{"another version and all versions", []version{other, all}, `m v0.9.0 => user v2.0.0; "m" => "copy"`},
	} {
		user := []replacement{{version{Path: "n"}, version{Path: "elsewhere"}}}
		for _, old := range c.user {
			user = append(user, replacement{old, version{"user", "v2.0.0"}})
		}
		var got []string
		for _, r := range redirects(m, "copy", forModule(m, user)) {
			got = append(got, fmt.Sprintf("%s => %s", r.Old, r.New))
		}
		if got := strings.Join(got, "; "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// A copy is writable, has the go.mod that the go command used, and is made once.
// The remains of an interrupted copy are not used.
func TestCopyModule(t *testing.T) {
	cache, work := t.TempDir(), t.TempDir()
	m := &load.Module{Path: "m/n", Version: "v1.0.0", Dir: filepath.Join(cache, "m", "n@v1.0.0"), GoMod: filepath.Join(cache, "v1.0.0.mod")}
	write := func(file, text string, mode os.FileMode) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(m.Dir, "sub", "a.go"), "package a\n", 0o444)
	write(m.GoMod, "module m/n\n", 0o444)
	write(filepath.Join(work, "mod", "m", "part-1", "go.mod"), "half", 0o666)
	o := &Overlay{config: Config{Work: work}}
	copied, err := o.copyModule(m, cache)
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"sub/a.go": "package a\n", "go.mod": "module m/n\n"} {
		file = filepath.Join(copied, filepath.FromSlash(file))
		info, err := os.Stat(file)
		if err != nil || info.Mode()&0o200 == 0 {
			t.Errorf("%s: %v, %v", file, info, err)
		}
		if got, _ := os.ReadFile(file); string(got) != want {
			t.Errorf("%s contains %q", file, got)
		}
	}
	write(filepath.Join(copied, "mark"), "", 0o666)
	if again, err := o.copyModule(m, cache); err != nil || again != copied || !exists(filepath.Join(again, "mark")) {
		t.Errorf("copied again to %s: %v", again, err)
	}
	m.GoMod = filepath.Join(cache, "none")
	m.Dir = filepath.Join(cache, "m", "n@v1.0.1")
	if _, err := o.copyModule(m, cache); err == nil || exists(filepath.Join(work, "mod", "m", "n@v1.0.1")) {
		t.Errorf("a failed copy exists: %v", err)
	}
}

func TestIsLine(t *testing.T) {
	for comment, want := range map[string]bool{
		"//line f.y:10": true, "//line f.y:10:2": true, "/*line f.y:10:2*/": true, "//line :10": true,
		"//line c:/f.y:3": true, "//line f.y": false, "// line f.y:1": false, "//go:build x": false,
	} {
		if got := isLine(comment); got != want {
			t.Errorf("%s: %v, want %v", comment, got, want)
		}
	}
}
