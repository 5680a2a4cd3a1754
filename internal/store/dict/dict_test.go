//go:build go1.25

package dict

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"words", "\"true\"\nopen=\"{\"\n", `["true" "{"]`},
		{"a comment, blank lines and space", "# a\n\n  # b\n \t\"x\"  \n", `["x"]`},
		{"line ends of Windows", "a=\"x\"\r\nb=\"y\"\r\n", `["x" "y"]`},
		{"a byte order mark", "\ufeff\"x\"\n", `["x"]`},
		{"levels", "a@1=\"x\"\n@2=\"y\"\nb@10 = \"z\"", `["x" "y" "z"]`},
		{"the largest level", "a@4294967295=\"x\"", `["x"]`},
		{"a level that is too large", "a@4294967296=\"x\"", `1: "4294967296" is not a level; want a number after @`},
		{"a level of nines", "a@99=\"x\"", `["x"]`},
		{"a name with signs", "a#b!=\"x\"", `["x"]`},
		{"escapes", `a="\x00\xfF\\\"\n\r\t"`, `["\x00\xff\\\"\n\r\t"]`},
		{"other characters", `a="é = # @ 'x' 	y"`, `["é = # @ 'x' \ty"]`},
		{"each once, in order", "\"b\"\n\"a\"\n\"b\"\n", `["b" "a"]`},
		{"no words", "# a\n", `2: no words; a word is a line such as name="text"`},
		{"empty", "", `1: no words; a word is a line such as name="text"`},
		{"no quotation marks", "\"a\"\ntrue\n", `2: not a word; want a line such as "text" or name="text"`},
		{"no sign of equality", `name "a"`, `1: not a word; want a line such as "text" or name="text"`},
		{"a name with a space", `a b="a"`, `1: not a word; want a line such as "text" or name="text"`},
		{"a level that is no number", `a@high="a"`, `1: "high" is not a level; want a number after @`},
		{"an open word", `a="b`, "1: no closing quotation mark"},
		{"an open escape", `a="b\`, "1: no closing quotation mark"},
		{"an empty word", `a=""`, "1: the word is empty"},
		{"text behind", `a="b" # c`, `1: text after the closing quotation mark; write \" for a mark inside a word`},
		{"an unknown escape", `a="\q"`, `1: unknown escape \q; there are \\, \", \n, \r, \t and \xNN`},
		{"half a byte", `a="\x1"`, `1: want two hexadecimal digits after \x`},
		{"a control character", "a=\"\x01\"", `1: a control character; write \x01`},
		{"too long", strings.Repeat("#", fileMax+1), "1: the file is larger than 1 MiB"},
		{"too many", numbered(wordsMax + 1), "4097: more than 4096 words"},
	} {
		words, err := Parse([]byte(c.text))
		got := fmt.Sprintf("%q", words)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "\"%d\"\n", i)
	}
	return b.String()
}

// Any bytes are read back if they are escaped, and damaged files are errors with a line.
func TestRoundTrip(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for n := range 5000 {
		var want []string
		text := ""
		for range 1 + r.IntN(4) {
			word, quoted := make([]byte, 1+r.IntN(5)), ""
			for i := range word {
				word[i] = byte(r.IntN(256))
				quoted += fmt.Sprintf("\\x%02x", word[i])
			}
			if !slices.Contains(want, string(word)) {
				want = append(want, string(word))
			}
			text += fmt.Sprintf("w%d@%d=\"%s\"\n", n, r.IntN(9), quoted)
		}
		if got, err := Parse([]byte(text)); err != nil || !slices.Equal(got, want) {
			t.Fatalf("seed %d, %d: %q, %v, want %q", seed, n, got, err, want)
		}
		damaged := []byte(text)
		damaged[r.IntN(len(damaged))] = byte(r.IntN(256))
		line := 0
		if _, err := Parse(damaged); err != nil {
			if _, scan := fmt.Sscanf(err.Error(), "%d: ", &line); scan != nil || line < 1 {
				t.Fatalf("seed %d, %d: no line: %v", seed, n, err)
			}
		}
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.dict")
	if err := os.WriteFile(file, []byte("\"a\"\nb\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		file: file + ":2: not a word", dir: dir + ":1: not a regular file", file + "x": file + "x: ",
	} {
		if _, err := Read(path); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
