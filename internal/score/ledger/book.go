//go:build go1.25

package ledger

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/source/change"
)

// Ext is the end of the name of a file.
const Ext = ".ledger"

// A file is a line with a checksum of the rest, and JSON.
const magic = "allele ledger 1 "

// bytesMax is the size of the largest file. A verdict has about 300 bytes.
const bytesMax = 64 << 20

// book is the content of a file: the verdicts about one program.
type book struct {
	Whole   string                    `json:"whole"` // checksum of what matters to all tests
	Units   map[string]change.Version `json:"units"`
	Tests   map[string]test           `json:"tests"`
	Names   []string                  `json:"names"` // of tests
	Entries []entry                   `json:"entries"`

	index map[string]int // of Names
}

// test is what a test did without a fault.
type test struct {
	Steps  int64 `json:"steps"`
	Varies bool  `json:"varies,omitempty"`
}

// entry is a verdict.
type entry struct {
	Place   place        `json:"place"`
	Verdict fate.Verdict `json:"verdict"`
	Ran     []int        `json:"ran,omitempty"`    // the tests that ran with the fault, by their numbers in Names
	Beyond  []string     `json:"beyond,omitempty"` // functions that ran only with the fault
}

// place says where a fault is, so that it is found again after an edit elsewhere.
type place struct {
	Unit     string `json:"unit"`
	Token    int    `json:"token"` // how many tokens of the unit are before it
	Operator string `json:"operator"`
	From     string `json:"from"`
	To       string `json:"to"`
}

// known returns the entries. Of two faults in one place, nothing is known.
func (b *book) known() map[place]entry {
	all, twice := map[place]entry{}, map[place]bool{}
	for _, e := range b.Entries {
		_, there := all[e.Place]
		twice[e.Place] = twice[e.Place] || there
		all[e.Place] = e
	}
	maps.DeleteFunc(all, func(p place, _ entry) bool { return twice[p] })
	return all
}

// name returns the name of a test. The file may have any number.
func (b *book) name(n int) string {
	if n < 0 || n >= len(b.Names) {
		return ""
	}
	return b.Names[n]
}

// numbers returns the numbers of tests.
func (b *book) numbers(names []string) (all []int) {
	if b.index == nil {
		b.index = map[string]int{}
	}
	for _, name := range names {
		n, known := b.index[name]
		if !known {
			n = len(b.Names)
			b.index[name] = n
			b.Names = append(b.Names, name)
		}
		all = append(all, n)
	}
	return all
}

// read reads a file, and returns nil if there is none, or if it is damaged.
func read(file string) *book {
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, bytesMax+1))
	if err != nil || len(data) > bytesMax {
		return nil
	}
	line, rest, _ := bytes.Cut(data, []byte("\n"))
	b := &book{}
	if string(line) != fmt.Sprintf("%s%x", magic, sha256.Sum256(rest)) || json.Unmarshal(rest, b) != nil {
		return nil
	}
	return b
}

// same reports whether two books are about one program.
func (b *book) same(other *book) bool {
	return b.Whole == other.Whole && maps.Equal(b.Units, other.Units)
}

// write replaces a file as a whole.
func (b *book) write(file string) error {
	data, err := json.Marshal(b)
	if err != nil || len(data) > bytesMax-len(magic)-2*sha256.Size-1 {
		return err
	}
	data = append(fmt.Appendf(nil, "%s%x\n", magic, sha256.Sum256(data)), data...)
	f, err := os.CreateTemp(filepath.Dir(file), "new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = cmp.Or(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

func comparePlaces(a, b entry) int {
	return cmp.Or(cmp.Compare(a.Place.Unit, b.Place.Unit), a.Place.Token-b.Place.Token,
		cmp.Compare(fmt.Sprint(a.Place), fmt.Sprint(b.Place)))
}
