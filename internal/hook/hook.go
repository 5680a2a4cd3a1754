//go:build go1.25

// Package hook holds the state that rewritten code writes to.
//
// Every branch of a program under test contains a probe: inserted code that writes here.
// Probes must be fast, so the state is a few global variables. Rewritten code reaches
// these variables by linkname and writes to them inline:
//
//	p = Pos; Buf[p&Mask] = 42; Set[42] = Epoch; p++; Pos = p
//
// Each execution of a probe is called a hit. Buf holds the path of the current run: the
// sites that it hit, in order. Set holds the sites that it hit, without order; in a
// program that starts no goroutines, probes do not write to Set. Rewritten code may keep
// the position in a local variable between two calls, so a probe costs two stores and an
// addition. With several goroutines that local position can be out of date, and then hits
// overwrite each other in Buf. Set needs no position, so it loses no hits. Spawned shows
// which of the two to use: Set if the run started a goroutine, else Buf.
//
// Nothing here is initialised at run time, because probes in package initialisers run
// before any initialiser of this package would. This package imports nothing, so any
// other package can be rewritten, including those of the standard library.
package hook

const (
	// Cap is how many hits of one run are stored individually. Each further stretch of
	// about Cap hits is folded (hashed) into one symbol.
	Cap = 1 << 16

	// Mask keeps a position inside Buf. All code checks the limit Lim, except code that
	// is certain to end soon. So between two checks a run makes fewer hits than fit in
	// the second half of Buf. If a run ever makes more, the older hits are overwritten,
	// but the number of hits is still right.
	Mask = 2*Cap - 1

	// Sites is the maximum number of sites in a program.
	Sites = 1 << 22

	// A path consists of symbols. A symbol is the number of a site with bits for its
	// kind, so a path can be read without the table of sites.
	Coarse = 1 << 24 // a function was entered or a clause taken
	Loop   = 1 << 25 // the body of a loop was entered
	Early  = 1 << 26 // the property returns before its end
	Fold   = 1 << 31 // not a site, but a stretch of many hits

	// Blocks is the maximum number of blocks of a coverage profile. Events report a block as
	// the number FirstBlock and more, beside sites.
	Blocks     = 1 << 20
	FirstBlock = Sites

	// foldsMax is the maximum number of Fold symbols in a path. A run that would need
	// more is stopped by its budget of hits. If the budget allows more, all remaining
	// stretches are combined in the last symbol.
	foldsMax = 1 << 10
)

var (
	// Buf is the path of the current run since the last fold.
	Buf [2 * Cap]uint32
	// Pos is the index in Buf where the next hit is stored.
	Pos uint32
	// A probe that checks the limit must call Slow if Pos has reached Lim.
	Lim uint32 = Cap
	// Set holds, for each site, the Epoch of the last run that reached it.
	Set [Sites]uint32
	// Epoch is the number of the current run. It starts at 1, because 0 in Set means that
	// no run has reached the site.
	Epoch uint32 = 1
	// Spawned is not 0 if the current run started a goroutine.
	Spawned uint32
	// Spent is called when the budget of a run is spent. If Spent returns, it is called
	// again at every later check of the budget, unless it has called Extend.
	Spent func()
	// Long is called from time to time in a long run. It can end the run by not
	// returning.
	Long func()
	// From is the index in Buf of the first hit of a run. If Wipe is true, Slow clears
	// the hits that it has folded. With both set, Buf except its first entries can be
	// mapped to a file. After the process has exited, the file still holds the last hits
	// of the process.
	From uint32
	Wipe bool
	// NoPath is true if the code only counts steps, so Buf contains no path.
	NoPath bool

	// Covered is not 0 for each block of a coverage profile that was reached since the process
	// started. Only programs that are built for a profile write it.
	Covered [Blocks]uint32

	head   [Cap]uint32 // the first Cap hits of a run that is longer than Cap
	folds  [foldsMax]uint32
	nfolds int
	folded int64 // number of hits that were removed from Buf by folding
	budget int64 = 1 << 62
)

// Reset starts a run that may make at most the given number of hits.
//
//go:norace
func Reset(hits int64) {
	Pos, nfolds, folded, budget = From, 0, 0, hits
	Lim = Cap
	if hits < Cap {
		Lim = uint32(max(1, hits))
	}
	Spawned = 0
	if Epoch++; Epoch == 0 { // Epoch has overflowed, after 2^32 runs
		clear(Set[:])
		Epoch = 1
	}
}

