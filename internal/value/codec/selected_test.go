//go:build go1.25

package codec

import (
	"go/build"
	"os"
	"path/filepath"
	"testing"
)

// The same files are selected as by package go/build.
func TestSelects(t *testing.T) {
	dir := t.TempDir()
	is := ownTags()
	files := map[string]string{}
	for _, name := range []string{"a", "linux", "x_linux", "x_windows", "x_linux_amd64", "x_linux_arm64", "x_windows_amd64", "x_amd64",
		"x_arm64", "x_unix", "x_js_wasm", "x_linux_test", "x_windows_test", "linux_amd64", "windows_amd64", "_a", "x_y_linux_amd64",
		"x_zos", "x_test", "x_amd64_linux", "linux_test", "x_nothing_amd64"} {
		files[name+".go"] = "package x\n"
	}
	for i, text := range []string{"linux", "windows || unix", "!linux", "go1.25", "go1.999", "go1.025", "gc", "gccgo", "special", "!special",
		"linux && amd64 && !race_", "syntax error ("} {
		files["c"+string(rune('a'+i))+".go"] = "// A comment.\n\n/* another\n//go:build never\n*/\n\n//go:build " + text + "\n\npackage x\n"
		files["d"+string(rune('a'+i))+".go"] = "// +build " + text + "\n// +build linux\n\npackage x\n"
	}
	files["late.go"] = "package x\n\n//go:build never\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		want, err := build.Default.MatchFile(dir, name)
		want = want || err != nil
		if got := is.selects(filepath.Join(dir, name)); got != want {
			t.Errorf("%s: %t, want %t\n%s", name, got, want, text)
		}
	}
}
