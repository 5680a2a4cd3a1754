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
			all = append(all, fmt.Sprintf("%s:%d", e.Kind(), run(e)))
		case errors.Is(err, errOther) || errors.Is(err, errLong) || errors.Is(err, ErrNewer) || errors.Is(err, ErrOlder):
			all = append(all, "("+err.Error()+")")
		default:
			all = append(all, "bad")
		}
	}
	return strings.Join(all, " ")
}

// run returns the number of the run in an event, by which these tests tell events apart.
func run(e Event) int {
	switch b := e.Body.(type) {
	case Died:
		return b.Run
	case Found:
		return b.Run
	case Progress:
		return b.Counts.Runs
	case Finished:
		return b.Counts.Runs
	}
	return 0
}

func TestRead(t *testing.T) {
	const one, two = `{"v":2,"kind":"found","found":{"run":1}}`, `{"v":2,"kind":"died","died":{"run":2}}`
	long := `{"v":2,"kind":"note","note":{"text":"` + strings.Repeat("x", lineMax) + `"}}`
	for _, row := range []struct{ what, text, want string }{
		{"empty file", "", ""},
		{"two events", one + "\n" + two + "\n", "found:1 died:2"},
		{"no newline at the end", one + "\n" + two, "found:1 died:2"},
		{"line ends of Windows, and empty lines", one + "\r\n\n \n" + two + "\r\n", "found:1 died:2"},
		{"unknown fields are skipped", `{"v":2,"later":[{}],"kind":"died","died":{"run":3,"later":[{}]},"found":7}` + "\n" + one, "died:3 found:1"},
		{"an unknown kind is skipped", `{"v":2,"kind":"later","later":{"run":3}}` + "\n" + one, "found:1"},
		{"the last write was incomplete", one + "\n" + two[:20], "found:1 bad"},
		{"an incomplete write, then the write of another process", one[:20] + two + "\n" + one, "bad died:2 found:1"},
		{"two incomplete writes", one[:20] + one[:9] + two, "bad died:2"},
		{"only the newline was lost", one + two + "\n", "bad died:2"},
		{"zero bytes before a line", one + "\n\x00\x00\x00" + two, "found:1 bad died:2"},
		{"a field has the wrong type", `{"v":2,"kind":"found","found":{"run":"1"}}` + "\n" + two, "bad died:2"},
		{"an object has the wrong type", `{"v":2,"kind":"found","found":1}` + "\n" + two, "bad died:2"},
		{"other JSON", "{}\n[]\n7\n" + one, "(line 1: not an event) bad bad found:1"},
		{"an event without a kind", `{"v":2}` + "\n" + one, "(line 1: not an event) found:1"},
		{"an event without its object", `{"v":2,"kind":"died","found":{}}` + "\n" + one, "(line 1: not an event) found:1"},
		{"a newer format", one + "\n" + `{"v":3,"kind":["?"]}` + "\n" + two,
			"found:1 (line 2: an event of format 3, but this version of allele reads only 2: update allele) died:2"},
		{"an older format", one + "\n" + `{"v":1,"kind":"died","run":3}` + "\n" + two,
			"found:1 (line 2: an event of format 1, but this version of allele reads only 2: an older allele wrote it; " +
				"run the command that wrote it again, with this version) died:2"},
		{"a line that is too long", one + "\n" + long + "\n" + two, "found:1 (line 2: longer than 1048576 bytes) died:2"},
		{"a line that is too long, without a newline", long + two + "\n" + one, "(line 1: longer than 1048576 bytes) died:2 found:1"},
		{"a line that is too long at the end", one + "\n" + long, "found:1 (line 2: longer than 1048576 bytes)"},
	} {
		t.Run(row.what, func(t *testing.T) {
			if got := render(row.text); got != row.want {
				t.Errorf("got  %s\nwant %s", got, row.want)
			}
		})
	}
}

