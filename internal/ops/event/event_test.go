//go:build go1.25

package event

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"
)

// noon is the time of the events in these tests.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// render renders the events of a text as kind:run, and bad lines as their error, or as
// "bad" if the error is one of encoding/json.
func render(text string) string {
	var all []string
	for e, err := range Read(strings.NewReader(text)) {
		switch {
		case err == nil:
			all = append(all, fmt.Sprintf("%s:%d", e.Kind, e.Run))
		case errors.Is(err, errOther) || errors.Is(err, errLong) || errors.Is(err, ErrNewer):
			all = append(all, "("+err.Error()+")")
		default:
			all = append(all, "bad")
		}
	}
	return strings.Join(all, " ")
}

func TestRead(t *testing.T) {
	const one, two = `{"v":1,"kind":"kept","run":1}`, `{"v":1,"kind":"died","run":2}`
	long := `{"v":1,"kind":"note","text":"` + strings.Repeat("x", lineMax) + `"}`
	for _, row := range []struct{ what, text, want string }{
		{"empty file", "", ""},
		{"two events", one + "\n" + two + "\n", "kept:1 died:2"},
		{"no newline at the end", one + "\n" + two, "kept:1 died:2"},
		{"line ends of Windows, and empty lines", one + "\r\n\n \n" + two + "\r\n", "kept:1 died:2"},
		{"unknown fields are skipped", `{"v":1,"later":[{}],"kind":"note"}` + "\n" + one, "note:0 kept:1"},
		{"an unknown kind is returned", `{"v":1,"kind":"later","run":3}`, "later:3"},
		{"the last write was incomplete", one + "\n" + two[:20], "kept:1 bad"},
		{"an incomplete write, then the write of another process", one[:20] + two + "\n" + one, "bad died:2 kept:1"},
		{"two incomplete writes", one[:20] + one[:9] + two, "bad died:2"},
		{"only the newline was lost", one + two + "\n", "bad died:2"},
		{"zero bytes before a line", one + "\n\x00\x00\x00" + two, "kept:1 bad died:2"},
		{"a field has the wrong type", `{"v":1,"kind":"kept","run":"1"}` + "\n" + two, "bad died:2"},
		{"other JSON", "{}\n[]\n7\n" + one, "(line 1: not an event) bad bad kept:1"},
		{"an event without a kind", `{"v":1}` + "\n" + one, "(line 1: not an event) kept:1"},
		{"a newer format", one + "\n" + `{"v":2,"kind":["?"]}` + "\n" + two,
			"kept:1 (line 2: an event of format 2, but this version of allele reads only 1: update allele) died:2"},
		{"a line that is too long", one + "\n" + long + "\n" + two, "kept:1 (line 2: longer than 1048576 bytes) died:2"},
		{"a line that is too long, without a newline", long + two + "\n" + one, "(line 1: longer than 1048576 bytes) died:2 kept:1"},
		{"a line that is too long at the end", one + "\n" + long, "kept:1 (line 2: longer than 1048576 bytes)"},
	} {
		t.Run(row.what, func(t *testing.T) {
			if got := render(row.text); got != row.want {
				t.Errorf("got  %s\nwant %s", got, row.want)
			}
		})
	}
}

func TestReadStops(t *testing.T) {
	text := "?\n" + `{"v":1,"kind":"kept"}` + "\n"
	for want := range 3 {
		got := 0
		for range Read(strings.NewReader(text + text)) {
			if got == want {
				break
			}
			got++
		}
		if got != want {
			t.Errorf("%d instead of %d", got, want)
		}
	}
	broken := errors.New("the disk is gone")
	var last error
	for _, err := range Read(iotest.ErrReader(broken)) {
		last = err
	}
	if !errors.Is(last, broken) {
		t.Errorf("got %v", last)
	}
}

