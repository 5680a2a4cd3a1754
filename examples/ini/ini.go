// Package ini reads and writes settings in sections.
//
//	debug = yes
//
//	[server]
//	address = localhost:80 ; a comment
//	motd = "\"welcome\"\n\tplease wipe your feet; thank you"
//
//	f, err := ini.Decode(text)
//	f["server"]["address"] = ":8080"
//	text = ini.Encode(f)
//
// Names and values are any strings at all. Those that could be mistaken for
// something else are written in quotes, as Go writes strings, so that a file is
// always plain text: bare decides which ones, for Encode and Decode alike. Keys
// before the first header are in the section with the empty name.
//
// It is an example of testing with allele: ini_test.go says that nothing is
// lost on the way to a file and back, with any strings, and that no file makes
// Decode panic. `go test -tags planted` shows a value that does not come back.
package ini

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// File is all settings by section and key.
type File map[string]Section

// Section is the settings of one section.
type Section map[string]string

// Encode writes a file, sections and keys in the order of their names.
func Encode(f File) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(f)) {
		// The section without a name comes first and needs no header, unless
		// there is nothing else to show that it exists.
		if name != "" || len(f[name]) == 0 {
			fmt.Fprintf(&b, "[%s]\n", word(name))
		}
		for _, key := range slices.Sorted(maps.Keys(f[name])) {
			fmt.Fprintf(&b, "%s = %s\n", word(key), word(f[name][key]))
		}
	}
	return b.String()
}

func word(s string) string {
	if bare(s) {
		return s
	}
	return strconv.Quote(s)
}

// bare reports whether a string may stand in a file without quotes: it is
// visible from its first to its last character and has none that means
// something to us.
func bare(s string) bool {
	return s != "" && s == strings.TrimSpace(s) && utf8.ValidString(s) &&
		!strings.ContainsAny(s, "\"\\[]=;#") &&
		!strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// Decode reads a file. A section or a key that is there twice is an error, for
// one of the two would be lost without a word.
func Decode(text string) (File, error) {
	d := decoder{file: File{}}
	number := 0
	for line := range strings.Lines(text) {
		number++
		if err := d.line(strings.TrimSpace(cutComment(line))); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	return d.file, nil
}

type decoder struct {
	file File
	name string // of the section we are in
}

func (d *decoder) line(line string) error {
	switch {
	case line == "":
		return nil
	case line[0] == '[':
		return d.header(line[1:])
	}
	return d.setting(line)
}

func (d *decoder) header(line string) error {
	name, rest, err := cutWord(line, "]")
	if err != nil {
		return fmt.Errorf("section: %w", err)
	}
	if rest != "]" {
		return fmt.Errorf("section %q: want nothing but ] after the name", name)
	}
	if _, ok := d.file[name]; ok {
		return fmt.Errorf("section %q is there twice", name)
	}
	d.file[name], d.name = Section{}, name
	return nil
}

func (d *decoder) setting(line string) error {
	key, rest, err := cutWord(line, "=")
	if err != nil {
		return fmt.Errorf("key: %w", err)
	}
	text, ok := strings.CutPrefix(rest, "=")
	if !ok {
		return fmt.Errorf("key %q: want = and a value after it", key)
	}
	value, err := decodeValue(strings.TrimSpace(text))
	if err != nil {
		return fmt.Errorf("value of %q: %w", key, err)
	}
	section := d.file[d.name]
	if section == nil { // no header yet
		section = Section{}
		d.file[d.name] = section
	}
	if _, ok := section[key]; ok {
		return fmt.Errorf("key %q is there twice", key)
	}
	section[key] = value
	return nil
}

// decodeValue is a word and nothing else. People write nothing for an empty
// value, and there is no doubt what they mean.
func decodeValue(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	value, rest, err := cutWord(text, "")
	if err == nil && rest != "" {
		err = fmt.Errorf("want nothing after the closing quote, not %q", rest)
	}
	return value, err
}

// cutWord takes a word off the start of a line. A bare one goes on to one of
// the stop characters, or to the end. There is no blank before the rest.
func cutWord(line, stop string) (word, rest string, err error) {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, `"`) {
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return "", "", fmt.Errorf("want a closing quote, and escapes as in Go: %s", line)
		}
		word, err = strconv.Unquote(quoted)
		return word, strings.TrimSpace(line[len(quoted):]), err
	}
	end := strings.IndexAny(line, stop)
	if end < 0 {
		end = len(line)
	}
	if word = strings.TrimSpace(line[:end]); !bare(word) {
		return "", "", fmt.Errorf("%s must be in quotes", strconv.Quote(word))
	}
	return word, line[end:], nil
}

// cutComment drops what follows a ; or # that is not in quotes.
func cutComment(line string) string {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			if quoted && !planted { // the bug: \" seems to be the end of the quotes
				i++
			}
		case '"':
			quoted = !quoted
		case ';', '#':
			if !quoted {
				return line[:i]
			}
		}
	}
	return line
}
