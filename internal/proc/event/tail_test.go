//go:build go1.25

package event

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each step changes the file, and want has the runs of the events that Next returns then.
func TestTail(t *testing.T) {
	line := func(number int) string {
		return fmt.Sprintf("{\"v\":2,\"kind\":\"died\",\"died\":{\"run\":%d}}\n", number)
	}
	file := filepath.Join(t.TempDir(), "events")
	add := func(text string) {
		f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	tail := Tail{File: file}
	for _, step := range []struct {
		what string
		do   func()
		want string
	}{
		{"no file yet", func() {}, ""},
		{"an empty file", func() { add("") }, ""},
		{"one event", func() { add(line(1)) }, "1"},
		{"nothing new", func() {}, ""},
		{"two lines and a part of a third", func() { add(line(2) + line(3) + line(4)[:9]) }, "2 3"},
		{"a second part", func() { add(line(4)[9:20]) }, ""},
		{"the rest without the newline", func() { add(strings.TrimSpace(line(4)[20:])) }, ""},
		{"the newline", func() { add("\n") }, "4"},
		{"an incomplete line and a good one", func() { add(line(5)[:12] + line(6)) }, "6"},
		{"half a line, then the file is truncated", func() { add(line(7)[:9]); tail.Next(); os.Truncate(file, 0) }, ""},
		{"it is filled again", func() { add(line(8)) }, "8"},
		{"it is removed", func() { os.Remove(file) }, ""},
		{"another file is created", func() { add(line(9) + line(10)) }, "9 10"},
		{"a file of the same length replaces it", func() { replace(t, file, line(9)+line(11)) }, "9 11"},
		{"a folder", func() { os.Remove(file); os.Mkdir(file, 0o777) }, ""},
		{"a newer format", func() { os.Remove(file); add(`{"v":3,"kind":"died"}` + "\n" + line(12)) }, "12"},
	} {
		step.do()
		var got []string
		for _, e := range tail.Next() {
			got = append(got, fmt.Sprint(run(e)))
		}
		if strings.Join(got, " ") != step.want {
			t.Errorf("%s: got %v, want %s", step.what, got, step.want)
		}
	}
	if tail.Damaged != 2 || !errors.Is(tail.Refused, ErrNewer) || !strings.Contains(tail.Refused.Error(), "format 3") {
		t.Errorf("%d damaged lines, refused: %v", tail.Damaged, tail.Refused)
	}
}

func replace(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file+".new", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
}

// A file that has grown by a lot is read in several calls. No call returns nothing before
// the end of the file, even if a bad line is longer than a call reads.
func TestTailMuch(t *testing.T) {
	file := filepath.Join(t.TempDir(), "events")
	var text strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&text, "{\"v\":2,\"kind\":\"died\",\"died\":{\"run\":%d,\"text\":\"%s\"}}\n", i+1, strings.Repeat("x", 50))
		if i == 20_000 {
			text.WriteString(strings.Repeat("y", 3*lineMax) + "\n")
		}
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	tail := Tail{File: file}
	calls, last := 0, 0
	for events := tail.Next(); len(events) > 0; events = tail.Next() {
		for _, e := range events {
			if last++; run(e) != last {
				t.Fatalf("run %d instead of %d", run(e), last)
			}
		}
		calls++
	}
	if last != 50_000 || calls < 4 || tail.Damaged != 1 {
		t.Errorf("%d events in %d calls, %d damaged lines", last, calls, tail.Damaged)
	}
}

// While one goroutine appends, another goroutine reads all events, in order.
func TestTailWhileWriting(t *testing.T) {
	file := filepath.Join(t.TempDir(), "events")
	const events = 500
	done := make(chan error, 1)
	go func() {
		for i := range events {
			if err := Append(file, Event{Body: Died{Run: i + 1, Text: strings.Repeat("x", i*20)}}); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	tail := Tail{File: file}
	last, ended := 0, false
	for {
		got := tail.Next()
		for _, e := range got {
			if last++; run(e) != last {
				t.Fatalf("run %d instead of %d", run(e), last)
			}
		}
		if ended && len(got) == 0 {
			break
		}
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			ended = true
		default:
		}
	}
	if last != events || tail.Damaged != 0 {
		t.Errorf("%d events, %d damaged lines", last, tail.Damaged)
	}
}
