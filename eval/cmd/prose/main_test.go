package main

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// Pages give sentences without code, tables and headings; Go files give messages, but no
// names, and comments. Tests and testdata give nothing.
func TestCollect(t *testing.T) {
	root := fstest.MapFS{
		"README.md":            {Data: []byte("# A title of five words here\n\nThis is the first sentence. And this is the\nsecond one: it ends.\n\n| a | table with many words in it |\n\n```go\nthis is code and not prose at all\n```\n- one item of a short list\n")},
		"docs/notes/x.md":      {Data: []byte("This page is not part of it.\n")},
		"a.go":                 {Data: []byte("// Package a is a very small package.\npackage a\n\nvar x = \"cannot read the file at all\" + \"short\" // why this is so here\n")},
		"a_test.go":            {Data: []byte("package a // tests are not part of it\n")},
		"testdata/b.go":        {Data: []byte("package b // data is not part of it\n")},
		"eval/lab/messages.go": {Data: []byte("package lab\n\n// Note is shown to the maintainers.\nvar Note = \"this one is for maintainers only\"\n")},
	}
	sentences, comments, err := collect(root)
	if err != nil {
		t.Fatal(err)
	}
	list := func(all []text) string {
		var lines []string
		for _, x := range all {
			lines = append(lines, fmt.Sprintf("%s:%d: %s", x.file, x.line, x.text))
		}
		return strings.Join(lines, "\n")
	}
	if got, want := list(sentences), `README.md:3: This is the first sentence.
README.md:3: And this is the second one:
README.md:11: one item of a short list
a.go:4: cannot read the file at all`; got != want {
		t.Errorf("sentences:\n%s", got)
	}
	if got, want := list(comments), `a.go:1: Package a is a very small package.
a.go:4: var x = "cannot read the file at all" + "short" // why this is so here
eval/lab/messages.go:3: Note is shown to the maintainers.`; got != want {
		t.Errorf("comments:\n%s", got)
	}
}

// The same seed chooses the same texts.
func TestChoose(t *testing.T) {
	var all []text
	for i := range 100 {
		all = append(all, text{line: i})
	}
	one, again, other := choose(source("x"), all, 10), choose(source("x"), all, 10), choose(source("y"), all, 10)
	if fmt.Sprint(one) != fmt.Sprint(again) || fmt.Sprint(one) == fmt.Sprint(other) || len(one) != 10 {
		t.Errorf("%v\n%v\n%v", one, again, other)
	}
}
