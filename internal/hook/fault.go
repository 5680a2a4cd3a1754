//go:build go1.25

package hook

// Faults are the gates of a rewritten package: one for each place where the package can be
// made faulty. The slices refer to arrays of that package. The arrays are static data, so
// gates work in initialisers, which run before the package registers them. Until then all
// gates record.
//
// Every function exists twice. The body with gates runs if the function's entry in Func is
// not 0; otherwise the original body runs, at its original speed.
type Faults struct {
	Path string  // import path of the package
	Site []uint8 // for each place: GateOff, GateRecord, or GateFirst plus the number of a variant, and GateOnce
	Func []uint8 // for each function: 1 if its body with gates runs, and funcWatched
	Hit  []uint8 // 1 if a place was evaluated while it recorded
	Diff []uint8 // bit v is set if variant v may have given another value while the place recorded
	All  []uint8 // the bits of all variants of a place, and GateSure if Diff needs it to be sure
	Of   []int32 // the function of each place, or -1 if it is in none

	// With lists, for each function, others that must run with gates if it does: their
	// original bodies call a copy of the function that has no gates. It may be shorter than Func.
	With [][]int32

	InitHit, InitDiff []uint8 // Hit and Diff of the initialisers

	Ran   []uint8  // 1 if a function was entered since WatchFuncs
	Names []string // of the functions, as in (*Parser).next, after Copied if some entries leave no note; "" if one has no name
}

// Copied marks the name of a function that has a direct copy: a call of the copy leaves no note in Faults.Ran.
const Copied = "~"

// funcWatched is added to an entry of Faults.Func until the function is entered.
const funcWatched = 2

// WatchFuncs begins to note which functions are entered, or ends it. The first entry of a function costs a call, and the
// next ones cost nothing.
func WatchFuncs(on bool) {
	for _, f := range Gates {
		f.watch(on)
	}
}

func (f *Faults) watch(on bool) {
	for i := range f.Func {
		f.Func[i] &^= funcWatched
		if on {
			f.Func[i] |= funcWatched
		}
	}
	if on {
		clear(f.Ran)
	}
}

// The values in Faults.Site. Code with gates compares with these numbers.
const (
	GateOff    = 0
	GateRecord = 1
	GateFirst  = 2
	GateOnce   = 128 // added to the number of a variant: the fault is on in one evaluation only
)

// GateSure is a bit in Faults.All and Faults.Diff, for places where the value with the fault is not known while
// they record: a || b evaluates an operand that a && b does not. If All has it, a value was different only if
// Diff has it too, which may also happen in a run with the fault.
const GateSure = 128

// FaultSizeMax is the largest size of a slice that code makes while a fault is switched on.
const FaultSizeMax = 1 << 26

var (
	// Gates lists what rewritten packages have registered.
	Gates []*Faults
	// FaultOn is true while a fault is switched on.
	FaultOn bool
	// SizeMax is the largest size of a slice. Code with gates calls Big for a larger one.
	SizeMax = 1 << 62
	// Caught is called with the value of a panic that Catch or Guard has recovered.
	Caught func(value any)
	// Failed is called by Catch if the test has failed without a panic.
	Failed func()
	// TooBig is called with a size larger than SizeMax. It does not return.
	TooBig func(size int)
)

// RegisterFaults registers the gates of a package and switches them off. Initialisers of
// rewritten packages call it.
func RegisterFaults(f *Faults) {
	f.InitHit = append([]uint8(nil), f.Hit...)
	f.InitDiff = append([]uint8(nil), f.Diff...)
	Gates = append(Gates, f)
	f.set(GateOff)
	for i := range f.Func { // until the tests start, initialisers of other packages may enter them
		f.Func[i] = funcWatched
	}
	if booted.path == f.Path {
		f.SwitchFault(booted.site, booted.variant, true)
	}
}

// booted is the fault that is switched on when the program starts.
var booted struct {
	path          string
	site, variant int
}

// bootSteps is how many steps initialisers may take with a fault. Then they panic with
// BootSpent.
const (
	bootSteps = 50_000_000
	BootSpent = "allele: with this fault, the initialisers take too many steps"
)

