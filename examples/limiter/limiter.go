// Package limiter says whether something may happen now or happens too often.
//
// A bucket holds up to burst tokens and gets rate new ones a second. Whoever
// wants to act takes tokens out; an empty bucket says no:
//
//	l := limiter.New(limiter.Config{Rate: 10, Burst: 20}, time.Now())
//	if !l.Allow(time.Now(), 1) { ... }       // too many requests
//	time.Sleep(l.Delay(time.Now(), 1))       // or wait for a token
//
// Nothing happens between two calls: a call first works out what has come in
// since the last one. The level is counted in billionths of a token, because
// rate tokens a second are exactly rate billionths a nanosecond. So nothing is
// ever rounded, however often a caller looks and whenever the rate changes.
//
// It is an example of testing with allele: limiter_test.go runs any list of
// calls on a Limiter and on a model that is slow and plainly right. `go test
// -tags planted` shows a list of calls on which they differ.
package limiter

import (
	"math"
	"math/bits"
	"sync"
	"time"
)

// token is one token as a level. The largest bucket, 1<<32 - 1 tokens, has a
// level that fits an int64 with room to spare.
const token = int64(time.Second)

// Never is the Delay of what no waiting brings about.
const Never = time.Duration(math.MaxInt64)

// Config is the shape of a bucket. Any numbers will do: with a Rate of 0 there
// is one burst and no more, with a Burst of 0 nothing is allowed.
type Config struct {
	Rate  uint32 // tokens a second
	Burst uint32 // tokens the bucket holds
}

// Limiter is a bucket of tokens. It may be used from several goroutines. Time
// comes from the caller; a clock that goes back adds nothing and takes nothing.
type Limiter struct {
	mu     sync.Mutex
	config Config
	level  int64     // billionths of a token, as of the time below
	at     time.Time // never goes back
}

// New makes a limiter with a full bucket.
func New(c Config, now time.Time) *Limiter {
	return &Limiter{config: c, level: int64(c.Burst) * token, at: now}
}

// Allow takes n tokens, or none if there are fewer.
func (l *Limiter) Allow(now time.Time, n uint32) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settle(now)
	cost := int64(n) * token
	if l.level < cost {
		return false
	}
	l.level -= cost
	return true
}

// Delay is how long after now n tokens can be taken if no others are: 0 if it
// can be done at once, Never if the bucket does not get so full.
func (l *Limiter) Delay(now time.Time, n uint32) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settle(now)
	missing := int64(n)*token - l.level
	switch rate := int64(l.config.Rate); {
	case missing <= 0:
		return 0
	case rate == 0 || n > l.config.Burst:
		return Never
	default:
		// Rounded up: a nanosecond too early is too early. If the clock went
		// back, nothing comes in until it has caught up.
		return l.at.Sub(now) + time.Duration((missing+rate-1)/rate)
	}
}

// SetRate changes how many tokens come in from now on.
func (l *Limiter) SetRate(now time.Time, rate uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !planted { // the bug: time that has passed counts at the new rate
		l.settle(now)
	}
	l.config.Rate = rate
}

// SetBurst changes how many tokens the bucket holds. What a smaller one cannot
// hold is lost; a larger one fills in time.
func (l *Limiter) SetBurst(now time.Time, burst uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settle(now)
	l.config.Burst = burst
	l.level = min(l.level, int64(burst)*token)
}

// settle adds what has come in since the last call. It must be called with mu
// held and before the configuration changes.
func (l *Limiter) settle(now time.Time) {
	passed := now.Sub(l.at)
	if passed <= 0 {
		return
	}
	l.at = now
	// After years the product is too large for an int64. What the bucket has
	// room for is not, so the two are compared in 128 bits.
	room := int64(l.config.Burst)*token - l.level
	high, low := bits.Mul64(uint64(passed), uint64(l.config.Rate))
	if high > 0 || low > uint64(room) {
		low = uint64(room)
	}
	l.level += int64(low)
}
