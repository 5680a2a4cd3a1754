//go:build go1.25

// Package edit inserts text into source files without moving a line.
//
// In a rewritten file every statement must stay on its line, or the lines in
// stack traces, debuggers and coverage would be wrong. So text is only ever
// inserted, at byte offsets, and contains no newline:
//
//	var b edit.Buffer
//	b.Insert(offset, "hit(7);")
//	out := b.Apply(src)
//
// Longer text may contain newlines if it ends with a line directive, which gives the
// position of what follows:
//
//	b.InsertLines(offset, "\n\n/*line :12:5*/")
package edit

import (
	"iter"
	"regexp"
	"slices"
	"strings"
)

// Buffer collects insertions.
type Buffer struct{ edits []insertion }

type insertion struct {
	offset int
	text   string
}

// Insert puts text before the byte at offset. Insertions at the same offset
// appear in the order they were made.
func (b *Buffer) Insert(offset int, text string) {
	if strings.ContainsAny(text, "\r\n") {
		panic("edit: an insertion may not contain a newline: " + text)
	}
	b.edits = append(b.edits, insertion{offset, text})
}

var endsWithLine = regexp.MustCompile(`/\*line :[1-9][0-9]*:[1-9][0-9]*\*/$`)

// InsertLines is Insert for text that may contain newlines and then ends with a line
// directive. The caller chooses the position in the directive.
func (b *Buffer) InsertLines(offset int, text string) {
	if strings.ContainsAny(text, "\r\n") && !endsWithLine.MatchString(text) {
		panic("edit: an insertion with newlines must end with a line directive: " + text)
	}
	b.edits = append(b.edits, insertion{offset, text})
}

// All yields the insertions by offset, and in order at the same offset.
func (b *Buffer) All() iter.Seq2[int, string] {
	b.sort()
	return func(yield func(int, string) bool) {
		for _, e := range b.edits {
			if !yield(e.offset, e.text) {
				return
			}
		}
	}
}

func (b *Buffer) sort() {
	slices.SortStableFunc(b.edits, func(x, y insertion) int { return x.offset - y.offset })
}

// Apply returns src with all insertions made.
func (b *Buffer) Apply(src []byte) []byte {
	b.sort()
	size := len(src)
	for _, e := range b.edits {
		size += len(e.text)
	}
	out := make([]byte, 0, size)
	last := 0
	for _, e := range b.edits {
		out = append(out, src[last:e.offset]...)
		out = append(out, e.text...)
		last = e.offset
	}
	return append(out, src[last:]...)
}