// Boot returns which fault of a package is switched on when the program starts. The text
// names a fault as "path site variant". Only a fault that is switched on that early affects
// initialisers. Packages call Boot before their variables are initialised.
func Boot(text, path string) (site, variant int, ok bool) {
	if len(text) <= len(path) || text[:len(path)] != path || text[len(path)] != ' ' {
		return 0, 0, false
	}
	numbers, n := [2]int{}, 0
	for _, c := range []byte(text[len(path)+1:]) {
		switch {
		case c == ' ' && n == 0:
			n++
		case c >= '0' && c <= '9' && numbers[n] < 1<<30:
			numbers[n] = numbers[n]*10 + int(c-'0')
		default:
			return 0, 0, false
		}
	}
	if n == 0 {
		return 0, 0, false
	}
	booted.path, booted.site, booted.variant = path, numbers[0], numbers[1]
	FaultOn = true
	Reset(bootSteps)
	Spent = func() { panic(BootSpent) }
	return numbers[0], numbers[1], true
}

func (f *Faults) set(mode uint8) {
	for i := range f.Site {
		f.Site[i] = mode
	}
	for i := range f.Func {
		f.Func[i] = f.Func[i]&funcWatched | mode
	}
	clear(f.Hit)
	clear(f.Diff)
}

// RecordFaults starts a run that records, or ends it. After a run that recorded, Hit tells
// which places it evaluated and Diff which faults would have changed a value.
func RecordFaults(on bool) {
	for _, f := range Gates {
		if on {
			f.set(GateRecord)
			continue
		}
		for i := range f.Site {
			f.Site[i] = GateOff
		}
		for i := range f.Func {
			f.Func[i] &= funcWatched
		}
	}
}

// RecordOnly starts a run in which only some places of a package record. All other functions run at their original
// speed. RecordFaults ends the run.
func (f *Faults) RecordOnly(sites []int) {
	f.set(GateOff)
	for _, site := range sites {
		f.Site[site] = GateRecord
		f.turn(site, GateRecord)
	}
}

// SwitchFault switches one fault on or off.
func (f *Faults) SwitchFault(site, variant int, on bool) {
	mode, size := uint8(GateOff), 1<<62
	if on {
		mode, size = GateFirst+uint8(variant), FaultSizeMax
	}
	FaultOn, SizeMax = on, size
	f.Site[site] = mode
	if on {
		f.Diff[site] = 0
	}
	f.turn(site, min(mode, 1))
}

// turn decides whether the function of a place runs with gates, and the others that must then do so too.
func (f *Faults) turn(site int, gates uint8) {
	fn := int(f.Of[site])
	if fn < 0 {
		return
	}
	f.Func[fn] = f.Func[fn]&funcWatched | gates
	if fn < len(f.With) {
		for _, other := range f.With[fn] {
			f.Func[other] = f.Func[other]&funcWatched | gates
		}
	}
}

// Sure reports whether a fault of a place has made a value different for sure, if Diff says that it may have: in
// the run that recorded, or in the last run with the fault.
func (f *Faults) Sure(site int) bool { return (^f.All[site]|f.Diff[site])&GateSure != 0 }

// turns is how often the place of a fault that is on once is evaluated until then.
var turns int

// SwitchOnce switches one fault on for the kth evaluation of its place, counted from 1.
// SwitchFault switches it off.
func (f *Faults) SwitchOnce(site, variant, k int) {
	f.SwitchFault(site, variant, true)
	f.Site[site] |= GateOnce
	turns = k
}

// FaultsLeft returns how often the place of the last fault that was on once was still to be
// evaluated when it was switched off. It is not positive if the fault had its turn.
func FaultsLeft() int { return turns }

// FaultTurn returns the mode in which a place with a fault that is on once is evaluated now.
// Gates call it.
func FaultTurn(mode uint8) uint8 {
	if turns--; turns == 0 {
		return mode &^ GateOnce
	}
	return GateOff
}

// Catch is deferred by functions that have a test as an argument. While a fault is switched
// on, it turns a panic into a failure of the test. Package testing would end the process.
func Catch(t interface{ FailNow() }) {
	if !FaultOn {
		return
	}
	if r := recover(); r != nil {
		if Caught != nil {
			Caught(r)
		}
		t.FailNow()
	}
	if f, ok := t.(interface{ Failed() bool }); ok && Failed != nil && f.Failed() {
		Failed()
	}
}

// Guard is deferred by the functions of goroutines. While a fault is switched on, it keeps
// a panic from ending the process.
func Guard() {
	if !FaultOn {
		return
	}
	if r := recover(); r != nil && Caught != nil {
		Caught(r)
	}
}

// Big is called for the size of a slice that is larger than SizeMax.
func Big(size int) {
	if TooBig != nil {
		TooBig(size)
	}
}