// full returns an event with all fields set.
func full() Event {
	e := Event{Kind: Finished}
	v := reflect.ValueOf(&e).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Int:
			f.SetInt(int64(10 + i))
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Uint32, reflect.Uint64:
			f.SetUint(uint64(10 + i))
		case reflect.Float64:
			f.SetFloat(0.5)
		case reflect.String:
			f.SetString(fmt.Sprintf("<%d> \"é\" {\"v\":1}\n", i))
		case reflect.Slice:
			if f.Type().Elem().Kind() == reflect.String {
				f.Set(reflect.ValueOf([]string{"a note", "é"}))
				break
			}
			f.Set(reflect.ValueOf([]uint32{1, 2, 1 << 31}))
		}
	}
	e.Format, e.Time = Format, noon.Add(time.Nanosecond)
	e.Search = &Search{Kept: 5, Whole: 1, Bounded: 2, Dropped: 1, Share: 0.25, Kinds: []Count{{"swap", 4, 3, 2, 1}}}
	e.Operands = &Operands{Asked: 3, Died: 2, Off: "why"}
	e.Encoded = &Encoded{Faults: 9, Runs: 8, Made: 1, Same: 2, Refused: 3, Panics: 4, Spent: 5, Died: 6, Off: "why", By: []int{1, 2}}
	return e
}

func TestRoundTrip(t *testing.T) {
	file := filepath.Join(t.TempDir(), "events")
	want := []Event{full(), {Format: 1, Kind: Note}, full()}
	for _, e := range want {
		e.Format = 77 // which Append overwrites
		if err := Append(file, e); err != nil {
			t.Fatal(err)
		}
	}
	if got := readFile(t, file); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	v := reflect.ValueOf(full())
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("%s is not tested", v.Type().Field(i).Name)
		}
	}
}

// readFile reads a file and fails at a bad line.
func readFile(t *testing.T, file string) (events []Event) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for e, err := range Read(f) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

func TestAppendFails(t *testing.T) {
	if err := Append(t.TempDir(), Event{Kind: Note}); err == nil {
		t.Error("a folder was written to")
	}
	if err := Append(filepath.Join(t.TempDir(), "events"), Event{Kind: Note, Time: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)}); err == nil {
		t.Error("no error for a time that JSON cannot represent")
	}
}

func TestCut(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"", ""},
		{"ten bytes.", "ten bytes."},
		{"eleven byte", "eleven …"},
		{"1234567é9ab", "1234567…"},
		{"123456é9abc", "123456…"},
		{"12345€9abcd", "12345…"},
		{"a\xffb\xfe\xfdc", "a?b?c"},
		{strings.Repeat("\x80", 11), "…"},
	} {
		if got := cut(row.text, 10); got != row.want {
			t.Errorf("%q became %q, want %q", row.text, got, row.want)
		}
	}
}

// Read accepts the lines of the largest possible event, and they contain all its sites.
func TestLineFits(t *testing.T) {
	for _, char := range []string{"\x01", "\xff", "\u2028", "<", `"`} {
		e := full()
		v := reflect.ValueOf(&e).Elem()
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.String {
				f.SetString(strings.Repeat(char, lineMax))
			}
		}
		e.Operands.Off = e.Text
		e.Sites, e.Last = make([]uint32, 3*sitesMax), make([]uint32, lineMax)
		for i := range e.Sites {
			e.Sites[i] = 1<<32 - 1 - uint32(i)
		}
		e.Before = e.Sites
		e.Last[lineMax-1] = 7
		e.Search.Kinds = make([]Count, lineMax)
		for i := range e.Search.Kinds {
			e.Search.Kinds[i] = Count{e.Text, -1 << 63, -1 << 63, -1 << 63, -1 << 63}
		}
		text, err := encode(e)
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(text) {
			t.Error("not UTF-8")
		}
		var sites []uint32
		var last Event
		for got, err := range Read(bytes.NewReader(text)) {
			if err != nil {
				t.Fatalf("%q: %v", char, err)
			}
			sites = append(sites, got.Sites...)
			last = got
		}
		if !reflect.DeepEqual(sites, e.Sites) || last.Kind != within(e).Kind || last.Last[lastMax-1] != 7 {
			t.Errorf("%q: %d sites, %d last", char, len(sites), len(last.Last))
		}
		if len(e.Text) != len(char)*lineMax || len(e.Search.Kinds) != lineMax || len(e.Operands.Off) != len(e.Text) {
			t.Error("the event of the caller was changed")
		}
	}
}

// A number that JSON cannot represent must not lose the event.
func TestNoNumber(t *testing.T) {
	zero := 0.0
	for _, share := range []float64{zero / zero, 1 / zero, -1 / zero} {
		if _, err := encode(Event{Kind: Finished, Search: &Search{Share: share}}); err != nil {
			t.Errorf("%v: %v", share, err)
		}
	}
}
