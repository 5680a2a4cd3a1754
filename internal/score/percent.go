//go:build go1.25

package score

import (
	"fmt"
	"math"
)

// Percent is a share in percent. It is rounded down to two decimals, so that 100 means all.
type Percent float64

func percent(part, whole int) *Percent {
	if whole <= 0 {
		return nil
	}
	p := Percent(float64(part*10_000/whole) / 100)
	return &p
}

// String formats a share with one decimal, rounded down.
func (p *Percent) String() string {
	if p == nil {
		return "-"
	}
	tenths := int(float64(*p)*10 + 1e-6)
	return fmt.Sprintf("%d.%d %%", tenths/10, tenths%10)
}

// whole formats a share without decimals, rounded down.
func (p *Percent) whole() string {
	if p == nil {
		return "-"
	}
	return fmt.Sprintf("%d %%", int(float64(*p)+1e-6))
}

// wilson returns the 95 % interval of a share of which a sample has found part of whole: Wilson, "Probable inference, the
// law of succession, and statistical inference", 1927. Unlike the usual one, it is also right near 0 and 1.
func wilson(part, whole int) (low, high float64) {
	const z = 1.959964
	n := float64(whole)
	p := float64(part) / n
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, middle-half), min(1, middle+half)
}