// Forget forgets the path of the current run so far. The hits that it has made still count.
//
//go:norace
func Forget() {
	left, spawned := budget-Hits(), Spawned
	Reset(max(1, left))
	Spawned = spawned
}

// Cover marks a block of a coverage profile as reached, in programs with the race detector.
// Other programs write Covered themselves. If two goroutines do, both write 1.
//
//go:norace
func Cover(block uint32) { Covered[block%Blocks] = 1 }

// Extend changes how many hits the current run may make. Spent calls it to let a run go on
// that has spent its budget.
//
//go:norace
func Extend(hits int64) {
	if budget, Lim = hits, Cap; hits <= 0 {
		Lim = 0
	}
}

// Probes at heads of loops, and in functions that call others, call Slow if Pos has
// reached Lim. Slow folds the contents of Buf and returns the position at which to
// continue. If the budget of the run is spent, Slow calls Spent before it folds. Spent may
// end the run.
//
// If several goroutines fold at the same time, hits are lost. That does no harm: Set and
// the budget remain usable, and the path of a run with goroutines is not used.
//
//go:norace
func Slow() uint32 {
	n := min(Pos, Mask+1)
	if folded+int64(Pos) >= budget {
		Lim = 0 // so that every later check calls Slow, if the code recovers and goes on
		if Spent != nil {
			Spent()
		}
	}
	if Long != nil {
		Long()
	}
	switch {
	case NoPath:
	case nfolds == 0 && folded == 0:
		move(head[:], Buf[:n])
		fold(Buf[Cap:max(n, Cap)])
	default:
		fold(Buf[:n])
	}
	folded += int64(Pos)
	if Wipe {
		clear(Buf[:n])
	}
	Pos = From
	if left := budget - folded; left < Cap {
		Lim = uint32(max(1, left))
	}
	return From
}

// fold adds to folds one symbol that stands for all hits in ids. The symbol has the bit
// Fold, so it differs from all sites.
//
//go:norace
func fold(ids []uint32) {
	if len(ids) == 0 {
		return
	}
	h := uint32(digest(ids) >> 32)
	i := min(nfolds, foldsMax-1)
	if nfolds >= foldsMax {
		h ^= folds[i] * 31
	}
	folds[i] = h | Fold
	nfolds = min(nfolds+1, foldsMax)
}

// digest returns a hash of a stretch of hits. It computes four independent chains, and each
// chain takes two ids per step. So an id costs a third of a nanosecond. A single chain
// would cost as much as the probes.
//
//go:norace
func digest(ids []uint32) uint64 {
	const k = 0x9e3779b97f4a7c15
	a, b, c, d := uint64(len(ids)), uint64(1), uint64(2), uint64(3)
	for ; len(ids) >= 8; ids = ids[8:] {
		p := (*[8]uint32)(ids)
		a = mix(a, uint64(p[0])|uint64(p[1])<<32)
		b = mix(b, uint64(p[2])|uint64(p[3])<<32)
		c = mix(c, uint64(p[4])|uint64(p[5])<<32)
		d = mix(d, uint64(p[6])|uint64(p[7])<<32)
	}
	for _, id := range ids {
		a = mix(a, uint64(id))
	}
	return mix(mix(mix(a, b), c), d) * k
}

func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0xbf58476d1ce4e5b9
	return h ^ h>>29
}

// Path appends the path of the run to a slice: the first Cap hits individually,
// then one symbol for each further stretch.
//
//go:norace
func Path(to []uint32) []uint32 {
	if NoPath {
		return to
	}
	n := min(Pos, Mask+1)
	if folded == 0 {
		if n <= Cap {
			return add(to, Buf[:n])
		}
		to = add(to, Buf[:Cap])
		fold(Buf[Cap:n])
	} else {
		to = add(to, head[:])
		fold(Buf[:n])
	}
	return add(to, folds[:nfolds])
}

// Hits returns how many hits the run has made.
//
//go:norace
func Hits() int64 { return folded + int64(Pos) }

// Go records that the run starts a goroutine. Rewritten code calls it before every
// go statement.
//
//go:norace
func Go() { Spawned = 1 }

// Fact is what the source declares about a type.
type Fact struct {
	Of     any   // identifies the type: a nil pointer to it if it is an interface, else a value of it
	Values []any // a value of each type that can be in the interface, or each constant of the type
	Enum   bool
}

