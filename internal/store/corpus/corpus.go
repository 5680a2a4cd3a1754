//go:build go1.25

// Package corpus saves the inputs of one property in a folder, for the next campaign.
//
//	w, err := corpus.Create(dir, pkg, property) // a file of its own
//	w.Add(corpus.Entry{Input: "Tree{K: 1}", ...})
//	w.Ran(120_000, binary)                      // progress, every second or so
//	w.Close()
//
//	c, err := corpus.Read(dir)                  // the entries of all writers
//	corpus.Compact(dir, nil)                    // many files become one
//
// The one idea is that only the process that created a file appends to it. Such a file
// is called a segment. Writers therefore need no locks against each other, and a writer
// that is killed can damage only its last line. Every line has a checksum, so a line is
// either read as it was written or skipped and counted; other lines are not affected.
//
// An input may occur in several segments, and several times in one segment. Reading
// merges these entries: the verdict is that of the newest entry, and the origin of the
// input is that of the first. So an entry that exists twice does no harm, and that makes
// Compact safe: it adds the merged segment before it removes the old ones, and may be
// killed in between.
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

	"github.com/allele-go/allele/internal/proc/event"
)

// Entry is a saved input.
type Entry struct {
	Input   string        `json:"input"`             // a Go expression, as in a case file
	Verdict event.Verdict `json:"verdict"`           // passed, discarded, or any text from an imported file
	Trace   uint64        `json:"trace"`             // hash of the trace of its run; sixteen hex digits in JSON
	Parent  string        `json:"parent,omitempty"`  // ID of the input it was made from
	How     string        `json:"how,omitempty"`     // how it was made: fresh, havoc, a kind of mutant
	Why     string        `json:"why,omitempty"`     // why it was saved
	Run     int           `json:"run"`               // number of its first run
	Binary  string        `json:"binary"`            // hash of the binary that ran it
	Spawned bool          `json:"spawned,omitempty"` // its run started goroutines
}

// ID returns a short name of the input: sixteen hex digits of its hash.
func (e Entry) ID() string {
	sum := sha256.Sum256([]byte(e.Input))
	return fmt.Sprintf("%x", sum[:8])
}

// MarshalJSON writes the trace in hex, because many readers of JSON read numbers as
// floats and would round it.
func (e Entry) MarshalJSON() ([]byte, error) { return encode(shownEntry(e)) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *Entry) UnmarshalJSON(data []byte) error {
	var s shown
	err := json.Unmarshal(data, &s)
	*e = s.entry()
	return err
}

// shown is an Entry as JSON. Segments contain shown and not Entry: with the methods of
// Entry every line would be scanned three times.
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

// encode is json.Marshal without the escapes for & and <: Go expressions often contain &,
// and people read these files.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// check returns an error for an entry that would be read back differently. JSON cannot
// represent invalid UTF-8, and Go source does not contain it.
func (e Entry) check() error {
	if e.Input == "" {
		return errors.New("the input is empty")
	}
	for _, s := range e.texts() {
		if !utf8.ValidString(s) {
			return fmt.Errorf("%.40q is not valid UTF-8", s)
		}
	}
	return nil
}

// texts returns the strings of an entry.
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

// Folder returns the folder of the corpus of a property, below root.
//
// The names in the path are readable and valid on every file system. Characters that some
// systems do not allow become underscores, and a hash distinguishes names that would then
// be equal, or that differ only in upper and lower case. The real names are in the
// segments.
func Folder(root, pkg, property string) string {
	return filepath.Join(root, folderName(pkg), folderName(property))
}

// nameMax bounds each of the two names in the path that Folder returns. With the root and
// the name of a segment, the path stays below the 260 characters that some programs on
// Windows allow.
const nameMax = 60

func folderName(name string) string {
	safe := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-':
			return c
		}
		return '_' // also for a dot: on Windows a name such as aux.example is a device
	}, name)
	sum := sha256.Sum256([]byte(name))
	return fmt.Sprintf("%.*s-%x", nameMax, safe, sum[:4])
}
