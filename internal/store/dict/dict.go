//go:build go1.25

// Package dict reads the dictionaries of other fuzzers: files with the words of a language or
// format, as AFL and libFuzzer use them.
//
//	# keywords of JSON
//	"true"
//	open="{"
//	bom@2="\xEF\xBB\xBF"
//
// A word may have a name, which is ignored, and a level, which is ignored too: all words are
// read. The command reads a dictionary to report errors, and each worker reads it again:
//
//	words, err := dict.Read(file)
package dict

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	// WordMax is the length, in bytes, of the longest word that a search uses.
	WordMax = 32

	fileMax  = 1 << 20
	wordsMax = 4096 // each of them is inserted at each place of a text, so more would only slow down a search
)

// Read returns the words in a file, each once. Its errors contain the file and the line.
func Read(file string) ([]string, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, plain(err))
	}
	if !info.Mode().IsRegular() { // opening a pipe could block
		return nil, fmt.Errorf("%s:1: not a regular file", file)
	}
	in, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, plain(err))
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, fileMax+1)) // one more byte, so that Parse can reject a longer file
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, plain(err))
	}
	words, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", file, err)
	}
	return words, nil
}

// plain removes the operation and the path from an error of package os.
func plain(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return err
}

// Parse returns the words in the text of a dictionary, each once, in their order. Its errors
// begin with a line number.
func Parse(data []byte) (words []string, err error) {
	if len(data) > fileMax {
		return nil, fmt.Errorf("1: the file is larger than %d MiB", fileMax>>20)
	}
	number, known := 0, map[string]bool{}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // some editors put a byte order mark into every file
	for line := range bytes.Lines(data) {
		number++
		text := strings.TrimSpace(string(line))
		if text == "" || text[0] == '#' {
			continue
		}
		word, err := parseLine(text)
		if err == nil && len(known) == wordsMax && !known[word] {
			err = fmt.Errorf("more than %d words", wordsMax)
		}
		if err != nil {
			return nil, fmt.Errorf("%d: %w", number, err)
		}
		if !known[word] {
			known[word] = true
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		return nil, fmt.Errorf("%d: no words; a word is a line such as name=\"text\"", number+1)
	}
	return words, nil
}

var errNoWord = errors.New(`not a word; want a line such as "text" or name="text"`)

// parseLine reads name@level="value". Both the name and the level may be missing.
func parseLine(line string) (word string, err error) {
	name, value, ok := strings.Cut(line, `"`)
	if !ok {
		return "", errNoWord
	}
	if name = strings.TrimSpace(name); name != "" {
		if name, ok = strings.CutSuffix(name, "="); !ok {
			return "", errNoWord
		}
		if err := checkName(strings.TrimSpace(name)); err != nil {
			return "", err
		}
	}
	return unquote(value)
}

func checkName(name string) error {
	name, level, ok := strings.Cut(name, "@")
	if _, err := strconv.ParseUint(level, 10, 32); ok && err != nil {
		return fmt.Errorf("%.20q is not a level; want a number after @", level)
	}
	for _, r := range name {
		if r <= ' ' || r == utf8.RuneError {
			return errNoWord
		}
	}
	return nil
}

// unquote reads a text up to its closing quotation mark, which must be the last character.
func unquote(s string) (string, error) {
	var word []byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' && i < len(s)-1:
			return "", errors.New(`text after the closing quotation mark; write \" for a mark inside a word`)
		case c == '"' && len(word) == 0:
			return "", errors.New("the word is empty")
		case c == '"':
			return string(word), nil
		case c < ' ' && c != '\t' || c == 0x7f:
			return "", fmt.Errorf("a control character; write \\x%02x", c)
		case c == '\\':
			b, n, err := escaped(s[i+1:])
			if err != nil {
				return "", err
			}
			word = append(word, b)
			i += n
		default:
			word = append(word, c)
		}
	}
	return "", errors.New("no closing quotation mark")
}

// escaped returns the byte that the characters after a backslash stand for, and how many
// they are.
func escaped(s string) (b byte, n int, err error) {
	if s == "" {
		return 0, 0, errors.New("no closing quotation mark")
	}
	switch s[0] {
	case '\\', '"':
		return s[0], 1, nil
	case 'n':
		return '\n', 1, nil
	case 'r':
		return '\r', 1, nil
	case 't':
		return '\t', 1, nil
	case 'x':
		if len(s) >= 3 {
			if x, err := strconv.ParseUint(s[1:3], 16, 8); err == nil {
				return byte(x), 3, nil
			}
		}
		return 0, 0, errors.New(`want two hexadecimal digits after \x`)
	}
	return 0, 0, fmt.Errorf(`unknown escape \%c; there are \\, \", \n, \r, \t and \xNN`, firstRune(s))
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
