//go:build go1.25

package scoring

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
)

// A baseline says what each test does on the original program, and which faults can influence it. It is
// a file: a line with a Head, then a line for each test. Each test is added when it is finished, so a
// process that continues after another one has died leaves out what is in the file.

// Cases is a baseline whose tests are described by C.
type Cases[C any] struct {
	Head
	Cases []*C
	end   int64 // where the last complete line ends
	file  *os.File
}

// Head is the first line of a baseline.
type Head struct {
	Faults            []int // the fault of each bit in sets
	InitHit, InitDiff Set   `json:",omitempty"` // what initialisers reached, and where faults would have changed a value
	Format            int

	Funcs   []string `json:",omitempty"` // the functions of sets such as InitRan: import path, space, and name as in (*Parser).next
	InitRan Set      `json:",omitempty"` // functions that ran before the tests
}

// baselineFormat is the version of baseline files.
const baselineFormat = 4

// Bit returns the position of a fault in sets.
func (h *Head) Bit(fault int) (i int, known bool) {
	i = slices.Index(h.Faults, fault)
	return i, i >= 0
}

// Continue opens a baseline to add tests. If there is none about the same faults, it creates one.
func Continue[C any](file string, h Head) (*Cases[C], error) {
	h.Format = baselineFormat
	b, err := ReadCases[C](file)
	if err != nil || !slices.Equal(b.Faults, h.Faults) {
		b = &Cases[C]{Head: h}
	}
	if b.file, err = os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666); err != nil {
		return nil, err
	}
	if err = b.file.Truncate(b.end); err == nil && b.end == 0 {
		err = appendJSON(b.file, h)
	}
	return b, err
}

// Add adds a test.
func (b *Cases[C]) Add(c *C) error { return appendJSON(b.file, c) }

// Close closes a baseline that Continue has opened.
func (b *Cases[C]) Close() error { return b.file.Close() }

// ReadCases reads a baseline. A last line that was not written completely is ignored: the process died
// at that moment.
func ReadCases[C any](file string) (*Cases[C], error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := &Cases[C]{}
	in := bufio.NewReaderSize(f, 1<<16)
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		if err == nil && b.end == 0 {
			err = json.Unmarshal(line, &b.Head)
		} else if err == nil {
			c := new(C)
			b.Cases, err = append(b.Cases, c), json.Unmarshal(line, c)
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		b.end += int64(len(line))
	}
	if b.Format != baselineFormat {
		return nil, fmt.Errorf("read %s: not a baseline of this version", file)
	}
	return b, nil
}

// Reach is the faults that a run on the original program reaches, those that may change a value in it, and of these the
// ones that do so for sure: see hook.GateSure.
type Reach struct {
	Hit, Diff, Sure Set `json:",omitempty"`
}

// NewReach returns a Reach without faults, for the faults of a request.
func NewReach(faults int) Reach { return Reach{NewSet(faults), NewSet(faults), NewSet(faults)} }

// Add adds what a run has shown about a fault.
func (r Reach) Add(i int, hit, diff, sure bool) {
	if hit {
		r.Hit.Add(i)
	}
	if diff {
		r.Diff.Add(i)
	}
	if diff && sure {
		r.Sure.Add(i)
	}
}

// Set is a set of faults or functions, by their position in a Head.
type Set []byte

// NewSet returns an empty set of the faults of a request.
func NewSet(faults int) Set { return make(Set, (faults+7)/8) }

// Has reports whether a fault is in the set.
func (s Set) Has(i int) bool { return i/8 < len(s) && s[i/8]>>(i%8)&1 != 0 }

// Add adds a fault.
func (s Set) Add(i int) { s[i/8] |= 1 << (i % 8) }

// Holds reports whether the set has all faults of another one.
func (s Set) Holds(other Set) bool {
	for i, b := range other {
		if i < len(s) {
			b &^= s[i]
		}
		if b != 0 {
			return false
		}
	}
	return true
}

// Union returns the faults of both sets.
func (s Set) Union(other Set) Set {
	if len(s) < len(other) {
		s, other = other, s
	}
	s = slices.Clone(s)
	for i, b := range other {
		s[i] |= b
	}
	return s
}

// Without returns the members that another set does not have.
func (s Set) Without(other Set) Set {
	s = slices.Clone(s)
	for i := range min(len(s), len(other)) {
		s[i] &^= other[i]
	}
	return s
}

// Each calls a function with each member of the set.
func (s Set) Each(call func(i int)) {
	for i := range 8 * len(s) {
		if s.Has(i) {
			call(i)
		}
	}
}
