//go:build go1.25

// Package casefile reads and writes case files as text: the facts of the header, and the
// expression below it.
//
//	f, err := casefile.Read("testdata/allele/TestX/fail-3f9c2a.case")
//	verdict, ok := f.Fact("verdict")
//
// The command has no access to the user's types, so it does not interpret the
// expression. The library does; it reads the same files with package codec. A file may
// have any content: its size is bounded, and errors have the form "file:line: reason".
package casefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Format is the version of the format that this package writes, and the highest version
// that it reads.
const Format = 1

// File is a case file.
type File struct {
	Facts []Fact // in the order of the file; the first fact with a key counts
	Expr  string // as in the file
}

// Fact is a line of the header.
type Fact struct{ Key, Value string }

// keys are the keys of facts. Other lines of a header are comments by people. The library
// uses the first six keys, and a corpus adds the others.
var keys = []string{"test", "verdict", "message", "found", "shrunk", "runs",
	"package", "how", "why", "parent", "trace", "binary", "spawned"}

// Fact returns the value of a key in the header.
func (f File) Fact(key string) (value string, ok bool) {
	for _, x := range f.Facts {
		if x.Key == key {
			return x.Value, true
		}
	}
	return "", false
}

const (
	magic     = "// allele case "
	keyColumn = 8 // width of the keys, so that the values are aligned
	// fileMax is the largest case file that the library reads.
	fileMax = 16 << 20
)

// Bytes returns the content of the file.
func (f File) Bytes() []byte {
	out := fmt.Appendf(nil, "%s%d\n", magic, Format)
	for _, x := range f.Facts {
		out = fmt.Appendf(out, "// %-*s %s\n", keyColumn, x.Key, oneLine(x.Value))
	}
	return append(append(append(out, '\n'), f.Expr...), '\n')
}

// oneLine quotes a value that would change if it were written as the rest of a line.
func oneLine(s string) string {
	odd := func(r rune) bool { return !unicode.IsGraphic(r) || r == unicode.ReplacementChar }
	if s == "" || strings.ContainsFunc(s, odd) || s != strings.TrimSpace(s) || strings.HasPrefix(s, `"`) {
		return strconv.Quote(s)
	}
	return s
}

// Read reads a case file.
func Read(file string) (File, error) {
	data, err := readAll(file)
	if err != nil {
		return File{}, err
	}
	f, err := Parse(data)
	if err != nil {
		return File{}, fmt.Errorf("%s:%w", file, err)
	}
	return f, nil
}

// Write writes a case file. It writes a temporary file first and renames that, so that no
// incomplete case file can exist.
func Write(file string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(file), ".writing-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}

func readAll(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, plain(file, err)
	}
	if !info.Mode().IsRegular() { // opening a pipe could block
		return nil, fmt.Errorf("%s:1: not a regular file", file)
	}
	in, err := os.Open(file)
	if err != nil {
		return nil, plain(file, err)
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, fileMax+1)) // one more byte, so that Parse can reject a longer file
	if err != nil {
		return nil, plain(file, err)
	}
	return data, nil
}

// plain removes the operation and the path from an error of package os, and adds the name
// of the file. It adds no line number.
func plain(file string, err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("%s: %w", file, err)
}

// Parse reads the text of a case file. Its errors begin with a line number.
func Parse(data []byte) (f File, err error) {
	if len(data) > fileMax {
		return f, fmt.Errorf("1: the file is larger than %d MiB", fileMax>>20)
	}
	if i := invalid(data); i >= 0 {
		return f, fmt.Errorf("%d: not text in UTF-8", 1+bytes.Count(data[:i], []byte("\n")))
	}
	text := string(data)
	if first, _, _ := strings.Cut(text, "\n"); strings.HasSuffix(first, "\r") {
		text = strings.ReplaceAll(text, "\r\n", "\n") // an editor on Windows may have written it
	}
	number, header := 0, false
	for line := range strings.Lines(text) {
		fact, isComment := strings.CutPrefix(strings.TrimSpace(line), "//")
		if !isComment && fact != "" {
			break
		}
		number++
		text = text[len(line):]
		if !isComment && header {
			break // one blank line below the header is not part of the expression
		}
		if !isComment {
			continue
		}
		header = true
		if err := f.line(strings.TrimSpace(fact)); err != nil {
			return File{}, fmt.Errorf("%d: %w", number, err)
		}
	}
	f.Expr = strings.TrimSuffix(text, "\n")
	if strings.TrimSpace(f.Expr) == "" {
		return File{}, fmt.Errorf("%d: no Go expression below the header", number+1)
	}
	return f, nil
}

func invalid(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
	return -1
}

// line reads a comment line of the header.
func (f *File) line(text string) error {
	if number, ok := strings.CutPrefix("// "+text, magic); ok {
		return checkFormat(strings.TrimSpace(number))
	}
	key, value, _ := strings.Cut(text, " ")
	if !slices.Contains(keys, key) {
		return nil
	}
	value = strings.TrimSpace(value)
	if strings.HasPrefix(value, `"`) {
		if s, err := strconv.Unquote(value); err == nil {
			value = s
		}
	}
	if _, known := f.Fact(key); !known {
		f.Facts = append(f.Facts, Fact{key, value})
	}
	return nil
}

func checkFormat(number string) error {
	n, err := strconv.Atoi(number)
	switch {
	case err != nil || n < 1:
		return fmt.Errorf("%.20q is not a format number", number)
	case n > Format:
		return fmt.Errorf("case format %d: written by a newer allele; update allele to read the file", n)
	}
	return nil
}
