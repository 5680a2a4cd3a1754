//go:build go1.25

package edit

import (
	"fmt"
	"testing"
)

func TestApply(t *testing.T) {
	var b Buffer
	b.Insert(5, "C")
	b.Insert(0, "A")
	b.Insert(5, "D")
	b.Insert(2, "B")
	all := ""
	for offset, text := range b.All() {
		all += fmt.Sprint(offset, text, " ")
	}
	if all != "0A 2B 5C 5D " {
		t.Error(all)
	}
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

func TestInsertLines(t *testing.T) {
	var b Buffer
	b.InsertLines(1, "x\ny/*line :1:2*/")
	b.InsertLines(2, "z")
	if got := string(b.Apply([]byte("abc"))); got != "ax\ny/*line :1:2*/bzc" {
		t.Error(got)
	}
	defer func() {
		if recover() == nil {
			t.Error("newlines without a line directive went in")
		}
	}()
	b.InsertLines(0, "a\n/*line :1:2*/b")
}
