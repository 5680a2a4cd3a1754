//go:build go1.25

package scoring

import (
	"os"
	"path/filepath"
	"testing"
)

type example struct {
	Name string
	Hit  Set `json:",omitempty"`
}

func add(t *testing.T, file string, h Head, name string) *Cases[example] {
	t.Helper()
	b, err := Continue[example](file, h)
	if err == nil {
		err = b.Add(&example{name, Set{1, 2}})
	}
	if err != nil || b.Close() != nil {
		t.Fatal(err)
	}
	return b
}

func names(b *Cases[example]) (all string) {
	for _, c := range b.Cases {
		all += c.Name
	}
	return all
}

// A process that dies while it writes leaves an incomplete line. The next process goes on after the last complete one.
func TestBaseline(t *testing.T) {
	file := filepath.Join(t.TempDir(), "baseline")
	h := Head{Faults: []int{7, 9}, InitHit: Set{1}}
	add(t, file, h, "a")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(data, `{"Name":"x","Hi`...), 0o666); err != nil {
		t.Fatal(err)
	}
	if b := add(t, file, h, "b"); names(b) != "a" {
		t.Errorf("goes on after %q", names(b))
	}
	b, err := ReadCases[example](file)
	if err != nil || names(b) != "ab" || !b.InitHit.Has(0) || string(b.Cases[1].Hit) != "\x01\x02" {
		t.Errorf("%+v %v", b, err)
	}
	if i, known := b.Bit(9); i != 1 || !known {
		t.Error(i, known)
	}
	if _, known := b.Bit(8); known {
		t.Error("it has no fault 8")
	}
	if b := add(t, file, Head{Faults: []int{7}}, "c"); names(b) != "" {
		t.Errorf("faults have changed: goes on after %q", names(b))
	}
}

// A file that is no baseline is an error, and is replaced.
func TestDamagedBaseline(t *testing.T) {
	for _, content := range []string{"{}\n", "x\n", "", "null\n", `{"Format":3}`, "{\"Format\":2}\n", "{\"Format\":3}\n3\n"} {
		file := filepath.Join(t.TempDir(), "baseline")
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadCases[example](file); err == nil {
			t.Errorf("%q: no error", content)
		}
		add(t, file, Head{Faults: []int{1}}, "a")
		if b, err := ReadCases[example](file); err != nil || names(b) != "a" {
			t.Errorf("%q: %v", content, err)
		}
	}
}

func TestSet(t *testing.T) {
	a, b := NewSet(3), NewSet(20)
	a.Add(2)
	b.Add(2)
	b.Add(17)
	if u := a.Union(b); !b.Holds(a) || a.Holds(b) || !u.Holds(b) || !u.Has(17) || a.Has(17) || !Set(nil).Holds(NewSet(9)) {
		t.Error(a, b, u)
	}
	s := NewSet(17)
	want := map[int]bool{0: true, 7: true, 8: true, 16: true}
	for i := range want {
		s.Add(i)
	}
	for i := range 40 {
		if s.Has(i) != want[i] {
			t.Error(i)
		}
	}
}
