//go:build go1.25

package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// good returns the lines of a file that a campaign wrote, with their newlines.
func good(t testing.TB) (all []string) {
	for i := range 15 {
		e := full(bodies[i])
		if i%3 > 0 {
			e = Event{Property: "TestIt", Body: Progress{Counts: Counts{Runs: 1000 + i, Passed: i / 2}}}
		}
		line, err := Line(e)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(line))
	}
	return all
}

// ways to damage a line. The result need not have a newline.
var ways = []struct {
	name   string
	damage func(r *rand.Rand, line string) string
}{
	{"cut short", func(r *rand.Rand, s string) string { return s[:r.IntN(len(s))] + "\n" }},
	{"without its end and newline", func(r *rand.Rand, s string) string { return s[:r.IntN(len(s))] }},
	{"without its beginning", func(r *rand.Rand, s string) string { return s[1+r.IntN(len(s)-1):] }},
	{"bits flipped", func(r *rand.Rand, s string) string {
		b := []byte(s)
		for range 1 + r.IntN(4) {
			b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		}
		return string(b)
	}},
	{"zeros", func(r *rand.Rand, s string) string {
		b := []byte(s)
		from := r.IntN(len(b))
		clear(b[from : from+r.IntN(len(b)-from)+1])
		return string(b)
	}},
	{"random bytes", func(r *rand.Rand, s string) string { return noise(r, r.IntN(300)) }},
	{"random bytes inserted", func(r *rand.Rand, s string) string {
		at := r.IntN(len(s))
		return s[:at] + noise(r, r.IntN(30)) + s[at:]
	}},
	{"a newline inserted", func(r *rand.Rand, s string) string {
		at := r.IntN(len(s))
		return s[:at] + "\n" + s[at:]
	}},
	{"deep", func(r *rand.Rand, s string) string {
		return `{"v":2,"later":` + strings.Repeat("[", r.IntN(20_000)) + "\n"
	}},
	{"huge numbers", func(r *rand.Rand, s string) string { return strings.ReplaceAll(s, "1", "99999999999999999999") }},
	{"oversized", func(r *rand.Rand, s string) string { // rarely, since it is slow
		if r.IntN(20) > 0 {
			return "x" + s
		}
		return s[:len(s)-2] + strings.Repeat(" ", lineMax) + s[len(s)-2:]
	}},
}

func noise(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return string(b)
}

// Whatever the damage to some lines, all other lines are read, in order.
func TestDamaged(t *testing.T) {
	const seed = 1
	variants := 10_000
	if testing.Short() { // the race detector makes it slow and cannot find anything here
		variants /= 100
	}
	r := rand.New(rand.NewPCG(seed, 0))
	lines := good(t)
	for i := range variants {
		var text, what strings.Builder
		var whole []string
		for n, line := range lines {
			if r.IntN(6) > 0 {
				text.WriteString(line)
				whole = append(whole, line)
				continue
			}
			way := ways[r.IntN(len(ways))]
			fmt.Fprintf(&what, " %d:%s", n, way.name)
			text.WriteString(way.damage(r, line))
		}
		read, bad := readBack(t, []byte(text.String()))
		if missing := notIn(whole, read); missing != "" {
			t.Fatalf("seed %d, variant %d:%s: not read: %s", seed, i, what.String(), missing)
		}
		if bad > 20*len(lines) {
			t.Errorf("variant %d: %d bad lines", i, bad)
		}
	}
}

// readBack writes the events of a text again, so that they can be compared.
func readBack(t *testing.T, text []byte) (read []string, bad int) {
	t.Helper()
	for e, err := range Read(bytes.NewReader(text)) {
		if err != nil {
			bad++
			continue
		}
		line, err := Line(e)
		if err != nil {
			t.Fatal(err)
		}
		read = append(read, string(line))
	}
	return read, bad
}

// notIn returns the first line that is missing in the other lines, which must have the
// same order.
func notIn(lines, others []string) string {
	for _, line := range lines {
		for len(others) > 0 && others[0] != line {
			others = others[1:]
		}
		if len(others) == 0 {
			return line
		}
		others = others[1:]
	}
	return ""
}

// A truncated file has lost one line at most, and a Tail that has read it reads the
// events that are appended later.
func TestCutAnywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("there is no concurrency for the race detector")
	}
	lines := good(t)[:6]
	text := strings.Join(lines, "")
	file := filepath.Join(t.TempDir(), "events")
	for n := range len(text) {
		read, _ := readBack(t, []byte(text[:n]))
		if whole := strings.Count(text[:n], "\n"); notIn(lines[:whole], read) != "" {
			t.Fatalf("%d bytes: %d lines of %d", n, len(read), whole)
		}
		if err := os.WriteFile(file, []byte(text[:n]), 0o666); err != nil {
			t.Fatal(err)
		}
		tail := Tail{File: file}
		tail.Next()
		if err := Append(file, Event{Body: Stopped{}}); err != nil {
			t.Fatal(err)
		}
		if got := tail.Next(); len(got) == 0 || got[len(got)-1].Kind() != "stopped" {
			t.Fatalf("%d bytes, then an event: %v", n, got)
		}
	}
}

// For all bytes, the events that Read returns can be written and read again, and the size
// of the pieces in which the bytes arrive makes no difference.
func FuzzRead(f *testing.F) {
	lines := good(f)
	f.Add([]byte(strings.Join(lines, "")), uint8(7))
	f.Add([]byte(lines[0]+lines[1][:9]+lines[2]), uint8(1))
	f.Add([]byte("{}\n\x00{\"v\":2,\"kind\":\"note\",\"note\":{}}\n{\"v\":3}"), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, piece uint8) {
		read, bad := readBack(t, data)
		again, badAgain := readBack(t, []byte(strings.Join(read, "")))
		if badAgain > 0 || notIn(read, again) != "" {
			t.Fatalf("%q became %q", read, again)
		}
		var l counted
		for rest := data; len(rest) > 0; {
			n := min(len(rest), 1+int(piece))
			l.feed(rest[:n], l.count)
			rest = rest[n:]
		}
		l.end(l.count)
		if l.events != len(read) || l.bad != bad {
			t.Errorf("in pieces of %d: %d events and %d bad lines, not %d and %d", 1+int(piece), l.events, l.bad, len(read), bad)
		}
	})
}

// counted counts events and bad lines.
type counted struct {
	lines
	events, bad int
}

func (l *counted) count(e Event, err error) bool {
	if err != nil {
		l.bad++
	} else {
		l.events++
	}
	return true
}

// The mark occurs only at the beginning of a line, whatever the texts are.
func TestMark(t *testing.T) {
	for _, b := range bodies {
		line, err := Line(full(b))
		if err != nil || !json.Valid(line) {
			t.Fatal(err)
		}
		if bytes.LastIndex(line, mark) != 0 {
			t.Errorf("in %s", line)
		}
	}
}
