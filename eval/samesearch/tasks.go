package samesearch

import (
	"reflect"
	"slices"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// task is a property that records its path, and what the search is told beside it.
type task struct {
	name    string
	in      reflect.Type
	run     func(t *tracer, in reflect.Value) engine.Verdict
	words   []string // as found in its source
	encoder any      // of bytes; nil if the input is not encoded
	set     bool     // the runs show sets of sites, as with goroutines
	outside bool     // the runs show places in another program
	busy    bool     // terms of the user and of other searches are added, and some runs do not end
}

func (t task) decls() []schema.Decl {
	if t.encoder == nil {
		return nil
	}
	m, err := schema.NewEncoder(t.encoder)
	if err != nil {
		panic("samesearch: " + err.Error())
	}
	return []schema.Decl{{Type: m.Result, What: schema.Through{Encoder: m}, Tier: schema.Local}}
}

func property[T any](run func(t *tracer, in T) engine.Verdict) func(*tracer, reflect.Value) engine.Verdict {
	return func(t *tracer, in reflect.Value) engine.Verdict { return run(t, in.Interface().(T)) }
}

// tasks returns the tasks. Lists, trees, numbers, pairs, texts, parts with tags and bytes with an
// encoder are among their inputs.
func tasks() []task {
	return []task{
		{name: "sorted", in: reflect.TypeFor[insertion](), run: property(insert)},
		{name: "tree", in: reflect.TypeFor[*node](), run: property(deep)},
		{name: "busy", in: reflect.TypeFor[*node](), run: property(deep), busy: true},
		{name: "pair", in: reflect.TypeFor[[2]machine](), run: property(secret)},
		{name: "version", in: reflect.TypeFor[string](), run: property(version), words: []string{".", "0", "9"}},
		{name: "program", in: reflect.TypeFor[expression](), run: property(evaluate), words: names[:4], busy: true},
		{name: "numbers", in: reflect.TypeFor[numbers](), run: property(magic)},
		{name: "assumptions", in: reflect.TypeFor[three](), run: property(oneByOne)},
		{name: "tags", in: reflect.TypeFor[person](), run: property(adult)},
		{name: "picture", in: reflect.TypeFor[[]byte](), run: property(decode), encoder: encode},
		{name: "goroutines", in: reflect.TypeFor[[]uint16](), run: property(branches), set: true},
		{name: "outside", in: reflect.TypeFor[map[string][]uint8](), run: property(tables), words: []string{"id", "key"}, outside: true},
	}
}

// tracer records a run as probes would.
type tracer struct {
	path     []uint32
	hits     int64
	compares bool
	compared []operand.Compared
}

func (t *tracer) begin() { t.path, t.hits, t.compared = t.path[:0], 0, nil }

// pathMax bounds a path, like hook.Cap.
const pathMax = 1 << 12

func (t *tracer) hit(id int) {
	if t.hits++; len(t.path) < pathMax {
		t.path = append(t.path, uint32(id)|hook.Coarse)
	}
}

// loop is a hit at the start of an iteration.
func (t *tracer) loop(id int) {
	if t.hits++; len(t.path) < pathMax {
		t.path = append(t.path, uint32(id)|hook.Loop)
	}
}

// equal compares numbers, and records that.
func (t *tracer) equal(a, b uint64, width uint8) bool {
	if t.compares && a != b {
		t.compared = append(t.compared, operand.Compared{A: a, B: b, Width: width})
	}
	return a == b
}

// equalTexts compares texts, and records that.
func (t *tracer) equalTexts(a, b string) bool {
	if t.compares && a != b {
		t.compared = append(t.compared, operand.Compared{Text: true, X: a, Y: b})
	}
	return a == b
}

// run returns the trace. Every 64th path or so belongs to a run that was too long.
func (t *tracer) run(of task) trace.Run {
	r := trace.Run{Symbols: t.path, Hits: t.hits, Set: of.set, Outside: of.outside}
	if of.busy && len(t.path)%64 == 63 {
		r.Long = true
	}
	if of.set || of.outside {
		r.Symbols = sites(t.path)
	}
	return r
}

// literals returns the constants that the programs compare with.
func literals(s *schema.Schema) (all []term.Term) {
	if s.Kind != schema.Scalar || s.Type.Kind() != reflect.Int32 {
		return nil
	}
	for x := range uint64(7) {
		all = append(all, term.Term{{S: s.ID, N: 1, X: 1000 * x}})
	}
	return all
}

// sites returns the sites of a path in rising order, each once.
func sites(path []uint32) []uint32 {
	all := make([]uint32, len(path))
	for i, s := range path {
		all[i] = s &^ (hook.Coarse | hook.Loop)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