func TestReadStops(t *testing.T) {
	text := "?\n" + `{"v":2,"kind":"stopped","stopped":{}}` + "\n"
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

// full returns an event of the kind of a body, with all fields set.
func full(b Body) Event {
	v := reflect.New(reflect.TypeOf(b)).Elem()
	fill(v, "<%s> \"é\" {\"v\":2}\n")
	return Event{Time: noon.Add(time.Nanosecond), Package: "example.com/p", Property: "TestIt", Body: v.Interface().(Body)}
}

// fill sets all fields of a value. Texts are made with a format that has one verb.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.Int:
		v.SetInt(11)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint32:
		v.SetUint(1 << 31)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.String:
		v.SetString(fmt.Sprintf(text, v.Type().Name()))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), text)
		fill(v.Index(1), text)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), text)
		}
	default:
		panic(v.Type().String())
	}
}

func TestRoundTrip(t *testing.T) {
	file := filepath.Join(t.TempDir(), "events")
	var want []Event
	for _, b := range bodies {
		want = append(want, full(b), Event{Body: b})
	}
	for _, e := range want {
		if err := Append(file, e); err != nil {
			t.Fatal(err)
		}
	}
	if got := readFile(t, file); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
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
	if err := Append(t.TempDir(), Event{Body: Note{}}); err == nil {
		t.Error("a folder was written to")
	}
	if err := Append(filepath.Join(t.TempDir(), "events"), Event{Body: Note{}, Time: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)}); err == nil {
		t.Error("no error for a time that JSON cannot represent")
	}
	if err := Append(filepath.Join(t.TempDir(), "events"), Event{}); err == nil {
		t.Error("no error for an event without a body")
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

// Read accepts the lines of the largest possible events, and they contain all sites.
func TestLineFits(t *testing.T) {
	if testing.Short() {
		t.Skip("there is no concurrency for the race detector")
	}
	for _, char := range []string{"\x01", "\xff", "\u2028", "<", `"`} {
		for _, b := range bodies {
			e := full(b)
			v := reflect.New(reflect.TypeOf(b)).Elem()
			fill(v, strings.Repeat(char, lineMax)+"%.0s")
			long(v)
			e.Package, e.Property, e.Body = strings.Repeat(char, lineMax), strings.Repeat(char, lineMax), v.Interface().(Body)
			text, err := Line(e)
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
					t.Fatalf("%s of %q: %v", e.Kind(), char, err)
				}
				if r, ok := got.Body.(Reached); ok {
					sites = append(sites, r.Sites...)
				}
				last = got
			}
			if last.Kind() != b.kind() {
				t.Errorf("%q: %s, want %s", char, last.Kind(), b.kind())
			}
			if f, ok := last.Body.(Finished); ok && (len(sites)+len(f.Reach.Sites) != listLong || !f.Reach.Partial) {
				t.Errorf("%q: %d and %d sites", char, len(sites), len(f.Reach.Sites))
			}
			if f, ok := e.Body.(Finished); ok && (len(f.Search.Kinds) != listLong || len(f.Search.Operands.Off) != len(f.Text) || len(f.Notes[0]) != len(f.Text)) {
				t.Error("the event of the caller was changed")
			}
		}
	}
}

const listLong = 3 * sitesMax

// long makes all lists of a value long, and numbers take many digits.
func long(v reflect.Value) {
	switch v.Kind() {
	case reflect.Int:
		v.SetInt(-1 << 63)
	case reflect.Uint32:
		v.SetUint(1<<32 - 1)
	case reflect.Pointer:
		long(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			long(v.Field(i))
		}
	case reflect.Slice:
		long(v.Index(0))
		all := reflect.MakeSlice(v.Type(), listLong, listLong)
		for i := range listLong {
			all.Index(i).Set(v.Index(0))
		}
		v.Set(all)
	case reflect.Bool:
		v.SetBool(false)
	}
}

// A number that JSON cannot represent must not lose the event.
func TestNoNumber(t *testing.T) {
	zero := 0.0
	for _, share := range []float64{zero / zero, 1 / zero, -1 / zero} {
		if _, err := Line(Event{Body: Finished{Search: Search{Share: share}}}); err != nil {
			t.Errorf("%v: %v", share, err)
		}
	}
}
