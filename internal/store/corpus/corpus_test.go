//go:build go1.25

package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/proc/event"
)

// keep fills a folder from a line of text: segments are separated by "|", a word
// "a:passed" adds the input a with that verdict, "ran:7" adds progress. Runs are numbered
// across segments, and each segment has a binary of its own.
func keep(t *testing.T, dir, text string) {
	t.Helper()
	run := 0
	for i, part := range strings.Split(text, "|") {
		w, err := Create(dir, "example.com/tree", "TestInsert")
		if err != nil {
			t.Fatal(err)
		}
		binary := fmt.Sprint("b", i+1)
		for _, word := range strings.Fields(part) {
			input, verdict, _ := strings.Cut(word, ":")
			if input == "ran" {
				runs, _ := strconv.Atoi(verdict)
				err = w.Ran(runs, binary)
			} else {
				run++
				err = w.Add(Entry{Input: input, Verdict: event.Verdict(verdict), Trace: uint64(run), Run: run, Binary: binary})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// show renders a corpus as a line: "a:passed@1" is the input a, whose first run was run 1.
func show(c *Corpus) string {
	var words []string
	for _, e := range c.Entries {
		words = append(words, fmt.Sprintf("%s:%s@%d", e.Input, e.Verdict, e.Run))
	}
	words = append(words, fmt.Sprint("runs:", c.Runs), c.Binary)
	if c.Damaged > 0 {
		words = append(words, fmt.Sprint("damaged:", c.Damaged))
	}
	return strings.Join(words, " ")
}

func read(t *testing.T, dir string) *Corpus {
	t.Helper()
	c, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// files returns the names of the files in a folder.
func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A corpus is the same before and after Compact.
func TestRead(t *testing.T) {
	for _, row := range []struct{ name, kept, want string }{
		{"empty", "", "runs:0 "},
		{"entries stay in order", "b:passed a:discarded", "b:passed@1 a:discarded@2 runs:2 b1"},
		{"segments in order", "a:passed | b:passed", "a:passed@1 b:passed@2 runs:2 b2"},
		{"the newest verdict and the first run count",
			"a:passed b:passed | a:discarded", "a:discarded@1 b:passed@2 runs:3 b2"},
		{"the same within a segment", "a:passed a:discarded a:cut", "a:cut@1 runs:3 b1"},
		{"the highest progress counts", "a:passed ran:900 | ran:20", "a:passed@1 runs:900 b2"},
		{"the latest binary counts", "ran:5 | a:passed", "a:passed@1 runs:5 b2"},
		{"an empty segment is removed", "a:passed | | ", "a:passed@1 runs:1 b1"},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			keep(t, dir, row.kept)
			for _, when := range []string{"read", "compacted", "compacted again"} {
				c := read(t, dir)
				if got := show(c); got != row.want {
					t.Errorf("%s: %s, want %s", when, got, row.want)
				}
				if len(c.Entries) > 0 && (c.Package != "example.com/tree" || c.Property != "TestInsert") {
					t.Errorf("%s: corpus of %s.%s", when, c.Package, c.Property)
				}
				if err := Compact(dir, nil); err != nil {
					t.Fatal(err)
				}
			}
			if got := files(t, dir); len(got) > 1 {
				t.Errorf("left: %v", got)
			}
		})
	}
}

// Read returns every input that Add accepts unchanged.
func TestRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	w, err := Create(dir, "p \"\n", "TestX/<&>")
	if err != nil {
		t.Fatal(err)
	}
	var want []Entry
	for i, input := range []string{
		"&Tree{L: nil}", "a\nb", "\r\n", "\x00", `"quoted \" and \\"`, "`raw`", "<&>", "\u2028\u2029", "世界", "\ufffd",
		"allele corpus 2", " ", "}", strings.Repeat("x", 900_000), strings.Repeat("\"", 400_000),
	} {
		e := Entry{Input: input, Verdict: event.Verdict(input[:1]), Trace: math.MaxUint64 - uint64(i), Parent: "p", How: "h\n", Why: "w",
			Run: i, Binary: "b", Spawned: i%2 == 0}
		e.Verdict = event.Verdict(strings.ToValidUTF8(string(e.Verdict), "?"))
		if err := w.Add(e); err != nil {
			t.Fatalf("%.20q: %v", input, err)
		}
		want = append(want, e)
	}
	for input, reason := range map[string]string{
		"":                         "the input is empty",
		"a\xff":                    "not valid UTF-8",
		strings.Repeat("x", 1<<20): "more than",
	} {
		if err := w.Add(Entry{Input: input}); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%.20q: %v, want %s", input, err, reason)
		}
	}
	if err := w.Add(Entry{Input: "a", Why: "\xff"}); err == nil {
		t.Error("a reason that is not valid UTF-8 was accepted")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	c := read(t, dir)
	if !reflect.DeepEqual(c.Entries, want) || c.Damaged > 0 {
		t.Errorf("%d entries, %d damaged: %v", len(c.Entries), c.Damaged, c.Problems)
	}
	if c.Package != "p \"\n" || c.Property != "TestX/<&>" {
		t.Errorf("corpus of %q %q", c.Package, c.Property)
	}
	if err := w.Add(want[0]); err == nil {
		t.Error("added to a closed writer")
	}
}

// The format is fixed, because people and other programs read these files too.
func TestFormat(t *testing.T) {
	dir := t.TempDir()
	w, err := Create(dir, "example.com/tree", "TestInsert")
	if err != nil {
		t.Fatal(err)
	}
	w.Add(Entry{Input: "&Tree{K: 1}", Verdict: "passed", Trace: 0xabc, How: "fresh", Run: 3, Binary: "5f"})
	w.Ran(120, "5f")
	w.Close()
	data, err := os.ReadFile(filepath.Join(dir, files(t, dir)[0]))
	if err != nil {
		t.Fatal(err)
	}
	want := `allele corpus 1 {"package":"example.com/tree","property":"TestInsert"}
cf90f93f {"case":{"input":"&Tree{K: 1}","verdict":"passed","how":"fresh","run":3,"binary":"5f","trace":"0000000000000abc"}}
da41111b {"ran":{"runs":120,"binary":"5f"}}
`
	if string(data) != want {
		t.Errorf("got:\n%s\nwant:\n%s", data, want)
	}
	e := Entry{Input: "a", Trace: math.MaxUint64, Spawned: true}
	data, err = json.Marshal(e)
	var back Entry
	if err != nil || json.Unmarshal(data, &back) != nil || back != e {
		t.Errorf("%v became %s became %v", e, data, back)
	}
	if err := json.Unmarshal([]byte(`{"input":"a","trace":"nothing"}`), &e); err == nil {
		t.Error("a trace that is not a hash was accepted")
	}
}

// first returns the name of the only segment, and its bytes.
func first(t *testing.T, dir string) (file string, data []byte) {
	t.Helper()
	file = filepath.Join(dir, files(t, dir)[0])
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return file, data
}

// Damage is reported, and only damaged lines are lost. Each row changes a segment with the
// inputs a, b and c; another segment has the input z.
func TestDamage(t *testing.T) {
	replace := func(old, new string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, new, 1) }
	}
	for _, row := range []struct {
		name     string
		change   func(string) string
		want     string // inputs
		problems string
	}{
		{"no damage", replace("", ""), "a b c z", ""},
		{"empty", func(string) string { return "" }, "z", ""},
		{"newer", replace("corpus 1", "corpus 2"), "z", ":1: corpus format 2, but this version of allele reads only 1: update allele"},
		{"much newer", replace("corpus 1", "corpus 99999999999999999999"), "z", "update allele"},
		{"no number", replace("corpus 1", "corpus x"), "a b c z", ":1: no format number"},
		{"no first line", func(s string) string { return s[strings.Index(s, "\n")+1:] }, "a b c z", ""},
		{"names truncated", replace(`"}`, ""), "a b c z", ":1: no names of the package and the property"},
		{"a flipped bit", replace(`"input":"b"`, `"input":"c"`), "a c z", ":3: the checksum is wrong"},
		{"truncated", func(s string) string { return s[:len(s)-9] }, "a b z", ":4: the checksum is wrong"},
		{"only the last newline is missing", func(s string) string { return s[:len(s)-1] }, "a b c z", ""},
		{"edited on Windows", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }, "a b c z", ""},
		{"empty lines", func(s string) string { return strings.ReplaceAll(s, "\n", "\n\n\n") }, "a b c z", ""},
		{"zeros at the end", func(s string) string { return s + strings.Repeat(zero, 4096) }, "a b c z", ":5: the line has only zero bytes"},
		{"zeros before a line", func(s string) string {
			return strings.Replace(s, "\n", "\n"+strings.Repeat(zero, 2*lineMax), 1)
		}, "a b c z", ""},
		{"a line that is too long", func(s string) string {
			return strings.Replace(s, "\n", "\n"+strings.Repeat("x", 3*lineMax)+"\n", 1)
		}, "a b c z", ":2: the line has more than 1048576 bytes"},
		{"prose", func(s string) string { return "Dear diary,\n" + s }, "a b c z", ":1: no checksum"},
		{"two segments in one", func(s string) string { return s + s }, "a b c z", ""},
		{"an empty note", func(s string) string { return s + "a3a6bf43 {}\n" }, "a b c z", ":5: neither an input nor progress"},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			keep(t, dir, "a:passed b:passed c:passed")
			file, data := first(t, dir)
			keep(t, dir, "z:passed")
			if err := os.WriteFile(file, []byte(row.change(string(data))), 0o644); err != nil {
				t.Fatal(err)
			}
			c := read(t, dir)
			var got []string
			for _, e := range c.Entries {
				got = append(got, e.Input)
			}
			if strings.Join(got, " ") != row.want || c.Property != "TestInsert" {
				t.Errorf("inputs %v of %q, want %s", got, c.Property, row.want)
			}
			problems := strings.Join(c.Problems, "\n")
			if !strings.Contains(problems, row.problems) || (problems == "") != (row.problems == "") {
				t.Errorf("problems: %s", problems)
			}
			if problems != "" && !strings.HasPrefix(problems, file) {
				t.Errorf("%s does not name %s", problems, file)
			}
		})
	}
}

