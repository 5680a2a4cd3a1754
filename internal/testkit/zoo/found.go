//go:build go1.25

package zoo

import (
	"errors"
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
)

// Made has fields of types that are built by functions found in the source: types with
// unexported fields, and Page, an interface that also has variants.
type Made struct {
	Set     *Sorted
	Sets    []Sorted
	Names   *Bag[string]
	Log     *Log
	Logs    [2]Log
	Page    Page
	Index   *Index
	Indexes []Index
}

// Index has a constructor function that returns a value, one that may fail, and methods that
// change what a pointer points to. Its zero value is not ready to use.
type Index struct{ lines map[string]int }

// NewIndex makes an index with one word.
func NewIndex(word string) Index { return Index{map[string]int{word: 1}} }

// OpenIndex rejects lines below 1.
func OpenIndex(line int8) (Index, bool) { return Index{map[string]int{"": int(line)}}, line > 0 }

// Put adds a word to the index.
func (x *Index) Put(word string, line int) { x.lines[word] = line }

// Log has no constructor function: its zero value is ready to use.
type Log struct{ lines []string }

// Print appends a line to the log.
func (l *Log) Print(s string) { l.lines = append(l.lines, s+"\n") }

// Sorted keeps its numbers in order.
type Sorted struct{ ns []int }

// NewSorted makes a set of any numbers.
func NewSorted(ns ...int) *Sorted {
	s := &Sorted{}
	s.AddAll(ns...)
	return s
}

// Add adds a number to the set.
func (s *Sorted) Add(n int) { s.AddAll(n) }

// AddAll adds numbers to the set. It returns an error if there are none.
func (s *Sorted) AddAll(ns ...int) error {
	s.ns = append(s.ns, ns...)
	slices.Sort(s.ns)
	if len(ns) == 0 {
		return errors.New("nothing to add")
	}
	return nil
}

// Union returns a new set.
func (s *Sorted) Union(o *Sorted) *Sorted { return NewSorted(slices.Concat(s.ns, o.ns)...) }

// Bag is generic.
type Bag[K comparable] struct{ count map[K]int }

// NewBag makes an empty bag.
func NewBag[K comparable]() *Bag[K] { return &Bag[K]{map[K]int{}} }

// Put adds a key to the bag.
func (b *Bag[K]) Put(k K) { b.count[k]++ }

// Page is an interface with variants and functions.
type Page interface{ page() }

// The variants of Page.
type (
	Word struct{ S string }
	Tag  struct {
		Name string
		In   Page
	}
	Rule struct{ hidden bool }
)

func (Word) page() {}
func (*Tag) page() {}
func (Rule) page() {}

// Hr makes a page of a type that is not declared as a variant.
func Hr() Page { return Rule{true} }

// Bold wraps a page in a tag.
func Bold(in Page) *Tag { return &Tag{"b", in} }

// Heading rejects levels below 1.
func Heading(level int8, in Page) (*Tag, bool) { return &Tag{"h", in}, level > 0 }

func made() Animal {
	a := of[Made]("made")
	a.Decls = append(a.Decls, variants[Page](Word{}, &Tag{}))
	for _, f := range []struct {
		name string
		f    any
	}{
		{"", NewSorted}, {"", (*Sorted).Add}, {"", (*Sorted).AddAll}, {"", (*Sorted).Union},
		{"zoo.NewBag[string]", NewBag[string]}, {"(*zoo.Bag[string]).Put", (*Bag[string]).Put},
		{"", (*Log).Print}, {"", Hr}, {"", Bold}, {"", Heading},
		{"", NewIndex}, {"", OpenIndex}, {"", (*Index).Put},
	} {
		m, err := schema.NewFound(f.name, f.f)
		if err != nil {
			panic(err) // a mistake in the list above
		}
		a.Decls = append(a.Decls, schema.Decl{Type: m.Result, What: m, Tier: schema.Found})
	}
	return a
}
