// Package corpus keeps the cases of one property in a folder, from one run of
// the tool to the next.
//
//	w, err := corpus.Create(dir, pkg, property) // a file of its own
//	w.Add(corpus.Entry{Input: "Tree{K: 1}", ...})
//	w.Ran(120_000, binary)                      // so far, every second or so
//	w.Close()
//
//	c, err := corpus.Read(dir)                  // what all writers have kept
//	corpus.Compact(dir, nil)                    // many files become one
//
// The one idea is that a file is only ever appended to, by the one process that
// made it. Such a file is called a segment. Writers therefore need no locks
// against each other, and one that is killed can spoil no more than its last
// line. Every line carries its checksum, so a line is either read as it was
// written or left out and counted; the lines around it do not depend on it.
//
// An input may stand in several segments, and in one segment several times.
// Reading folds them: the newest tells how the case ended, the first tells where
// it came from. Because of that a case that is there twice does no harm, which
// is what makes Compact safe: it adds the merged segment before it removes the
// old ones, and may be killed anywhere in between.
package corpus

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/allele-go/allele/internal/ops/event"
)

// Entry is a kept case.
type Entry struct {
	Input   string        `json:"input"`             // a Go expression, as in a case file
	Verdict event.Verdict `json:"verdict"`           // passed, discarded, or what somebody wrote into a file
	Trace   uint64        `json:"trace"`             // hash of what its run showed; sixteen hex digits in JSON
	Parent  string        `json:"parent,omitempty"`  // ID of the case it was made of
	How     string        `json:"how,omitempty"`     // how it was made: fresh, havoc, a kind of mutant
	Why     string        `json:"why,omitempty"`     // why it was kept
	Run     int           `json:"run"`               // the run that first saw it
	Binary  string        `json:"binary"`            // hash of the binary that saw it
	Spawned bool          `json:"spawned,omitempty"` // its run started goroutines
}

// ID is a short name of the input: sixteen hex digits of its hash.
func (e Entry) ID() string {
	sum := sha256.Sum256([]byte(e.Input))
	return fmt.Sprintf("%x", sum[:8])
}

// MarshalJSON writes the trace in hex, because many readers of JSON take numbers
// for floats and would round it.
func (e Entry) MarshalJSON() ([]byte, error) { return encode(shownEntry(e)) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *Entry) UnmarshalJSON(data []byte) error {
	var s shown
	err := json.Unmarshal(data, &s)
	*e = s.entry()
	return err
}

// shown is an Entry as JSON. Segments are made of these and not of entries: with
// methods in between, every line would be scanned three times.
type shown struct {
	plain
	Trace hex `json:"trace"`
}

type plain Entry // without its methods

func shownEntry(e Entry) *shown { return &shown{plain(e), hex(e.Trace)} }

func (s *shown) entry() Entry {
	e := Entry(s.plain)
	e.Trace = uint64(s.Trace)
	return e
}

type hex uint64

func (h hex) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(h)), nil }

func (h *hex) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 16, 64)
	*h = hex(n)
	return err
}

// encode is json.Marshal, but leaves & and < alone: Go expressions are full of
// the first, and people read these files.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// check refuses what would not come back as it was. JSON has no way to write a
// byte that is not part of a character; Go source has none of those either.
func (e Entry) check() error {
	if e.Input == "" {
		return errors.New("it has no input")
	}
	for _, s := range e.texts() {
		if !utf8.ValidString(s) {
			return fmt.Errorf("%.40q is not valid UTF-8", s)
		}
	}
	return nil
}

// texts are the parts of an entry that take memory.
func (e Entry) texts() []string {
	return []string{e.Input, string(e.Verdict), e.Parent, e.How, e.Why, e.Binary}
}

func (e Entry) size() int {
	size := 0
	for _, s := range e.texts() {
		size += len(s)
	}
	return size
}

// Folder is where the cases of a property are kept below root.
//
// The names in it are for people and fit every file system: signs that some do
// not allow become an underscore, a hash tells apart what then looks the same,
// in another case included. The real names are in the segments.
func Folder(root, pkg, property string) string {
	return filepath.Join(root, folderName(pkg), folderName(property))
}

// nameMax keeps the two names of a folder, with a root before them and a segment
// behind, below the 260 characters that some programs on Windows still stop at.
const nameMax = 60

func folderName(name string) string {
	safe := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-':
			return c
		}
		return '_' // the dot too: Windows has devices such as aux.example
	}, name)
	sum := sha256.Sum256([]byte(name))
	return fmt.Sprintf("%.*s-%x", nameMax, safe, sum[:4])
}
