package samesearch

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/search/engine"
)

// insertion is a list that must be sorted, and a number that is inserted.
type insertion struct {
	List []int
	X    int
}

func insert(t *tracer, in insertion) engine.Verdict {
	for i := 1; i < len(in.List); i++ {
		if t.loop(1); in.List[i-1] > in.List[i] {
			t.hit(2)
			return engine.Discarded
		}
	}
	at := 0
	for at < len(in.List) && in.List[at] < in.X {
		t.loop(3)
		at++
	}
	if t.hit(4); at == 5 && len(in.List) > 6 && in.List[at] == in.X {
		t.hit(5)
		return engine.Failed
	}
	return engine.Passed
}

type node struct {
	L, R *node
	K    int
}

// deep fails for sorted trees of some depth.
func deep(t *tracer, n *node) engine.Verdict {
	depth, ok := t.ordered(n, math.MinInt, math.MaxInt)
	switch {
	case !ok:
		return engine.Discarded
	case depth >= 5:
		t.hit(4)
		return engine.Failed
	}
	return engine.Passed
}

func (t *tracer) ordered(n *node, lo, hi int) (depth int, ok bool) {
	if t.hit(1); n == nil {
		return 0, true
	}
	if n.K <= lo {
		t.hit(2)
		return 0, false
	}
	if n.K >= hi {
		t.hit(3)
		return 0, false
	}
	l, ok := t.ordered(n.L, lo, n.K)
	if !ok {
		return 0, false
	}
	r, ok := t.ordered(n.R, n.K, hi)
	return 1 + max(l, r), ok
}

// machine is one of two that must agree on what is public.
type machine struct {
	Code   []instruction
	Memory []cell
}

type instruction struct {
	Op  uint8
	Arg uint8
}

type cell struct {
	Value  int8
	Secret bool
}

// secret runs two machines that differ in secrets only.
func secret(t *tracer, m [2]machine) engine.Verdict {
	if t.hit(1); !slices.Equal(m[0].Code, m[1].Code) || len(m[0].Memory) != len(m[1].Memory) {
		return engine.Discarded
	}
	for i, c := range m[0].Memory {
		t.loop(2)
		if d := m[1].Memory[i]; c.Secret != d.Secret || !c.Secret && c.Value != d.Value {
			t.hit(3)
			return engine.Discarded
		}
	}
	if x, y := t.execute(m[0]), t.execute(m[1]); x != y {
		t.hit(4)
		return engine.Failed
	}
	return engine.Passed
}

func (t *tracer) execute(m machine) (public int8) {
	var stack []cell
	for _, i := range m.Code {
		t.loop(10)
		switch op := i.Op % 4; {
		case op == 0:
			t.hit(11)
			stack = append(stack, cell{Value: int8(i.Arg)})
		case op == 1 && int(i.Arg) < len(m.Memory):
			t.hit(12)
			stack = append(stack, m.Memory[i.Arg])
		case op == 2 && len(stack) > 1:
			t.hit(13)
			a, b := stack[len(stack)-1], stack[len(stack)-2]
			stack = append(stack[:len(stack)-2], cell{a.Value + b.Value, a.Secret && b.Secret}) // || is correct
		case op == 3 && len(stack) > 0 && !stack[len(stack)-1].Secret:
			t.hit(14)
			public = stack[len(stack)-1].Value
		default:
			t.hit(15)
			return public
		}
	}
	return public
}

// version accepts texts such as 1.20.3.0.0.0: six numbers without leading zeros.
func version(t *tracer, s string) engine.Verdict {
	for part := range 6 {
		t.hit(10 * part)
		if part > 0 {
			if s == "" || !t.equal(uint64(s[0]), '.', 1) {
				t.hit(10*part + 1)
				return engine.Discarded
			}
			s = s[1:]
		}
		n := 0
		for n < len(s) && s[n] >= '0' && s[n] <= '9' {
			t.hit(10*part + 2)
			n++
		}
		if n == 0 || n > 1 && s[0] == '0' {
			t.hit(10*part + 3)
			return engine.Discarded
		}
		s = s[n:]
	}
	if t.hit(100); strings.HasSuffix(s, "-rc") {
		return engine.Failed
	}
	return engine.Passed
}

type expression struct {
	Name string
	Of   []expression
}

// names are the known functions.
var names = []string{"filter", "map", "+", "-", ""}

var errUnknown = errors.New("unknown function")

// evaluate discards expressions with unknown functions.
func evaluate(t *tracer, e expression) engine.Verdict {
	n, err := t.value(e)
	switch {
	case err != nil:
		return engine.Discarded
	case n == 7:
		t.hit(90)
		return engine.Failed
	}
	return engine.Passed
}

