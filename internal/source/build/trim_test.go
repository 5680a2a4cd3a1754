//go:build go1.25

package build

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTrim(t *testing.T) {
	work, now := t.TempDir(), time.Now()
	o := &Overlay{config: Config{Work: work}, written: map[string]string{filepath.Join("src", "a", "a.go"): "x"},
		copies: map[string]string{"in the cache": filepath.Join(work, "mod", "m@v2")}}
	if err := o.writeManifest("id"); err != nil {
		t.Fatal(err)
	}
	add := func(age time.Duration, names ...string) {
		for _, name := range names {
			file := filepath.Join(work, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, nil, 0o666); err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{file, filepath.Dir(file)} {
				if err := os.Chtimes(path, now.Add(-age), now.Add(-age)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	add(9*time.Hour, "bin/gone/gone.test", "bin/a.operands", "src/a/a.go", "src/a/removed.go", "src/gone/g.go", "operands/gone/zz.go",
		"mod/m@v1/m.go", "mod/m@v2/m.go", "mod/x.org/part-123/m.go", "overlay.json")
	add(time.Hour, "bin/a.test", "src/b/b.go", "mod/n@v1/old/n.go", "mod/n@v1/n.go")
	Trim(work, now.Add(-5*time.Hour))
	var left []string
	filepath.WalkDir(work, func(path string, d fs.DirEntry, err error) error {
		if name, _ := filepath.Rel(work, path); err == nil && !d.IsDir() {
			left = append(left, filepath.ToSlash(name))
		}
		return err
	})
	want := "bin/a.test built mod/m@v2/m.go mod/n@v1/n.go mod/n@v1/old/n.go overlay.json src/a/a.go src/b/b.go"
	if got := strings.Join(left, " "); got != want {
		t.Errorf("left: %s\nwant: %s", got, want)
	}
	for _, dir := range []string{"bin/gone", "src/gone", "operands", "mod/x.org"} {
		if exists(filepath.Join(work, dir)) {
			t.Errorf("the empty folder %s is left", dir)
		}
	}
}
