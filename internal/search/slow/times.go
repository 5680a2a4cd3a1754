//go:build go1.25

package slow

import (
	"reflect"
	"time"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// The size of a time is its distance from 1970 in seconds. Its arguments say little: the zero time has none, and
// is almost two thousand years away from most other times.

// The calls that make times, if no builders are declared.
const (
	timeUnix = "time.Unix(_0, _1).UTC()"
	timeDate = "time.Date(_0, _1, _2, _3, _4, _5, _6, time.UTC)"
	timeZero = "time.Time{}"
)

var timeType = reflect.TypeFor[time.Time]()

// IsTime reports whether the part is a time, for which no builders are declared.
func (p Part) IsTime() bool {
	_, ok := unixOf(p.S)
	return ok
}

// unixOf returns the constructor timeUnix, if a schema is that of times.
func unixOf(s *schema.Schema) (c int, ok bool) {
	if s.Kind != schema.Made || s.Type != timeType {
		return 0, false
	}
	for c := range s.Ctors {
		if s.Ctors[c].Func.Template == timeUnix {
			return c, true
		}
	}
	return 0, false
}

// seconds returns the Unix time of a time.
func seconds(s *schema.Schema, x term.Term, at int) int64 {
	var args []int
	for kid := range x.Kids(at) {
		args = append(args, int(x[kid].X))
	}
	switch call := s.Ctors[x[at].C].Func.Template; {
	case call == timeDate && len(args) == 7:
		return time.Date(args[0], time.Month(args[1]), args[2], args[3], args[4], args[5], args[6], time.UTC).Unix()
	case call == timeZero || len(args) == 0:
		return time.Time{}.Unix()
	}
	return int64(args[0])
}

// nearer returns the term with the time at a position moved to a distance from 1970.
func nearer(x term.Term, p Part, size uint64) term.Term {
	c, _ := unixOf(p.S)
	sec := int64(size)
	if seconds(p.S, x, p.at) < 0 {
		sec = -sec
	}
	fields := p.S.Ctors[c].Fields
	return term.Replace(nil, x, p.at, term.Term{
		{S: p.S.ID, C: uint16(c), N: 3},
		{S: fields[0].S.ID, N: 1, X: uint64(sec)},
		{S: fields[1].S.ID, N: 1},
	})
}
