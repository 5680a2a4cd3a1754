package bookkeeping

import (
	"errors"
	"fmt"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/scratch"
	"github.com/allele-go/allele/eval/search"
)

// library is the library under test: a property decodes documents with it, as a user's
// test would. Package overhead measures the same library.
const library = "BurntSushi/toml"

// This version and its checksums are also in the go.mod and go.sum files of package
// overhead.
const (
	requireLibrary = `
require github.com/BurntSushi/toml v1.5.0
`
	sumLibrary = `github.com/BurntSushi/toml v1.5.0 h1:W5quZX/G/csjUnuI8SUYlsHs9M38FC7znL0lIO+DvMg=
github.com/BurntSushi/toml v1.5.0/go.mod h1:ukJfTF/6rtPPRCnwkur4qwRxa8vTRFBF0uk2lLoLwho=
`
	// documents is the source of types whose values are printed as TOML. A
	// document with a duplicate key is invalid TOML and is discarded.
	documents = `package scratch

import (
	"fmt"
	"strings"
)

type Doc struct {
	Top    []Entry
	Tables []Table
}

type Table struct {
	Array   bool
	Path    []Key
	Entries []Entry
}

type Entry struct {
	Path  []Key
	Value Value
}

type Key uint8

func (k Key) String() string { return string(rune('a' + k)) }

type Value interface{ isValue() }

type (
	Int    struct{ N int64 }
	Float  struct{ F float64 }
	Bool   struct{ B bool }
	Text   struct{ S string }
	List   struct{ Values []Value }
	Inline struct{ Entries []Entry }
)

func (Int) isValue()    {}
func (Float) isValue()  {}
func (Bool) isValue()   {}
func (Text) isValue()   {}
func (List) isValue()   {}
func (Inline) isValue() {}

func (d Doc) String() string {
	var b strings.Builder
	write(&b, d.Top, "\n")
	for _, t := range d.Tables {
		if t.Array {
			fmt.Fprintf(&b, "[[%s]]\n", dotted(t.Path))
		} else {
			fmt.Fprintf(&b, "[%s]\n", dotted(t.Path))
		}
		write(&b, t.Entries, "\n")
	}
	return b.String()
}

func write(b *strings.Builder, entries []Entry, end string) {
	for i, e := range entries {
		fmt.Fprintf(b, "%s = ", dotted(e.Path))
		value(b, e.Value)
		if end == "\n" || i < len(entries)-1 {
			b.WriteString(end)
		}
	}
}

func dotted(path []Key) string {
	if len(path) == 0 {
		return "a"
	}
	text := path[0].String()
	for _, k := range path[1:] {
		text += "." + k.String()
	}
	return text
}

func value(b *strings.Builder, v Value) {
	switch v := v.(type) {
	case Int:
		fmt.Fprint(b, v.N)
	case Float:
		fmt.Fprintf(b, "%.3f", v.F)
	case Bool:
		fmt.Fprint(b, v.B)
	case Text:
		fmt.Fprintf(b, "%+q", v.S)
	case List:
		b.WriteString("[")
		for _, e := range v.Values {
			value(b, e)
			b.WriteString(", ")
		}
		b.WriteString("]")
	case Inline:
		b.WriteString("{")
		write(b, v.Entries, ", ")
		b.WriteString("}")
	}
}
`
	decode = `package scratch

import (
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/allele-go/allele"
)

func TestDecode(t *testing.T) {
	allele.Check(t, func(t *allele.T, d Doc) {
		var out map[string]any
		_, err := toml.Decode(d.String(), &out)
		t.Assume(err == nil)
	}, allele.Range(Key(0), Key(5)))
}
`
)

// measureLibrary runs the command with both kinds of search alternately. It measures the
// time of the search processes, without the build.
func measureLibrary(e effort) (lab.Row, error) {
	m, err := scratch.New(map[string]string{
		"go.mod": requireLibrary, "go.sum": sumLibrary, "documents.go": documents, "decode_test.go": decode,
	})
	if err != nil {
		return nil, err
	}
	defer m.Close()
	rates := map[string][]float64{}
	strategies := []string{guided, "random"}
	for round := range e.rounds + 1 {
		for k := range strategies {
			strategy := strategies[(round+k)%len(strategies)]
			r, err := m.Test("-scope", "github.com/BurntSushi/toml/...", "-strategy", strategy,
				"-tests", fmt.Sprint(e.tests), "-seed", fmt.Sprint(search.FirstSeed+max(0, round-1)))
			if err != nil {
				return nil, err
			}
			if r.Failed {
				return nil, errors.New("the property failed:\n" + r.Text)
			}
			if round > 0 { // round 0 includes the build and does not count
				rates[strategy] = append(rates[strategy], float64(r.Runs)/r.CPU)
			}
		}
	}
	return row(library, "random, through the command", e.tests, rates[guided], rates["random"]), nil
}
