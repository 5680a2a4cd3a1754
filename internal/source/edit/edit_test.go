//go:build go1.25

package edit

import "testing"

func TestApply(t *testing.T) {
	var b Buffer
	b.Insert(5, "C")
	b.Insert(0, "A")
	b.Insert(5, "D")
	b.Insert(2, "B")
	if got := string(b.Apply([]byte("01234"))); got != "A01B234CD" {
		t.Error(got)
	}
	if got := string(new(Buffer).Apply([]byte("same"))); got != "same" {
		t.Error(got)
	}
}

func TestNoNewlines(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a newline went in")
		}
	}()
	new(Buffer).Insert(0, "a\nb")
}
