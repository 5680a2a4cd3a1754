//go:build go1.25

package engine

import (
	"fmt"
	"slices"
)

// Verdict is how a run ended.
type Verdict uint8

// A run is discarded when an assumption of the property was false.
const (
	Passed Verdict = iota
	Discarded
	Failed
)

var verdicts = [...]string{Passed: "passed", Discarded: "discarded", Failed: "failed"}

func (v Verdict) String() string { return verdicts[v] }

// MarshalText returns the name of the verdict, as used in logs.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText parses the name of a verdict.
func (v *Verdict) UnmarshalText(text []byte) error {
	i := slices.Index(verdicts[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown verdict %q", text)
	}
	*v = Verdict(i)
	return nil
}
