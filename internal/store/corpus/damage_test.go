//go:build go1.25

package corpus

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// mark is a byte of a damaged file with its origin: the line of the good file, and the
// offset in that line. A byte that was changed or inserted has no line. With the marks
// the test can find the lines that are undamaged.
type mark struct {
	b    byte
	line int8
	at   int16
}

const noLine = -1

func marks(good [][]byte) []mark {
	var all []mark
	for i, line := range good {
		for at, b := range line {
			all = append(all, mark{b, int8(i), int16(at)})
		}
	}
	return all
}

func strangers(data []byte) []mark {
	all := make([]mark, len(data))
	for i, b := range data {
		all[i] = mark{b, noLine, 0}
	}
	return all
}

func unmark(all []mark) []byte {
	data := make([]byte, len(all))
	for i, m := range all {
		data[i] = m.b
	}
	return data
}

// damages are ways to spoil a file.
var damages = []struct {
	name  string
	spoil func(*rand.Rand, []mark) []mark
}{
	{"truncated", func(r *rand.Rand, all []mark) []mark { return all[:r.IntN(len(all)+1)] }},
	{"truncated at the end of a line", func(r *rand.Rand, all []mark) []mark {
		_, end := someLine(r, all)
		return all[:max(0, end-r.IntN(3))]
	}},
	{"the beginning is missing", func(r *rand.Rand, all []mark) []mark { return all[r.IntN(len(all)+1):] }},
	{"a bit flipped", func(r *rand.Rand, all []mark) []mark {
		if len(all) == 0 {
			return all
		}
		i := r.IntN(len(all))
		return splice(all, i, i+1, []byte{all[i].b ^ 1<<r.IntN(8)})
	}},
	{"bytes replaced by random bytes", func(r *rand.Rand, all []mark) []mark {
		from, to := someRange(r, all)
		return splice(all, from, to, noise(r, to-from))
	}},
	{"bytes replaced by zeros", func(r *rand.Rand, all []mark) []mark {
		from, to := someRange(r, all)
		return splice(all, from, to, make([]byte, to-from))
	}},
	{"random bytes inserted", func(r *rand.Rand, all []mark) []mark {
		from, _ := someRange(r, all)
		return splice(all, from, from, noise(r, r.IntN(300)))
	}},
	{"bytes missing", func(r *rand.Rand, all []mark) []mark {
		from, to := someRange(r, all)
		return splice(all, from, to, nil)
	}},
	{"a line twice", func(r *rand.Rand, all []mark) []mark {
		from, to := someLine(r, all)
		return slices.Concat(all[:to], all[from:to], all[to:])
	}},
	{"a line moved to the end", func(r *rand.Rand, all []mark) []mark {
		from, to := someLine(r, all)
		return slices.Concat(all[:from], all[to:], all[from:to])
	}},
	{"a truncated line before other lines", func(r *rand.Rand, all []mark) []mark {
		from, to := someLine(r, all)
		return slices.Concat(all[:from+r.IntN(to-from+1)], strangers([]byte("\n")), all[to:])
	}},
	{"a line that is too long", func(r *rand.Rand, all []mark) []mark {
		size := 2 * lineMax
		if r.IntN(500) > 0 {
			size = 1000 // otherwise the test would take minutes
		}
		_, to := someLine(r, all)
		return splice(all, to, to, append(bytes.Repeat([]byte("x"), size), '\n'))
	}},
	{"other line ends", func(r *rand.Rand, all []mark) []mark {
		var out []mark
		for _, m := range all {
			if m.b == '\n' {
				out = append(out, mark{'\r', noLine, 0})
			}
			out = append(out, m)
		}
		return out
	}},
}

func splice(all []mark, from, to int, data []byte) []mark {
	return slices.Concat(all[:from], strangers(data), all[to:])
}

