//go:build go1.25

package mutate

// Kind is a kind of mutant, or a set of kinds. Strategies switch kinds on, and reports
// name them. Most new mutations belong to an existing kind, and need only a line in
// the table mutations. Another kind is a line before Mirror, a name in kindNames, and a
// bit in the strategies that use it (package engine, strategies.go).
type Kind uint16

// The kinds. Mirror is a bit but not a kind of mutant: it adds mirrored mutants of
// the other kinds. If the input is a pair whose halves are equal at a position, the
// same change is first made in both halves (a mirrored mutant), and then in one half
// alone.
const (
	Pure       Kind = 1 << iota // from the term itself: subterms, constructors, fields, list edits, enum values
	Lists                       // list edits that MUTAGEN does not make: swaps, least elements inserted before the end, nil for empty
	Filled                      // new constructors and elements with other fields than the least terms
	Sampled                     // scalars from the generator
	Fragments                   // subterms of other inputs, from Mutator.Fragments
	Dictionary                  // literals and operands, from Mutator.Dictionary
	Text                        // edits of a text, see package text
	Nested                      // a part in itself
	Mirror
)

var kindNames = [...]string{"pure", "lists", "filled", "sampled", "fragments", "dictionary", "text", "nested"}

// Names lists the kinds of mutants, in the order of their bits.
func Names() []string { return kindNames[:] }

// Config selects the mutants of a strategy. The zero Config makes none.
type Config struct {
	Kinds Kind

	Samples int // number of random values for each scalar (R of the MUTAGEN paper); equal values are used once
	Size    int // size that the generator uses for samples; it bounds numbers and texts

	// NeighboursMax is how many values near scalars of the parent are used to fill a
	// new field. With three, a search tree of eight keys was found after 3k instead
	// of 34k tests.
	NeighboursMax int
	FragmentsMax  int // number of fragments at each position; two are enough, and each costs a run
	DictionaryMax int // number of dictionary entries for each scalar; operands repeat, so few are worth a run

	// UnitsMax is the maximal size of mutants that are larger than their parent, in
	// units of package term (a node, or 16 bytes of text). Without it, inputs could
	// grow forever, and runs would take longer and longer. 0 means no limit.
	UnitsMax int
	// WaysMax is the maximal number of ways to put fields into one constructor at
	// one position: ten fields of one type could be filled in ten billion ways. Ways
	// that change the fewest fields come first. 0 means waysDefault.
	WaysMax int
}

// waysMax returns WaysMax, or the default.
func (c *Config) waysMax() int {
	if c.WaysMax == 0 {
		return waysDefault
	}
	return c.WaysMax
}

// waysDefault is the value of WaysMax in the search experiments.
const waysDefault = 64
