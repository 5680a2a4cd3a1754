// Package hook is the state that rewritten code writes to.
//
// Every branch of a program under test passes through here, so the state is a
// few global variables that the rewritten code reaches by linkname and writes
// to in line:
//
//	p = Pos; Buf[p&Mask] = 42; Set[42] = Epoch; p++; Pos = p
//
// Buf holds the ordered path of the present run, Set the sites it reached; a
// program that starts no goroutines does without Set. A
// position may be kept in a local variable between two calls, which makes a
// probe two stores and an addition. With several goroutines that position can
// be stale, and then hits overwrite each other in Buf; Set has no position and
// loses nothing. Spawned says which of the two to believe.
//
// Nothing here is initialised at run time, as probes in package initialisers
// run before any initialiser of ours would, and nothing is imported, so that
// any package, those of the standard library included, can be rewritten.
package hook

const (
	// Cap is how many hits of one run are kept one by one. Each further stretch
	// of about as many is folded into one symbol.
	Cap = 1 << 16

	// Mask keeps a position inside Buf. Only code that surely ends soon goes
	// without a check of the limit, so between two a run makes fewer hits than
	// the second half of Buf holds; if ever it makes more, the older ones are
	// lost, but the number is right.
	Mask = 2*Cap - 1

	// Sites is how many sites a program may have.
	Sites = 1 << 22

	// A path is made of symbols: the number of a site, and what kind it is, so
	// that a path can be read without a table.
	Coarse = 1 << 24 // a function was entered or a clause taken
	Loop   = 1 << 25 // the body of a loop was entered
	Fold   = 1 << 31 // not a site, but a stretch of many

	// foldsMax bounds the symbols for stretches beyond Cap; a run long enough
	// for more is cut by its budget or ends in one last symbol.
	foldsMax = 1 << 10
)

var (
	// Buf is the path of the present run since the last fold.
	Buf [2 * Cap]uint32
	// Pos is how much of Buf is used.
	Pos uint32
	// Lim is the position from which Slow must be called.
	Lim uint32 = Cap
	// Set holds, for each site, the Epoch of the last run that reached it.
	Set [Sites]uint32
	// Epoch is the number of the present run. It starts at 1, as Set is zero.
	Epoch uint32 = 1
	// Spawned is not 0 if the present run started a goroutine.
	Spawned uint32
	// Cut is called when the budget of a run is spent, and at every later check of it
	// if it returns.
	Cut func()
	// Long is called now and then in a long run. If it wants the run to end, it
	// does not return.
	Long func()
	// From is where a run begins in Buf, and Wipe says that what was folded is
	// to be cleared: together they let a file that lies under Buf, but for its
	// first entries, tell the last hits of a process that is gone.
	From uint32
	Wipe bool

	head   [Cap]uint32 // the first Cap hits, once the run is longer
	folds  [foldsMax]uint32
	nfolds int
	folded int64 // hits before Buf[0]
	budget int64 = 1 << 62
)

// Reset starts a run that may make so many hits.
//
//go:norace
func Reset(hits int64) {
	Pos, nfolds, folded, budget = From, 0, 0, hits
	Lim = Cap
	if hits < Cap {
		Lim = uint32(max(1, hits))
	}
	Spawned = 0
	if Epoch++; Epoch == 0 { // once in four thousand million runs
		clear(Set[:])
		Epoch = 1
	}
}

