package overhead

import "testing"

func TestWithoutChecks(t *testing.T) {
	for text, want := range map[string]string{
		"{if alleleP_>=alleleLim_{alleleP_=alleleSlow_()};alleleBuf_[alleleP_&7]=5;": "{alleleBuf_[alleleP_&7]=5;",
		"for {alleleCheck_(33554437);x++}":                                           "for {alleleHit_(33554437);x++}",
		"func alleleCheck_(i uint32) {":                                              "func alleleCheck_(i uint32) {",
	} {
		if got := withoutChecks(text); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
