//go:build go1.25

// Package limiter limits how often something may happen.
//
// A limiter is a token bucket: it holds up to Burst tokens and receives Rate new
// tokens a second. Each action takes tokens out, and is refused if there are too
// few:
//
//	l := limiter.New(limiter.Config{Rate: 10, Burst: 20}, time.Now())
//	if !l.Allow(time.Now(), 1) { ... }       // too many requests
//	time.Sleep(l.Delay(time.Now(), 1))       // or wait for a token
//
// A limiter has no timer: each call first adds the tokens that are due since the
// previous call. The level is counted in billionths of a token, because Rate
// tokens a second are exactly Rate billionths a nanosecond. So nothing is ever
// rounded, however often the limiter is called and whenever the rate changes.
//
// The package is an example of testing with allele. limiter_test.go runs random
// lists of calls on a Limiter and on a model that is slow but obviously correct.
// `go test -tags planted` shows a list of calls on which the two differ.
package limiter

import (
	"math"
	"math/bits"
	"sync"
	"time"
)

// token is the level of one token. The level of the largest bucket, 1<<32 - 1
// tokens, is less than half of the largest int64.
const token = int64(time.Second)

// Never is returned by Delay if waiting does not help.
const Never = time.Duration(math.MaxInt64)

// Config describes a bucket. All values are valid: with a Rate of 0 only the
// first burst is allowed, with a Burst of 0 nothing is.
type Config struct {
	Rate  uint32 // tokens a second
	Burst uint32 // tokens in a full bucket
}

// Limiter is a bucket of tokens. It is safe for use by several goroutines. The
// caller passes the current time; if the clock is set back, the level stays.
type Limiter struct {
	mu     sync.Mutex
	config Config
	level  int64     // billionths of a token that were in the bucket at time l.at
	at     time.Time // latest time seen; never goes back
}

// New returns a limiter with a full bucket.
func New(c Config, now time.Time) *Limiter {
	return &Limiter{config: c, level: int64(c.Burst) * token, at: now}
}

// Allow takes n tokens and returns true. If the bucket has fewer than n, Allow
// takes none and returns false.
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

// Delay returns how long to wait until n tokens can be taken, provided that no
// other caller takes any. It returns 0 if there are enough tokens now, and Never
// if there will never be enough.
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
		// Round up, because one nanosecond earlier a token is still missing. If
		// the clock was set back, no tokens arrive until it has reached l.at.
		return l.at.Sub(now) + time.Duration((missing+rate-1)/rate)
	}
}

// SetRate changes how many tokens a second arrive from now on.
func (l *Limiter) SetRate(now time.Time, rate uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !planted { // the planted bug: without this, the new rate applies to time that has passed
		l.settle(now)
	}
	l.config.Rate = rate
}

// SetBurst changes how many tokens the bucket can hold. Tokens that do not fit
// into a smaller bucket are lost; a larger bucket fills up over time.
func (l *Limiter) SetBurst(now time.Time, burst uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settle(now)
	l.config.Burst = burst
	l.level = min(l.level, int64(burst)*token)
}

// settle adds the tokens that are due since the last call. It must be called
// with mu held and before the configuration changes.
func (l *Limiter) settle(now time.Time) {
	passed := now.Sub(l.at)
	if passed <= 0 {
		return
	}
	l.at = now
	// After a long time the product no longer fits into 64 bits, so the product
	// and the room left in the bucket are compared in 128 bits.
	room := int64(l.config.Burst)*token - l.level
	high, low := bits.Mul64(uint64(passed), uint64(l.config.Rate))
	if high > 0 || low > uint64(room) {
		low = uint64(room)
	}
	l.level += int64(low)
}
