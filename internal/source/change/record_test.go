//go:build go1.25

package change

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestRecordFile(t *testing.T) {
	dir := t.TempDir()
	if Read(dir) != nil {
		t.Error("a record of nothing")
	}
	want := Records{{Build: "-tags=x", Passed: true, Whole: true, Functions: map[string]string{"p F": "12"}, Declarations: map[string]string{"p": "34"}}, {Build: "other"}}
	for range 2 { // the second replaces the first
		if err := want.Write(dir); err != nil {
			t.Fatal(err)
		}
		if got := Read(dir); !reflect.DeepEqual(got, want) {
			t.Errorf("%v", got)
		}
	}
	if all, _ := os.ReadDir(dir); len(all) != 1 {
		t.Errorf("%d files are left", len(all))
	}
}

// Whatever happens to a file, Read returns the records that were written or none.
func TestRecordDamaged(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, recordName)
	if err := (Records{{Passed: true, Functions: map[string]string{"p F": "12"}}}).Write(dir); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range good {
		for _, data := range [][]byte{good[:i], append(append(append([]byte{}, good[:i]...), good[i]^4), good[i+1:]...)} {
			if err := os.WriteFile(file, data, 0o666); err != nil {
				t.Fatal(err)
			}
			if Read(dir) != nil {
				t.Fatalf("%q is a record", data)
			}
		}
	}
	if err := os.Truncate(file, recordMax+1); err != nil || Read(dir) != nil {
		t.Error("too large, and read", err)
	}
	os.Remove(file)
	if err := os.Mkdir(file, 0o777); err != nil || Read(dir) != nil {
		t.Error("a folder is a record", err)
	}
}

func TestUnbatch(t *testing.T) {
	for _, c := range []struct {
		out  string
		want map[string]string // nil for an error
	}{
		{"h blob 3\na\nb\nc:y missing\n", map[string]string{"x": "a\nb"}},
		{"h blob 0\n\nh blob 1\nz\n", map[string]string{"x": "", "y": "z"}},
		{"h blob 3\na\n", nil},
		{"h blob 99999999999999999999\na\n", nil},
		{"h blob -1\na\n", nil},
		{"", nil},
	} {
		got, err := unbatch([]byte(c.out), []string{"x", "y"})
		if (err != nil) != (c.want == nil) || len(got) != len(c.want) {
			t.Errorf("%q: %q, %v", c.out, got, err)
		}
		for name, text := range c.want {
			if string(got[name]) != text {
				t.Errorf("%q: %s is %q", c.out, name, got[name])
			}
		}
	}
}