// Facts lists what rewritten packages have registered with Sum and Enum.
var Facts []Fact

// Sum registers the types that can be in an interface. Initialisers of rewritten packages
// call it. They never run concurrently.
func Sum(iface any, variants ...any) { Facts = append(Facts, Fact{iface, variants, false}) }

// Enum registers the constants of a type. Like Sum it is called by initialisers.
func Enum(of any, consts ...any) { Facts = append(Facts, Fact{of, consts, true}) }

// Maker is a function that makes values of the type of its first result. If it has
// no result except perhaps an error or a bool, it changes the value that its first
// argument points to.
type Maker struct {
	Name  string // the name as code outside its package writes it; if empty, the name is in the symbol table
	Func  any
	Small []int // indices of the arguments that determine how much memory or time the call takes
}

// Makers lists the functions that rewritten packages have registered with Make.
var Makers []Maker

// Make registers a function that makes values. Like Sum it is called by initialisers.
func Make(name string, f any, small ...int) { Makers = append(Makers, Maker{name, f, small}) }

// Shape is a pattern that some function of the program tests its argument for. Parts of
// Value that are zero match anything, except the fields whose paths are in Fixed: these
// must be zero.
type Shape struct {
	Of    any    // a nil pointer to the type that the function takes
	Name  string // the name of the function, and a number
	Value any
	Fixed []string
}

// Shapes lists what rewritten packages have registered with Pattern.
var Shapes []Shape

// Pattern registers a shape. Like Sum it is called by initialisers.
func Pattern(of any, name string, value any, fixed ...string) {
	Shapes = append(Shapes, Shape{of, name, value, fixed})
}

// Field is a struct field with the constants that code compares it with.
type Field struct {
	Of     any // a nil pointer to the struct type
	Name   string
	Values []any
}

// Fields lists what rewritten packages have registered with Compare.
var Fields []Field

// Compare registers the constants that a field is compared with. Like Sum it is called by initialisers.
func Compare(of any, name string, values ...any) { Fields = append(Fields, Field{of, name, values}) }

// Sentinel is an error that a package declares as a variable.
type Sentinel struct {
	Pkg  string // import path of the package
	Name string // the name as code outside its package writes it
	Err  any
}

// Sentinels lists what rewritten packages have registered with Errors.
var Sentinels []Sentinel

// Errors registers errors: a name and a value, and so on. Like Sum it is called by initialisers.
func Errors(pkg string, pairs ...any) {
	for i := 0; i+1 < len(pairs); i += 2 {
		Sentinels = append(Sentinels, Sentinel{pkg, pairs[i].(string), pairs[i+1]})
	}
}

// Literals lists the constants that rewritten packages compare values with. Each constant
// has the type of the values that it is compared with.
var Literals []any

// Literal registers constants. Like Sum it is called by initialisers.
func Literal(values ...any) { Literals = append(Literals, values...) }

// Marks lists the marks of all rewritten packages in the program.
var Marks []any

// Mark registers the mark of a rewritten package: a text from which the command sees that a
// binary contains the probes. Like Sum it is called by initialisers.
func Mark(mark any) { Marks = append(Marks, mark) }

// A program that was built to record operands calls Numbers or Texts at every comparison.
// The arguments are both sides of the comparison and a number for its place in the
// source. Numbers are width bytes wide and extended with zeros. While a function is nil,
// its comparisons are not recorded.
var (
	Numbers func(a, b uint64, width uint8, site uint)
	Texts   func(x, y string, site uint)
)

// Tried is the number that the functions in Tries compare their argument with. Each
// package whose comparisons should be recorded registers one such function. Calling the
// function shows whether comparisons of that package are in fact recorded.
const Tried = 1234577

// Tries lists the functions that Try registered.
var Tries []func(int) bool

// Try registers a function that compares its argument with Tried. Like Sum it is
// called by initialisers.
func Try(f func(int) bool) { Tries = append(Tries, f) }

// Hit is the probe in code built with -race. There a probe is a call instead of inline
// code, so that go:norace can exempt it from the race detector.
//
// Two goroutines may write to the same position, and then one hit is missing in the path.
// That does no harm, because the path of a run with goroutines is not used.
//
//go:norace
//go:noinline
func Hit(id uint32) {
	p := Pos
	if p >= Lim {
		p = Slow()
	}
	Buf[p&Mask] = id
	Set[id%Sites] = Epoch
	Pos = p + 1
}
