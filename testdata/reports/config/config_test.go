package config

import (
	"testing"

	"github.com/allele-go/allele"
)

func TestLoudest(t *testing.T) {
	allele.Check(t, func(t *allele.T, c *Config) {
		t.Assume(c != nil && c.Volume != Quiet && len(c.Labels) > 0)
		for name := range c.Limits {
			c.Loudest(name)
		}
	}, allele.Range[Level](0, Loud), allele.At("Limits", allele.Range(90, 110)))
}
