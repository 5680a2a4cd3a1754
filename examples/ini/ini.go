//go:build go1.25

// Package ini reads and writes INI files: settings, grouped into sections.
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
// Names and values may be arbitrary strings. A string that is ambiguous or not
// printable is written as a quoted Go string, so a file is always plain text.
// Encode and Decode share one function, bare, that decides which strings need
// quotes. Keys before the first header belong to the section with the empty name.
//
// The package is an example of testing with allele. ini_test.go checks that
// Decode returns exactly what Encode was given, for arbitrary strings, and that
// Decode does not panic on any text. `go test -tags planted` shows a value that
// Decode does not restore.
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

// File holds all settings, by section and key.
type File map[string]Section

// Section maps the keys of one section to their values.
type Section map[string]string

// Encode returns the text of a file, with sections and keys sorted by name.
func Encode(f File) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(f)) {
		// The section with the empty name comes first. It needs a header only
		// if it has no keys: otherwise nothing would show that it exists.
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

// bare reports whether a string may be written without quotes: it is not empty,
// all its characters are printable, it neither begins nor ends with a space, and
// it contains no character that has a meaning in the file format.
func bare(s string) bool {
	return s != "" && s == strings.TrimSpace(s) && utf8.ValidString(s) &&
		!strings.ContainsAny(s, "\"\\[]=;#") &&
		!strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// Decode parses the text of a file. A duplicate section or key is an error,
// because otherwise one of the two would be lost silently.
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
	name string // name of the current section
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
		return fmt.Errorf("section %q: want only ] after the name", name)
	}
	if _, ok := d.file[name]; ok {
		return fmt.Errorf("duplicate section %q", name)
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
		return fmt.Errorf("key %q: want = and a value after the key", key)
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
		return fmt.Errorf("duplicate key %q", key)
	}
	section[key] = value
	return nil
}

// decodeValue parses a value, which is a single word. No text at all is an empty
// value: people write "key =", and nothing else can be meant.
func decodeValue(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	value, rest, err := cutWord(text, "")
	if err == nil && rest != "" {
		err = fmt.Errorf("unexpected %q after the closing quote", rest)
	}
	return value, err
}

// cutWord splits a line into its first word and the rest. An unquoted word
// extends to the first of the stop characters, or to the end of the line. The
// rest begins without spaces.
func cutWord(line, stop string) (word, rest string, err error) {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, `"`) {
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return "", "", fmt.Errorf("want a closing quote and Go's escape sequences: %s", line)
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

// cutComment returns the part of a line before the first ; or # outside quotes.
func cutComment(line string) string {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			if quoted && !planted { // the planted bug: without this, \" is taken for the closing quote
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
