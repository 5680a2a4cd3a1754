package steps

import (
	"testing"

	"github.com/allele-go/allele"
)

type file struct {
	*File
	name, buf string
	closed    bool
}

type store struct {
	*Store
	want map[string]string
}

func (m *store) Open(name string) *file { return &file{File: m.Store.Open(name), name: name} }

func (m *store) CanWrite(f *file) bool { return !f.closed }

func (m *store) Write(f *file, text string) {
	f.File.Write(text)
	f.buf += text
}

func (m *store) CanClose(f *file) bool { return !f.closed }

func (m *store) Close(f *file) {
	f.File.Close()
	m.want[f.name] += f.buf
	f.closed = true
}

func (m *store) Check(t *allele.T) {
	for name, want := range m.want {
		if got := m.Store.Read(name); got != want {
			t.Fatalf("%s: read %q, want %q", name, got, want)
		}
	}
}

func TestStore(t *testing.T) {
	allele.Check(t, func(t *allele.T, steps allele.Steps[*store]) {
		steps(t, &store{Store: NewStore(), want: map[string]string{}})
	}, allele.At("Open", allele.Values("a", "b")))
}
