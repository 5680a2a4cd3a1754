//go:build go1.25

package allele

import (
	"net/http"
	"reflect"
	"testing"
	"time"
)

// Most values of an imported enumeration are its constants, if its String method shows which they are, and a
// few are not. A declaration takes precedence.
func TestImportedEnumerations(t *testing.T) {
	type when struct {
		Month time.Month
		Day   time.Weekday
		Kind  reflect.Kind
		Same  http.SameSite // has no String method
	}
	count := func(opts ...Option) (months, days, kinds, distinct int) {
		seen := map[time.Month]bool{}
		r := record(t, "TestX", func(t testing.TB) {
			Check(t, func(t *T, in when) {
				if in.Month >= time.January && in.Month <= time.December {
					months++
					seen[in.Month] = true
				}
				if in.Day >= time.Sunday && in.Day <= time.Saturday {
					days++
				}
				if in.Kind <= reflect.UnsafePointer {
					kinds++
				}
			}, opts...)
		})
		if r.Failed() {
			t.Error(r.text())
		}
		return months, days, kinds, len(seen)
	}
	within := func(n int) bool { return n >= 980 && n <= 999 }
	if months, days, kinds, distinct := count(); !within(months) || !within(days) || kinds < 900 || distinct != 12 {
		t.Errorf("%d months (%d distinct), %d days and %d kinds of 1000", months, distinct, days, kinds)
	}
	if months, days, _, _ := count(Range[time.Month](13, 99), Likely(time.Weekday(-1))); months > 0 || days > 100 {
		t.Errorf("%d months and %d days although others are declared", months, days)
	}
}
