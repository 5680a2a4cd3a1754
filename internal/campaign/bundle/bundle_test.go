//go:build go1.25

package bundle

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func sample(t *testing.T) (Manifest, []File) {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	m := Manifest{System: "linux/amd64", Go: "go1.25", Sites: 7,
		Packages: []Package{
			{Path: "example.com/a", Hash: "1", Binary: "bin/0.test", Operands: "bin/0.operands", Dir: "dir/0"},
			{Path: "example.com/b", Hash: "2", Binary: "bin/1.test", Dir: "dir/1"},
		},
		Properties: []Property{{Package: "example.com/a", Name: "TestA", Test: "TestA"}, {Package: "example.com/b", Name: "x", Test: "TestB/sub"}}}
	return m, []File{
		{"bin/0.test", write("a", "program a"), true},
		{"bin/0.operands", write("o", "operands of a"), true},
		{"dir/0/testdata/x", write("x", "data"), false},
		{"bin/1.test", write("b", "program b"), true},
	}
}

func pack(t *testing.T, m Manifest, files []File) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, m, files); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func unpack(t *testing.T, data []byte) (string, *Manifest, error) {
	t.Helper()
	dir := t.TempDir()
	m, err := Unpack(bytes.NewReader(data), int64(len(data)), dir)
	return dir, m, err
}

// What was packed is there after unpacking. The same content has the same bytes.
func TestRoundTrip(t *testing.T) {
	m, files := sample(t)
	data := pack(t, m, files)
	if !bytes.Equal(data, pack(t, m, files)) {
		t.Error("packed twice, the bytes differ")
	}
	dir, got, err := unpack(t, data)
	if err != nil {
		t.Fatal(err)
	}
	m.Format = Format
	if !reflect.DeepEqual(*got, m) {
		t.Errorf("got %+v, want %+v", *got, m)
	}
	for _, f := range files {
		want, _ := os.ReadFile(f.Path)
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if text, err := os.ReadFile(path); err != nil || !bytes.Equal(text, want) {
			t.Errorf("%s: %q, %v", f.Name, text, err)
		}
		if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o100 != 0 != f.Exec {
			t.Errorf("%s: mode %v", f.Name, info.Mode())
		}
	}
	for _, p := range got.In(dir) {
		if info, err := os.Stat(p.Dir); err != nil || !info.IsDir() {
			t.Errorf("the folder of %v: %v", p, err)
		}
	}
}

// A bundle from elsewhere cannot write outside its folder, and a wrong one is an error.
func TestHostile(t *testing.T) {
	m, files := sample(t)
	good, _ := json.Marshal(func() Manifest { m.Format = Format; return m }())
	type entry struct {
		name, text string
		mode       os.FileMode
	}
	whole := func(names ...string) (all []entry) {
		for _, f := range files {
			all = append(all, entry{f.Name, "x", 0o755})
		}
		for _, n := range names {
			all = append(all, entry{n, "x", 0o644})
		}
		return all
	}
	for _, c := range []struct {
		name, manifest string
		entries        []entry
		want           string
	}{
		{"outside", string(good), whole("../x"), "not a regular file within"},
		{"absolute", string(good), whole("/x"), "not a regular file within"},
		{"folder", string(good), whole("dir/"), "not a regular file within"},
		{"link", string(good), append(whole(), entry{"link", "/etc", os.ModeSymlink | 0o777}), "not a regular file within"},
		{"twice", string(good), whole("bin/0.test"), "exist"},
		{"missing", string(good), whole()[1:], `package "example.com/a": a file is missing`},
		{"folder outside", strings.ReplaceAll(string(good), "dir/0", "../0"), whole(), "a file is missing"},
		{"no package", strings.ReplaceAll(string(good), `"package":"example.com/a"`, `"package":"c"`), whole(), "its package is missing"},
		{"no properties", `{"format":1}`, whole(), "it has no properties"},
		{"newer", `{"format":2}`, whole(), "format 2, this version reads format 1"},
		{"unknown", `{"format":1,"else":2}`, whole(), `unknown field "else"`},
		{"no JSON", `x`, whole(), "invalid character"},
	} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, e := range append([]entry{{manifestName, c.manifest, 0o644}}, c.entries...) {
			h := &zip.FileHeader{Name: e.name}
			h.SetMode(e.mode)
			w, err := z.CreateHeader(h)
			if err == nil {
				_, err = w.Write([]byte(e.text))
			}
			if err != nil && !strings.HasSuffix(e.name, "/") {
				t.Fatal(err)
			}
		}
		z.Close()
		if _, _, err := unpack(t, b.Bytes()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	for _, text := range []string{"", "no zip"} {
		if _, _, err := unpack(t, []byte(text)); err == nil {
			t.Errorf("%q is a bundle", text)
		}
	}
}

// Damaged bundles do not crash the reader.
func FuzzUnpack(f *testing.F) {
	f.Add([]byte("PK"))
	f.Fuzz(func(t *testing.T, data []byte) { unpack(t, data) })
}
