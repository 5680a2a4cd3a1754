//go:build go1.25

package event

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// log writes events and renders the events in the log: kind:run, and the text of a note.
func log(t *testing.T, most int64, write func(w *Writer)) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "log")
	w, err := Create(file)
	if err != nil {
		t.Fatal(err)
	}
	w.max = most
	write(w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Size() > most {
		t.Errorf("%v, more than %d bytes: %v", info, most, err)
	}
	var all []string
	for _, e := range readFile(t, file) {
		if e.Kind == Note {
			e.Kind += Kind("(" + e.Text + ")")
		}
		all = append(all, fmt.Sprintf("%s:%d", e.Kind, e.Run))
	}
	return strings.Join(all, " ")
}

// steps writes events like "progress a 1.5" for the property a at second 1.5; the
// n-th has run n.
func steps(w *Writer, steps ...string) error {
	for i, s := range steps {
		f := strings.Fields(s)
		after, err := time.ParseDuration(f[2] + "s")
		if err != nil {
			return err
		}
		if err := w.Write(Event{Time: noon.Add(after), Kind: Kind(f[0]), Property: f[1], Run: i + 1}); err != nil {
			return err
		}
	}
	return nil
}

func TestProgress(t *testing.T) {
	for _, row := range []struct {
		what  string
		steps []string
		want  string
	}{
		{"one a second", []string{"progress a 0", "progress a 0.9", "progress a 1", "progress a 1.5", "progress a 2.1"},
			"progress:1 progress:3 progress:5 note(events left out of this log: 2 of progress, 0 because the log was full):0"},
		{"for each property", []string{"progress a 0", "progress b 0.1", "progress a 1.2", "progress b 1.2"}, "progress:1 progress:2 progress:3 progress:4"},
		{"other kinds at any time", []string{"died a 0", "died a 0", "kept a 0", "kept a 0", "note a 0"}, "died:1 died:2 kept:3 kept:4 note():5"},
		{"a clock that is set back", []string{"progress a 90", "progress a 0", "progress a 1"}, "progress:1 progress:2 progress:3"},
	} {
		t.Run(row.what, func(t *testing.T) {
			got := log(t, logMax, func(w *Writer) {
				if err := steps(w, row.steps...); err != nil {
					t.Fatal(err)
				}
			})
			if got != row.want {
				t.Errorf("got  %s\nwant %s", got, row.want)
			}
		})
	}
}

// Important events fit into the log, whatever fills it.
func TestFull(t *testing.T) {
	const most = 1 << 17
	many := func(w *Writer, k Kind) {
		for i := range most / 100 {
			w.Write(Event{Time: noon.Add(time.Duration(i) * time.Second), Kind: k, Text: strings.Repeat("x", 100)})
		}
	}
	for _, row := range []struct {
		fill  []Kind
		then  Kind
		wrote bool
	}{
		{[]Kind{Progress}, Progress, false},
		{[]Kind{Progress}, Reached, false},
		{[]Kind{Progress}, Died, true},
		{[]Kind{Progress}, Found, true},
		{[]Kind{Progress, Died}, Found, false},
		{[]Kind{Progress, Died}, Finished, true},
		{[]Kind{Progress, Died}, Stopped, true},
		{[]Kind{Progress, Died, Finished}, Stopped, false},
		{[]Kind{Died, Finished, Progress}, Stopped, false},
	} {
		t.Run(fmt.Sprint(row.then, " after ", row.fill), func(t *testing.T) {
			got := log(t, most, func(w *Writer) {
				for _, k := range row.fill {
					many(w, k)
				}
				w.Write(Event{Time: noon.Add(-time.Hour), Kind: row.then, Run: 7, Sites: make([]uint32, most), Text: strings.Repeat("x", 100)})
			})
			if wrote := strings.Contains(got, ":7"); wrote != row.wrote {
				t.Errorf("written: %v, want %v", wrote, row.wrote)
			}
			if !strings.Contains(got, "because the log was full") {
				t.Error("the log does not mention that events were left out")
			}
		})
	}
}

// A program that names a property after each input must not fill the memory.
func TestManyProperties(t *testing.T) {
	log(t, logMax, func(w *Writer) {
		for i := range 2 * propertiesMax {
			w.Write(Event{Kind: Progress, Property: fmt.Sprint(i)})
		}
		if n := len(w.property); n > propertiesMax+1 {
			t.Errorf("%d properties are remembered", n)
		}
	})
}

func TestTogether(t *testing.T) {
	got := log(t, logMax, func(w *Writer) {
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 100 {
					w.Write(Event{Kind: Died, Text: strings.Repeat("x", 1000)})
				}
			})
		}
		all.Wait()
	})
	if n := len(strings.Fields(got)); n != 800 {
		t.Errorf("%d events", n)
	}
}

func TestWriterFails(t *testing.T) {
	if _, err := Create(t.TempDir()); err == nil {
		t.Error("a log was created in place of a folder")
	}
	w, err := Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	if w.Write(Event{Kind: Note}) == nil {
		t.Error("a closed log was written to")
	}
	if w.Write(Event{Kind: Note, Time: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)}) == nil {
		t.Error("no error for a time that JSON cannot represent")
	}
}
