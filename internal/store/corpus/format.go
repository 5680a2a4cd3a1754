//go:build go1.25

package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
)

// A segment is text. Its first line is a header, and each line after it is a checksum and a
// note:
//
//	allele corpus 1 {"package":"example.com/tree","property":"TestInsert"}
//	a3c9e21f {"case":{"input":"Tree{K: 1}","verdict":"passed",...}}
//	0c11d5ab {"ran":{"runs":120000,"binary":"5f0c..."}}
//
// A later version of this package may add fields, which this version ignores. A change
// of the meaning of lines needs a new format number.
const (
	magic  = "allele corpus "
	format = 1
)

// lineMax bounds a line, and with it the memory that a damaged file can take. The largest
// inputs that a search saves take some kilobytes as text.
const lineMax = 1 << 20

// header is the JSON of the first line.
type header struct {
	Package  string `json:"package"`
	Property string `json:"property"`
}

func (h header) line() ([]byte, error) {
	text, err := encode(h)
	return fmt.Appendf(nil, "%s%d %s\n", magic, format, text), err
}

// errNewer is wrapped by the error for a segment of a newer format. The lines of such a
// segment may have another meaning.
var errNewer = errors.New("update allele")

// parseHeader reads the part of the header after magic.
func parseHeader(text []byte) (h header, err error) {
	number, rest, _ := bytes.Cut(text, []byte(" "))
	n, err := strconv.ParseUint(string(number), 10, 64)
	switch {
	case n > format: // a number that is out of range is also newer: n is then the largest uint64
		return h, fmt.Errorf("corpus format %s, but this version of allele reads only %d: %w", number, format, errNewer)
	case err != nil || n != format:
		return h, errors.New("no format number")
	}
	if json.Unmarshal(rest, &h) != nil {
		return header{}, errors.New("no names of the package and the property")
	}
	return h, nil
}

// note is the JSON of a line after the header. One of its fields is set.
type note struct {
	Case *shown    `json:"case,omitempty"`
	Ran  *progress `json:"ran,omitempty"`
}

// progress is how far the search has come.
type progress struct {
	Runs   int    `json:"runs"`
	Binary string `json:"binary"`
}

// sumLen is the length of a checksum and the space behind it.
const sumLen = 8 + 1

func (n note) line() ([]byte, error) {
	text, err := encode(n)
	if err != nil {
		return nil, err
	}
	if len(text)+sumLen > lineMax {
		return nil, fmt.Errorf("the input takes %d bytes as text, more than %d", len(text), lineMax-sumLen)
	}
	return fmt.Appendf(nil, "%08x %s\n", crc32.ChecksumIEEE(text), text), nil
}

// parseNote reads a line without its newline. The line may have any content.
func parseNote(line []byte) (note, error) {
	if len(line) < sumLen || line[sumLen-1] != ' ' {
		return note{}, errors.New("no checksum")
	}
	sum, err := strconv.ParseUint(string(line[:sumLen-1]), 16, 32)
	if err != nil {
		return note{}, errors.New("no checksum")
	}
	text := line[sumLen:]
	if uint32(sum) != crc32.ChecksumIEEE(text) {
		return note{}, errors.New("the checksum is wrong")
	}
	var n note
	if err := json.Unmarshal(text, &n); err != nil {
		return note{}, fmt.Errorf("not a note: %w", err)
	}
	if n.Case == nil && n.Ran == nil {
		return note{}, errors.New("neither an input nor progress")
	}
	if n.Case != nil && n.Case.Input == "" {
		return note{}, errors.New("the input is empty")
	}
	return n, nil
}