// Compact does not remove a file of a newer format, or one that could not be read to its
// end.
func TestCompactLeavesWhatItCannotRead(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, "a:passed")
	file, data := first(t, dir)
	keep(t, dir, "b:passed | c:passed")
	newer := bytes.Replace(data, []byte("corpus 1"), []byte("corpus 7"), 1)
	if err := os.WriteFile(file, newer, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Compact(dir, nil); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, newer) {
		t.Errorf("the newer segment is now %s, %v", got, err)
	}
	if n := len(files(t, dir)); n != 2 {
		t.Errorf("%d files, want the newer one and one merged", n)
	}
}

// The bounds hold. A segment that exceeds one is reported and not removed.
func TestBounds(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, "a:passed b:passed c:passed d:passed b:discarded")
	_, data := first(t, dir)
	for _, row := range []struct {
		name     string
		bound    func(*reader)
		want     string
		problems string
	}{
		{"none", func(*reader) {}, "a:passed@1 b:discarded@2 c:passed@3 d:passed@4 runs:5 b1", ""},
		{"entries", func(r *reader) { r.entriesMax = 2 }, "a:passed@1 b:passed@2 runs:2 b1", ":4: the corpus is too large"},
		{"text", func(r *reader) { r.textMax = 30 }, "a:passed@1 b:passed@2 c:passed@3 runs:3 b1", ":5: the corpus is too large"},
		{"a file", func(r *reader) { r.segmentMax = 300 }, "a:passed@1 b:passed@2 runs:2 b1", ":4: the file is too long"},
	} {
		r := newReader()
		row.bound(r)
		whole := r.segment("x", bytes.NewReader(data))
		problems := strings.Join(r.corpus.Problems, "\n")
		if got := show(&r.corpus); got != row.want || whole != (row.problems == "") || !strings.Contains(problems, row.problems) {
			t.Errorf("%s: %s, want %s; whole %v; problems: %s", row.name, got, row.want, whole, problems)
		}
	}
}