// Slow is called where Pos has reached Lim, at heads of loops and in functions
// that call others. It folds what is in Buf, or ends the run if its budget is
// spent, and returns the position to go on at.
//
// Goroutines that fold at the same time lose hits, but Set and the budget stay
// of use: a run with goroutines is not judged by its path.
//
//go:norace
func Slow() uint32 {
	n := min(Pos, Mask+1)
	if folded+int64(Pos) >= budget {
		Lim = 0 // for code that recovers and goes on: every later check comes here
		if Cut != nil {
			Cut()
		}
	}
	if Long != nil {
		Long()
	}
	if nfolds == 0 && folded == 0 {
		copy(head[:], Buf[:n])
		fold(Buf[Cap:max(n, Cap)])
	} else {
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

// fold makes one symbol of a stretch, above all site ids.
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

// digest is a hash of a stretch. Four chains side by side, two ids a step, take
// a third of a nanosecond an id; one chain would cost as much as the probes.
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

// Path appends the path of the run: the first hits one by one, then a symbol
// for each further stretch.
//
//go:norace
func Path(to []uint32) []uint32 {
	n := min(Pos, Mask+1)
	if folded == 0 {
		if n <= Cap {
			return append(to, Buf[:n]...)
		}
		to = append(to, Buf[:Cap]...)
		fold(Buf[Cap:n])
	} else {
		to = append(to, head[:]...)
		fold(Buf[:n])
	}
	return append(to, folds[:nfolds]...)
}

// Hits is how many hits the run has made.
//
//go:norace
func Hits() int64 { return folded + int64(Pos) }

// Go notes that the run starts a goroutine. It is called before every go
// statement in rewritten code.
//
//go:norace
func Go() { Spawned = 1 }

// Fact is what the source says about a type.
type Fact struct {
	Of     any   // a nil pointer to an interface type, or a value of another type
	Values []any // a value of each type that can be in the interface, or each constant of the type
	Enum   bool
}

// Facts is what rewritten packages have told about their types.
var Facts []Fact

// Sum tells which types can be in an interface. It is called by initialisers of
// rewritten packages, one after the other.
func Sum(iface any, variants ...any) { Facts = append(Facts, Fact{iface, variants, false}) }

// Enum tells which constants a type has.
func Enum(of any, consts ...any) { Facts = append(Facts, Fact{of, consts, true}) }

// Maker is a function that makes values of the type of its first result, or, if it
// has none but perhaps an error or bool, changes what its first argument points to.
type Maker struct {
	Name  string // as code outside its package writes it; empty if the linker knows it
	Func  any
	Small []int // arguments that say how much memory it takes or how long it goes on
}

// Makers are the functions that rewritten packages make values of their types with.
var Makers []Maker

// Make tells a function. Like Sum it is called by initialisers.
func Make(name string, f any, small ...int) { Makers = append(Makers, Maker{name, f, small}) }

// Shape is a value that some function of the program looks for. What is zero in it
// may be anything, except for the fields whose paths are in Fixed.
type Shape struct {
	Of    any    // a nil pointer to the type that the function takes
	Name  string // of the function, and a number
	Value any
	Fixed []string
}

// Shapes is what rewritten packages look for.
var Shapes []Shape

// Pattern tells a shape. Like Sum it is called by initialisers.
func Pattern(of any, name string, value any, fixed ...string) {
	Shapes = append(Shapes, Shape{of, name, value, fixed})
}

// Field is a field of a struct with the constants that it is compared with.
type Field struct {
	Of     any // a nil pointer to the struct
	Name   string
	Values []any
}

// Fields are those that rewritten packages compare.
var Fields []Field

// Compare tells the constants of a field. Like Sum it is called by initialisers.
func Compare(of any, name string, values ...any) { Fields = append(Fields, Field{of, name, values}) }

// Literals are the constants that rewritten packages compare values with, each of
// the type it is compared as.
var Literals []any

// Literal tells constants. Like Sum it is called by initialisers.
func Literal(values ...any) { Literals = append(Literals, values...) }

// Numbers and Texts are told both sides of every comparison, and a number for
// its place, in a program that was built for it; numbers are extended with zeros
// from a width in bytes. Nobody listens while they are nil.
var (
	Numbers func(a, b uint64, width uint8, site uint)
	Texts   func(x, y string, site uint)
)

// Tried is what the functions in Tries compare their argument with. There is one
// of each package that should tell its comparisons: who listens can see if it does.
const Tried = 1234577

// Tries are these functions.
var Tries []func(int) bool

// Try tells one of them. Like Sum it is called by initialisers.
func Try(f func(int) bool) { Tries = append(Tries, f) }

// Hit is the probe of code built with -race: a call, so that the detector can be
// told to look away.
//
// Two goroutines may take one position: the loss is one entry of a path that
// is not looked at.
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
