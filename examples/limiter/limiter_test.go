//go:build go1.25

package limiter

import (
	"math/big"
	"testing"
	"time"

	"github.com/allele-go/allele"
)

// start is the time at which every test begins. Any other time would do.
var start = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// model is a bucket that counts tokens in exact fractions. It is slow, but it
// cannot overflow and never rounds.
type model struct {
	Config
	tokens big.Rat
	now    time.Time // the current time of the clock
	seen   time.Time // the latest time that look has seen
}

// look adds the tokens that are due since the last call of look.
func (m *model) look() {
	if passed := m.now.Sub(m.seen); passed > 0 {
		m.seen = m.now
		seconds := big.NewRat(int64(passed), int64(time.Second))
		m.tokens.Add(&m.tokens, seconds.Mul(seconds, tokens(m.Rate)))
	}
	m.spill()
}

// spill drops the tokens that do not fit into the bucket.
func (m *model) spill() {
	if full := tokens(m.Burst); m.tokens.Cmp(full) > 0 {
		m.tokens.Set(full)
	}
}

func tokens(n uint32) *big.Rat { return big.NewRat(int64(n), 1) }

// Op is one operation. It is performed on the limiter and on the model, and both
// results must be equal.
type Op interface {
	do(l *Limiter, m *model) (got, want bool)
}

type (
	Allow    struct{ N uint32 }
	Advance  struct{ D time.Duration }
	SetRate  struct{ Rate uint32 }
	SetBurst struct{ Burst uint32 }
)

func (op Allow) do(l *Limiter, m *model) (got, want bool) {
	m.look()
	if want = m.tokens.Cmp(tokens(op.N)) >= 0; want {
		m.tokens.Sub(&m.tokens, tokens(op.N))
	}
	return l.Allow(m.now, op.N), want
}

func (op Advance) do(_ *Limiter, m *model) (got, want bool) {
	m.now = m.now.Add(op.D)
	return
}

func (op SetRate) do(l *Limiter, m *model) (got, want bool) {
	m.look()
	m.Rate = op.Rate
	l.SetRate(m.now, op.Rate)
	return
}

func (op SetBurst) do(l *Limiter, m *model) (got, want bool) {
	m.look()
	m.Burst = op.Burst
	m.spill()
	l.SetBurst(m.now, op.Burst)
	return
}

var ops = allele.Variants[Op](Allow{}, Advance{}, SetRate{}, SetBurst{})

// A limiter behaves like the model under every sequence of operations. The clock
// may go back, advance by a nanosecond, or advance by a century. Bugs need
// several operations in the right order, so the lists are long.
func TestLikeModel(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct {
		Config Config
		Ops    []Op
	}) {
		l := New(in.Config, start)
		m := &model{Config: in.Config, now: start, seen: start}
		m.tokens.Set(tokens(in.Config.Burst))
		refused := 0
		for i, op := range in.Ops {
			got, want := op.do(l, m)
			if got != want {
				t.Fatalf("step %d, %T%+v: got %v, want %v", i, op, op, got, want)
			}
			if _, ok := op.(Allow); ok && !want {
				refused++
			}
		}
		t.Label("refused", min(refused, 3))
	}, ops, allele.Size(40), allele.At("Ops.Advance.D", allele.Values(
		1, time.Millisecond, time.Second/3, time.Second, -time.Second, time.Minute, 100*365*24*time.Hour)))
}

// After Delay there are enough tokens, and one nanosecond earlier there are not.
func TestDelayIsExact(t *testing.T) {
	allele.Check(t, func(t *allele.T, in emptied) {
		l := New(in.Config, start)
		l.Allow(start, in.Config.Burst)
		now := start.Add(in.Wait)
		delay := l.Delay(now, in.N)
		t.Assume(delay > 0 && delay < Never)
		if l.Allow(now.Add(delay-1), in.N) {
			t.Errorf("a delay of %v is too long", delay)
		} else if !l.Allow(now.Add(delay), in.N) {
			t.Errorf("a delay of %v is too short", delay)
		}
	},
		allele.At("Config.Rate", allele.Range[uint32](1, 1000)),
		allele.Range(-time.Second, time.Second),
		allele.Example(emptied{Config: Config{Rate: 3, Burst: 1}, N: 1})) // 0.333... s must be rounded up
}

// emptied is an input of TestDelayIsExact: a full bucket is emptied, and after
// Wait the test requests the Delay for N tokens.
type emptied struct {
	Config Config
	Wait   time.Duration
	N      uint32
}