// Reading an endless file without newlines takes bounded memory and ends.
func TestEndless(t *testing.T) {
	for _, b := range []byte{0, 'x', '\n'} {
		r := newReader()
		r.segmentMax = 2 << 20
		lines := newLines(endless(b), r.segmentMax)
		for lines.next() && lines.number < 1000 {
		}
		if cap(lines.text) > 2*lineMax {
			t.Errorf("%q: %d bytes held for a line", b, cap(lines.text))
		}
		if whole := r.segment("x", endless(b)); whole || len(r.corpus.Problems) != 1 {
			t.Errorf("%q: whole %v, problems %v", b, whole, r.corpus.Problems)
		}
	}
}

type endless byte

func (b endless) Read(data []byte) (int, error) {
	for i := range data {
		data[i] = byte(b)
	}
	return len(data), nil
}

// Reading does not block at a file that has the name of a segment but is a pipe.
func TestNotAFile(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, "a:passed")
	file, data := first(t, dir)
	if err := os.Mkdir(filepath.Join(dir, "000002-1.corpus"), 0o777); err != nil {
		t.Fatal(err)
	}
	pipe(t, filepath.Join(dir, "000003-1.corpus"))
	os.Symlink(file, filepath.Join(dir, "000004-1.corpus")) // fails for some users of Windows
	for _, name := range []string{"notes.txt", "2-1.corpus", "x.corpus", "000005-1.corpus~", "-1-1.corpus", "99999999999999999999-1.corpus"} {
		if err := os.WriteFile(filepath.Join(dir, name), bytes.ReplaceAll(data, []byte(`"a"`), []byte(`"b"`)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	before := files(t, dir)
	if got := show(read(t, dir)); got != "a:passed@1 runs:1 b1" {
		t.Error(got)
	}
	if err := Compact(dir, nil); err != nil {
		t.Fatal(err)
	}
	if after := files(t, dir); !slices.Equal(before, after) {
		t.Errorf("%v became %v", before, after)
	}
}

func TestFolder(t *testing.T) {
	seen := map[string]string{}
	for _, row := range []struct{ pkg, property, want string }{
		{"example.com/tree", "TestInsert", "example_com_tree-be0bf30c/TestInsert-"},
		{"example.com/tree", "testInsert", "example_com_tree-be0bf30c/testInsert-"},
		{"aux.com", "con", "aux_com-facacb99/con-"},
		{"", "..", "-e3b0c442/__-"},
		{"a/../..", "TestX/a:b\\c \x00 世", "a______-57717b01/TestX_a_b_c____-"},
		{"a", strings.Repeat("x", 999), "a-ca978112/" + strings.Repeat("x", nameMax) + "-"},
		{"a", strings.Repeat("x", 998), "a-ca978112/" + strings.Repeat("x", nameMax) + "-"},
	} {
		got := filepath.ToSlash(Folder("", row.pkg, row.property))
		if !strings.HasPrefix(got, row.want) || strings.Count(got, "/") != 1 {
			t.Errorf("%s %.40s: %s, want %s", row.pkg, row.property, got, row.want)
		}
		if other := seen[strings.ToLower(got)]; other != "" {
			t.Errorf("%s and %s share a folder on a case-insensitive file system", row.property, other)
		}
		seen[strings.ToLower(got)] = row.property
	}
}

func TestList(t *testing.T) {
	root := filepath.Join(t.TempDir(), "cache")
	if got, err := List(root); err != nil || got != nil {
		t.Errorf("nothing yet: %v, %v", got, err)
	}
	for _, name := range []string{"b TestX", "b TestA/x y", "a.b/c TestX", "z TestTorn", "z TestEmpty"} {
		pkg, property, _ := strings.Cut(name, " ")
		w, err := Create(Folder(root, pkg, property), pkg, property)
		if err != nil {
			t.Fatal(err)
		}
		if property != "TestEmpty" {
			w.Add(Entry{Input: "a"})
		}
		w.Close()
	}
	torn := Folder(root, "z", "TestTorn")
	file, _ := first(t, torn)
	os.WriteFile(file, []byte("allele corpus"), 0o666)
	os.WriteFile(filepath.Join(root, "README"), nil, 0o666)
	places, err := List(root)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range places {
		got = append(got, p.Package+" "+p.Property)
		if p.Property != filepath.Base(torn) && p.Dir != Folder(root, p.Package, p.Property) {
			t.Errorf("%v is not in its folder", p)
		}
	}
	want := "a.b/c TestX; b TestA/x y; b TestX; z-594e519a " + filepath.Base(torn)
	if strings.Join(got, "; ") != want {
		t.Errorf("listed %s, want %s", strings.Join(got, "; "), want)
	}
}

// A folder that cannot be created is an error with a next step.
func TestNoFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(file, "folder")
	_, err := Create(dir, "p", "TestX")
	if err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "XDG_CACHE_HOME") {
		t.Errorf("create: %v", err)
	}
	if _, err := Read(file); err == nil {
		t.Error("a file was read as a folder")
	}
	if _, err := List(file); err == nil {
		t.Error("a file was listed as a folder")
	}
	if err := Compact(file, nil); err == nil {
		t.Error("a file was compacted as a folder")
	}
}