func noise(r *rand.Rand, n int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

func someRange(r *rand.Rand, all []mark) (from, to int) {
	from = r.IntN(len(all) + 1)
	return from, min(len(all), from+r.IntN(200))
}

// someLine returns the range of a line with its newline.
func someLine(r *rand.Rand, all []mark) (from, to int) {
	data, i := unmark(all), r.IntN(len(all)+1)
	from = bytes.LastIndexByte(data[:i], '\n') + 1
	to = len(all)
	if n := bytes.IndexByte(data[from:], '\n'); n >= 0 {
		to = from + n + 1
	}
	return from, to
}

// untouched returns the lines of the good file that are lines of the damaged file too. It
// implements the format in the slow and obvious way. Lines after a header of a newer
// format do not count.
func untouched(good [][]byte, all []mark) (lines []int8) {
	for len(all) > 0 {
		end := slices.IndexFunc(all, func(m mark) bool { return m.b == '\n' })
		line := all
		if end >= 0 {
			line, all = all[:end], all[end+1:]
		} else {
			all = nil
		}
		if n := len(line); n > 0 && line[n-1].b == '\r' {
			line = line[:n-1]
		}
		if newer(bytes.TrimLeft(unmark(line), zero)) {
			return lines
		}
		if whole(good, line) {
			lines = append(lines, line[0].line)
		}
	}
	return lines
}

func newer(line []byte) bool {
	rest, is := bytes.CutPrefix(line, []byte(magic))
	if !is {
		return false
	}
	var number int
	fmt.Sscanf(string(rest), "%d", &number)
	return number > format
}

// whole reports whether a line is exactly one of the good lines.
func whole(good [][]byte, line []mark) bool {
	for at, m := range line {
		if m.line == noLine || m.line != line[0].line || m.at != int16(at) {
			return false
		}
	}
	return len(line) > 0 && len(line) == len(good[line[0].line])-1
}

// goodSegment returns a segment as a list of lines with their newlines.
func goodSegment(t testing.TB) (good [][]byte, entries map[int8]Entry) {
	t.Helper()
	first, err := header{"example.com/tree", "TestInsert"}.line()
	if err != nil {
		t.Fatal(err)
	}
	good, entries = [][]byte{first}, map[int8]Entry{}
	for i := 1; i < 8; i++ {
		n := note{Ran: &progress{i, "b"}}
		if i%4 > 0 {
			e := Entry{Input: fmt.Sprintf("&Tree{K: %d, S: \"\\n\\x00%s\"}", i, strings.Repeat("世\n", i/2)), Verdict: "passed", Run: i}
			n = note{Case: shownEntry(e)}
			entries[int8(i)] = e
		}
		line, err := n.line()
		if err != nil {
			t.Fatal(err)
		}
		good = append(good, line)
	}
	return good, entries
}

// Whatever the damage, all undamaged lines are read, and no entry is read that was not
// written.
func TestDamaged(t *testing.T) {
	t.Parallel()
	good, entries := goodSegment(t)
	known := map[Entry]bool{}
	for _, e := range entries {
		known[e] = true
	}
	r := rand.New(rand.NewPCG(3, 4))
	found, damagedLines := 0, 0
	for range 10_000 {
		all, names := marks(good), ""
		for range 1 + r.IntN(3) {
			d := damages[r.IntN(len(damages))]
			all, names = d.spoil(r, all), names+d.name+"; "
		}
		reader := newReader()
		reader.segment("x", bytes.NewReader(unmark(all)))
		c := reader.corpus
		for _, i := range untouched(good, all) {
			if e, is := entries[i]; is && !slices.Contains(c.Entries, e) {
				t.Fatalf("%sline %d is undamaged and was not read\n%q", names, i+1, unmark(all))
			}
			found++
		}
		for _, e := range c.Entries {
			if !known[e] {
				t.Fatalf("%sread %v, which was not written", names, e)
			}
		}
		if len(c.Problems) > problemsMax || c.Damaged > 0 && len(c.Problems) == 0 {
			t.Fatalf("%s%d damaged, problems %v", names, c.Damaged, c.Problems)
		}
		damagedLines += c.Damaged
	}
	t.Logf("%d untouched lines were read, %d damaged ones left out", found, damagedLines)
	if found < 10_000 || damagedLines < 5_000 {
		t.Error("too many or too few lines are damaged for this test to mean anything")
	}
}

// seal puts the right checksum before each line: a fuzzer does not find it by chance.
func seal(data []byte) (sealed []byte) {
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		sealed = fmt.Appendf(sealed, "%08x %s\n", crc32.ChecksumIEEE(line), line)
	}
	return sealed
}

// For all bytes, reading ends within its bounds, and the entries are the same after they
// are written and read again.
func FuzzRead(f *testing.F) {
	good, _ := goodSegment(f)
	f.Add(bytes.Join(good, nil), false)
	f.Add(bytes.Join(good[1:], []byte("\r\n\x00")), false)
	f.Add([]byte("allele corpus 2 {}\n"), false)
	f.Add([]byte(`{"case":{"input":"a","trace":"f"}}`+"\n"+`{"ran":{"runs":-1}}`), true)
	f.Fuzz(func(t *testing.T, data []byte, sealed bool) {
		if sealed {
			data = seal(data)
		}
		r := newReader()
		r.segment("x", bytes.NewReader(data))
		c := r.corpus
		if len(c.Problems) > problemsMax || r.lines < len(c.Entries)+c.Damaged {
			t.Fatalf("%d lines, %d entries, %d damaged, %v", r.lines, len(c.Entries), c.Damaged, c.Problems)
		}
		var text []byte
		for _, e := range c.Entries {
			if err := e.check(); err != nil {
				t.Fatal(err)
			}
			line, err := note{Case: shownEntry(e)}.line()
			if err != nil {
				return // the line was just short enough, and the rewritten one is longer
			}
			text = append(text, line...)
		}
		again := newReader()
		again.segment("x", bytes.NewReader(text))
		if !slices.Equal(again.corpus.Entries, c.Entries) || again.corpus.Damaged > 0 {
			t.Errorf("%v became %v: %v", c.Entries, again.corpus.Entries, again.corpus.Problems)
		}
	})
}
