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
		kind := string(e.Kind())
		if n, ok := e.Body.(Note); ok {
			kind += "(" + n.Text + ")"
		}
		if e.Property == "last" {
			kind += " last"
		}
		all = append(all, fmt.Sprintf("%s:%d", kind, run(e)))
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
		if err := w.Write(Event{Time: noon.Add(after), Property: f[1], Body: numbered(f[0], i+1)}); err != nil {
			return err
		}
	}
	return nil
}

// numbered returns a body of a kind. If the kind has a number, it is n.
func numbered(kind string, n int) Body {
	switch kind {
	case "progress":
		return Progress{Counts: Counts{Runs: n}}
	case "died":
		return Died{Run: n}
	case "found":
		return Found{Run: n}
	}
	return Note{}
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
		{"other kinds at any time", []string{"died a 0", "died a 0", "found a 0", "found a 0", "note a 0"}, "died:1 died:2 found:3 found:4 note():0"},
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
	if testing.Short() {
		t.Skip("there is no concurrency for the race detector")
	}
	const most = 1 << 17
	x := strings.Repeat("x", 100)
	progress, died, finished := Progress{State: State(x)}, Died{Text: x}, Finished{Text: x}
	many := func(w *Writer, b Body) {
		for i := range most / 100 {
			w.Write(Event{Time: noon.Add(time.Duration(i) * time.Second), Body: b})
		}
	}
	for _, row := range []struct {
		fill  []Body
		then  Body
		wrote bool
	}{
		{[]Body{progress}, progress, false},
		{[]Body{progress}, Reached{Sites: make([]uint32, 100)}, false},
		{[]Body{progress}, died, true},
		{[]Body{progress}, Found{Text: x}, true},
		{[]Body{progress, died}, Found{Text: x}, false},
		{[]Body{progress, died}, Finished{Text: x, Reach: Reach{Sites: make([]uint32, most)}}, true},
		{[]Body{progress, died}, Stopped{Text: x}, true},
		{[]Body{progress, died}, Ended{}, true},
		{[]Body{progress, died, finished}, Stopped{Text: x}, false},
		{[]Body{died, finished, progress}, Stopped{Text: x}, false},
	} {
		var names []Kind
		for _, b := range row.fill {
			names = append(names, b.kind())
		}
		t.Run(fmt.Sprint(row.then.kind(), " after ", names), func(t *testing.T) {
			got := log(t, most, func(w *Writer) {
				for _, b := range row.fill {
					many(w, b)
				}
				w.Write(Event{Time: noon.Add(-time.Hour), Property: "last", Body: row.then})
			})
			if wrote := strings.Contains(got, "last"); wrote != row.wrote {
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
			w.Write(Event{Property: fmt.Sprint(i), Body: Progress{}})
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
					w.Write(Event{Body: Died{Text: strings.Repeat("x", 1000)}})
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
	if w.Write(Event{Body: Note{}}) == nil {
		t.Error("a closed log was written to")
	}
	if w.Write(Event{Body: Note{}, Time: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)}) == nil {
		t.Error("no error for a time that JSON cannot represent")
	}
}