func (t *tracer) value(e expression) (int, error) {
	sum := len(e.Of)
	for _, x := range e.Of {
		t.loop(1)
		n, err := t.value(x)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	for i, name := range names {
		if t.equalTexts(e.Name, name) {
			t.hit(10 + i)
			return sum + i, nil
		}
	}
	if t.hit(20); len(e.Name) > 3 {
		t.hit(21)
		return 0, errUnknown
	}
	return sum, nil
}

type numbers struct {
	A int32
	B uint16
	C []int64
}

// magic needs numbers that only comparisons and constants show.
func magic(t *tracer, n numbers) engine.Verdict {
	if t.hit(1); n.A < 0 {
		return engine.Discarded
	}
	if t.equal(uint64(uint32(n.A)), 4000, 4) {
		t.hit(2)
		if t.equal(uint64(n.B), 0xbeef, 2) {
			t.hit(3)
			for i, c := range n.C {
				if t.equal(uint64(c), uint64(1_000_003*(i+1)), 8) {
					t.hit(4 + i)
				}
			}
		}
	}
	if len(t.path) > 5 {
		return engine.Failed
	}
	return engine.Passed
}

type three struct{ A, B, C uint8 }

// oneByOne has three assumptions. A search without traces sees the last symbol only.
func oneByOne(t *tracer, in three) engine.Verdict {
	for i, ok := range []bool{in.A < 40, in.B/8 == 3, in.C == 13} {
		if !ok {
			t.path = t.path[:0]
			t.hit(i)
			return engine.Discarded
		}
	}
	if t.hit(3); in.A == 12 {
		return engine.Failed
	}
	return engine.Passed
}

type person struct {
	Name  string `validate:"required,min=3"`
	Email string `validate:"email"`
	Age   int    `validate:"gte=18,lte=130"`
	Tags  []string
	Land  string   `validate:"required,iso3166_1_alpha2"`
	Roles []string `validate:"unique,min=2,dive,oneof=a b c"`
	Home  struct{ X, Y int8 }
}

func adult(t *tracer, p person) engine.Verdict {
	t.hit(len(p.Roles))
	t.hit(10 + len(p.Name)%4)
	if t.hit(20 + p.Age%7); p.Age < 18 {
		return engine.Discarded
	}
	for _, tag := range p.Tags {
		if t.loop(30); t.equalTexts(tag, p.Land) {
			t.hit(31)
			return engine.Failed
		}
	}
	t.hit(40 + int(p.Home.X)&3)
	return engine.Passed
}

// picture is encoded with a letter, its sizes, its pixels, and a checksum.
type picture struct {
	W, H   uint8
	Pixels []uint8
}

func encode(p picture) ([]byte, error) {
	b := append([]byte{'P', p.W, p.H, uint8(len(p.Pixels))}, p.Pixels...)
	return append(b, checksum(b)), nil
}

func checksum(b []byte) (sum byte) {
	for _, x := range b {
		sum = sum<<1 ^ sum>>7 ^ x
	}
	return sum
}

func decode(t *tracer, b []byte) engine.Verdict {
	switch {
	case len(b) < 5:
		t.hit(1)
		return engine.Passed
	case !t.equal(uint64(b[0]), 'P', 1):
		t.hit(2)
		return engine.Passed
	case !t.equal(uint64(b[len(b)-1]), uint64(checksum(b[:len(b)-1])), 1):
		t.hit(3)
		return engine.Passed
	}
	n := int(b[3])
	for range min(n, len(b)-5) {
		t.loop(4)
	}
	if t.hit(5); n != len(b)-5 {
		t.hit(6)
		if b[1] == b[2] && n > 100 {
			return engine.Failed
		}
	}
	t.hit(10 + int(b[1])/16)
	return engine.Passed
}

// branches takes a branch for each bit of a checksum of its input, so that nearly every run shows
// another set of branches.
func branches(t *tracer, list []uint16) engine.Verdict {
	sum := uint32(len(list))
	for _, x := range list {
		t.loop(1)
		sum = sum*31 + uint32(x)
	}
	for i := range 16 {
		if sum>>i&1 == 1 {
			t.hit(2 + i)
		}
	}
	switch {
	case len(list)%3 == 2:
		return engine.Discarded
	case sum%1000 == 7:
		return engine.Failed
	}
	if len(list) > 15 { // a slow run
		t.hits += 1 << 16
	}
	return engine.Passed
}

// tables counts how often each letter is in the keys.
func tables(t *tracer, m map[string][]uint8) engine.Verdict {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		for i := range len(k) {
			t.hit(int(k[i]))
		}
		if t.equalTexts(k, "key") && len(m[k]) > 2 {
			t.hit(300)
			return engine.Failed
		}
		for _, x := range m[k] {
			if t.loop(400); x > 250 {
				t.hit(401)
				return engine.Discarded
			}
		}
	}
	return engine.Passed
}
