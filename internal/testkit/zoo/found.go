package zoo

import (
	"errors"
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
)

// Made holds what functions make that were found in the source: types that hide
// their fields, and pages, which are made by variants as well.
type Made struct {
	Set   *Sorted
	Sets  []Sorted
	Names *Bag[string]
	Log   *Log
	Logs  [2]Log
	Page  Page
}

// Log has no function that makes one: its zero value is one.
type Log struct{ lines []string }

// Print changes the log.
func (l *Log) Print(s string) { l.lines = append(l.lines, s+"\n") }

// Sorted keeps its numbers in order.
type Sorted struct{ ns []int }

// NewSorted makes a set of any numbers.
func NewSorted(ns ...int) *Sorted {
	s := &Sorted{}
	s.AddAll(ns...)
	return s
}

// Add changes the set.
func (s *Sorted) Add(n int) { s.AddAll(n) }

// AddAll changes the set, or says why it does not.
func (s *Sorted) AddAll(ns ...int) error {
	s.ns = append(s.ns, ns...)
	slices.Sort(s.ns)
	if len(ns) == 0 {
		return errors.New("nothing to add")
	}
	return nil
}

// Union makes a third set.
func (s *Sorted) Union(o *Sorted) *Sorted { return NewSorted(slices.Concat(s.ns, o.ns)...) }

// Bag is generic.
type Bag[K comparable] struct{ count map[K]int }

// NewBag makes an empty one.
func NewBag[K comparable]() *Bag[K] { return &Bag[K]{map[K]int{}} }

// Put changes the bag.
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

// Hr makes a page that no variant is.
func Hr() Page { return Rule{true} }

// Bold makes a tag of a page.
func Bold(in Page) *Tag { return &Tag{"b", in} }

// Heading refuses some pages.
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
	} {
		m, err := schema.NewFound(f.name, f.f)
		if err != nil {
			panic(err) // the list is ours
		}
		a.Decls = append(a.Decls, schema.Decl{Type: m.Result, Make: m, Tier: schema.Found})
	}
	return a
}
